import LineProtocol

/// Cuts what is typed into lines. A line over the limit, or not in UTF-8, is dropped up to its end: no part of it is a message
/// or a command.
package struct TypedLines {
  /// Bytes of a line without its LF.
  private let limit: Int
  private let refusal: String
  private var bytes: [UInt8] = []
  private var isDropping = false

  /// Bytes of a line that a terminal keeps while it edits it; it drops the rest without a word. termios(3)
  private static let keptByTerminal = 4095

  /// - Parameter isTerminal: whether a terminal edits the lines.
  package init(isTerminal: Bool) {
    limit = isTerminal ? Self.keptByTerminal - 1 : Limits.line
    refusal =
      isTerminal
      ? "Not sent: the terminal cuts a line at \(Self.keptByTerminal) bytes. For a longer text leave, and type confab, "
        + "which is the full-screen UI, or confab send JID -"
      : "Not sent: the line is longer than \(Limits.line) bytes; a text may have at most \(Limits.text)."
  }

  package mutating func append(_ more: [UInt8]) { bytes += more }

  /// Nothing more is appended: what is left is a line.
  package mutating func end() {
    if !bytes.isEmpty || isDropping { bytes.append(0x0A) }
  }

  /// The next line, or why it was dropped; nil until more is appended.
  package mutating func next() -> PlainEvent? {
    guard let end = bytes.firstIndex(of: 0x0A) else {
      if bytes.count > limit { (bytes, isDropping) = ([], true) }
      return nil
    }
    defer {
      bytes.removeSubrange(...end)
      isDropping = false
    }
    guard !isDropping, end <= limit else { return .said(refusal) }
    return String(validating: bytes[..<end], as: UTF8.self).map { .typed($0) } ?? .said(Self.notText)
  }

  /// Bytes that are not taken yet.
  package var byteCount: Int { bytes.count }

  /// True if more than one line is here.
  package var hasSeveral: Bool { bytes.lazy.filter { $0 == 0x0A }.prefix(2).count == 2 }

  /// All lines that are here; several texts are one event.
  package mutating func nextTogether() -> [PlainEvent] {
    var (texts, others): ([String], [PlainEvent]) = ([], [])
    while let event = next() {
      if case .typed(let text) = event { texts.append(text) } else { others.append(event) }
    }
    return others + (texts.count > 1 ? [.pasted(texts)] : texts.map { .typed($0) })
  }

  private static let notText = "Not sent: the line is not UTF-8."
}
