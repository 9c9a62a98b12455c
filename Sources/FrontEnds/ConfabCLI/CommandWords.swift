package import LineProtocol

/// Requests and error reasons, spelled as on the command line.
package enum CommandWords {
  /// The shell command that makes this request.
  package static func line(_ request: Request, _ invocation: Invocation) -> String {
    var words = ["confab"]
    if let socket = invocation.socket { words.append("--socket=" + socket) }
    if let account = request.account { words.append("--account=" + account) }
    words.append(request.verb.rawValue)
    words += invocation.options.map { "--" + $0.rawValue }
    // The request has JIDs by now; a JID that looks like a name must not be looked up again.
    if !invocation.options.contains(.jid), NameLookup.isNeeded(request) { words.append("--jid") }
    for option in request.row.options {
      guard let value = request.options[option.name] else { continue }
      words.append("--\(Usage.commandLineName(option.name))=\(value.word)")
    }
    words += request.row.arguments.compactMap { request.arguments[$0.name]?.word }
    if let text = request.text { words.append(text) }
    return words.map(quoted).joined(separator: " ")
  }

  /// A word quoted for a shell, unless no character of it has a meaning there.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x40...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || "-_.,:/=+%".utf8.contains($0)
    }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// A reason from the daemon, with options spelled as on the command line: `--account`, not `account=`.
  package static func spelled(_ reason: String, _ request: Request) -> String {
    guard reason.utf8.contains(UInt8(ascii: "=")) else { return reason }
    let words = reason.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let name = optionName(parts[0], request) else { return String(word) }
      let value = parts[1]
      let hasValue = value.utf8.first.map { (0x30...0x7A).contains($0) && $0 != 0x3B && $0 != 0x3A } ?? false
      return "--" + name + (hasValue ? "=" : "") + value
    }
    return words.joined(separator: " ")
  }

  private static func optionName(_ word: Substring, _ request: Request) -> String? {
    if word == "account" { return "account" }
    return OptionName(rawValue: String(word)).flatMap {
      request.row.option($0) == nil ? nil : Usage.commandLineName($0)
    }
  }
}
