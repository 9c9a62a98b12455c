import JSON

/// One thing that the doctor looked at, and how it is. `confabd --doctor` writes one a line, in JSON; `confab doctor`
/// reads them, adds its own, and shows them.
package struct Check: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case configuration, permissions, disk, clock, dns, port, certificate, login
    /// The checks of the command line: `confabd` itself, the running daemon, its accounts, what encrypts with whom, its unit, and the terminal.
    case program, daemon, account, encryption, service, terminal
  }

  package enum Outcome: String, CaseIterable, Sendable { case ok, warning, wrong }

  package let kind: Kind
  package let outcome: Outcome
  /// The finding, in words; part of it may have come from a server.
  package var text: String
  /// The name of the account that it is about; nil: all of them.
  package let account: String?
  /// The advice; nil if there is nothing to do.
  package var advice: String?
  /// The path of the daemon's socket, in a check of the configuration.
  package var socket: String?

  package init(
    _ kind: Kind, _ outcome: Outcome, _ text: String, account: String? = nil, advice: String? = nil,
    socket: String? = nil
  ) {
    (self.kind, self.outcome, self.text, self.account) = (kind, outcome, text, account)
    (self.advice, self.socket) = (advice, socket)
  }
}

// MARK: - Lines

extension Check {
  /// `{"check":"dns","account":"home","result":"ok","text":"…"}` with its LF.
  package var line: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("check", kind.rawValue)
    if let account { writer.member("account", account) }
    writer.member("result", outcome.rawValue)
    writer.member("text", text)
    if let advice { writer.member("advice", advice) }
    if let socket { writer.member("socket", socket) }
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }

  /// Reads a line without its LF; nil if it is not one of this version.
  package init?(line: [UInt8]) {
    guard let object = try? JSONParser.parse(line, maximumDepth: 4), let text = object["text"]?.string,
      let kind = object["check"]?.string.flatMap(Kind.init),
      let outcome = object["result"]?.string.flatMap(Outcome.init)
    else { return nil }
    self.init(
      kind, outcome, text, account: object["account"]?.string, advice: object["advice"]?.string,
      socket: object["socket"]?.string)
  }
}
