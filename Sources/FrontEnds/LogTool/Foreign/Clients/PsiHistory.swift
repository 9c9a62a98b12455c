import Records

/// Psi's logs of people (`~/.local/share/psi/profiles/PROFILE/history`): a file for each bare JID, whose lines are
/// `|2024-05-01T18:00:00|1|to|N---|text`. Times are local. There are no ids and no rooms.
enum PsiHistory {
  private static let ending = ".history"

  static func read(
    _ path: String, _ surroundings: HistorySurroundings, _ sink: inout any HistorySink
  ) throws(HistoryFailure) {
    for file in try HistoryFiles.below(path) {
      let name = HistoryFiles.name(of: file)
      guard name.hasSuffix(ending), let jid = Self.jid(name.dropLast(ending.count)) else { continue }
      var lines = try HistoryLines(file)
      while let line = try lines.next() {
        let place = ForeignPlace(file: file, line: line.number)
        guard let text = line.bytes.flatMap({ String(validating: $0, as: UTF8.self) }) else {
          sink.reject(place, "it is not UTF-8, or too long")
          continue
        }
        guard !text.isEmpty else { continue }
        guard let entry = Entry(text, surroundings.clock) else {
          sink.reject(place, "it is not an entry of Psi's history")
          continue
        }
        guard entry.isMessage, !entry.text.isEmpty else {
          sink.pass()
          continue
        }
        var message = ForeignMessage(
          owner: surroundings.owner, conversation: jid, isMine: entry.isMine, time: entry.time, text: entry.text,
          place: place)
        if jid.contains("/") { message.kind = .occupant }
        try sink.take(message)
      }
    }
  }

  /// The JID that a file is named by: `bob_at_example.org`, other signs as `%2d`.
  private static func jid(_ name: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(name.replacing("_at_", with: "@").utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self).flatMap { $0.contains("@") ? $0 : nil }
  }

  /// One line.
  private struct Entry {
    let time: Int64
    let isMine: Bool
    let isMessage: Bool
    let text: String

    init?(_ line: String, _ clock: HistoryClock) {
      var fields = line.split(separator: "|", omittingEmptySubsequences: false)
      guard fields.count >= 6, fields[0].isEmpty, let time = Self.time(fields[1], clock) else { return nil }
      let flags = Array(fields[4].utf8)
      guard flags.count >= 2, fields[3] == "to" || fields[3] == "from" else { return nil }
      // The second flag says that a subject (1) and an address with its title (2) come before the text.
      let more = flags[1] == UInt8(ascii: "-") ? 0 : Int(String(decoding: [flags[1]], as: UTF8.self), radix: 16) ?? 0
      fields.removeFirst(5 + (more & 1) + (more & 2))
      guard !fields.isEmpty else { return nil }
      self.time = time
      let parts = line.split(separator: "|", maxSplits: 5, omittingEmptySubsequences: false)
      (isMine, isMessage) = (parts[3] == "to", ["0", "1"].contains(parts[2]))
      text = Self.decoded(fields.joined(separator: "|"))
    }

    private static func time(_ text: Substring, _ clock: HistoryClock) -> Int64? {
      var digits = TimeDigits(Array(text.utf8)[...])
      guard let day = digits.date("-"), digits.skip("T"), let seconds = digits.timeOfDay(":") else { return nil }
      if let zone = digits.zone() { return (day + seconds - zone) * 1000 }
      return digits.rest.isEmpty ? clock.milliseconds(ofLocal: day + seconds) : nil
    }

    /// Text without Psi's escapes: `\n` of a new line, `\p` of a bar, `\\`.
    private static func decoded(_ text: String) -> String {
      guard text.contains("\\") else { return text }
      var result = String.UnicodeScalarView()
      var scalars = text.unicodeScalars.makeIterator()
      while let scalar = scalars.next() {
        guard scalar == "\\", let escaped = scalars.next() else {
          result.append(scalar)
          continue
        }
        result.append(escaped == "n" ? "\n" : escaped == "p" ? "|" : escaped)
      }
      return String(result)
    }
  }
}
