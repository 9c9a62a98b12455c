import ConfabClient
import JSON

/// The progress of the files of a message, as a line on a terminal that is written again and again.
struct TransferProgress {
  /// The message; nil: the one of the first event about a message behind `start`.
  var id: Int64?
  /// The newest record before the message was sent.
  private let start: Int64?
  /// How many files the message has; nil: unknown.
  var count: Int?
  /// True while the progress line is on the screen.
  private var isShown = false
  /// Events of this message.
  private(set) var eventCount = 0

  private static let width = 24

  /// - Parameters:
  ///   - id: of the message; nil: it is not sent yet, or there is none.
  ///   - start: the newest record before a message that is being sent; the daemon answers with its id only once it has
  ///     got as far as `wait=` says.
  init(id: Int64? = nil, after start: Int64? = nil, count: Int? = nil) {
    (self.id, self.start, self.count) = (id, start, count)
  }

  /// The line of an event; nil: nothing is written.
  mutating func line(_ object: JSONValue) -> String? {
    guard object["event"]?.string == "transfer", let message = object["id"]?.integer,
      let done = object["done"]?.integer
    else { return nil }
    if id == nil, let start, message > start { id = message }
    guard message == id else { return nil }
    eventCount += 1
    isShown = true
    let file = count.map { $0 > 1 ? " file \((object["index"]?.integer ?? 0) + 1) of \($0)" : "" } ?? ""
    guard let progress = FileProgress(object), let total = progress.total, total > 0 else {
      return "\r\u{1B}[K\(ShownAttachment.words(done))\(file)"
    }
    let filled = Int(progress.part * Double(Self.width))
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
    return "\r\u{1B}[K[\(bar)] \(progress.amount)\(file)"
  }

  /// Takes the line away.
  mutating func end() -> String? {
    defer { isShown = false }
    return isShown ? "\r\u{1B}[K" : nil
  }
}
