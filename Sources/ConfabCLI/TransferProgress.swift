import ConfabClient
import JSON

/// The progress of the files of a message, as a line on a terminal that is written again and again.
struct TransferProgress {
  /// Nil: not known yet, or of no message.
  var id: Int64?
  /// How many files the message has; nil: unknown.
  var count: Int?
  /// Whether the line is there.
  private var isShown = false
  /// Events of this message.
  private(set) var eventCount = 0

  private static let width = 24

  init(id: Int64? = nil, count: Int? = nil) { (self.id, self.count) = (id, count) }

  /// The line of an event; nil: nothing is written.
  mutating func line(_ object: JSONValue) -> String? {
    guard object["event"]?.string == "transfer", let id, object["id"]?.integer == id,
      let done = object["done"]?.integer
    else { return nil }
    eventCount += 1
    isShown = true
    let file = count.map { $0 > 1 ? " file \((object["index"]?.integer ?? 0) + 1) of \($0)" : "" } ?? ""
    guard let total = object["total"]?.integer, total > 0 else { return "\r\u{1B}[K\(Self.size(done))\(file)" }
    let part = min(max(Double(done) / Double(total), 0), 1)
    let filled = Int(part * Double(Self.width))
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
    return "\r\u{1B}[K[\(bar)] \(Int(part * 100))% of \(Self.size(total))\(file)"
  }

  /// Takes the line away.
  mutating func end() -> String? {
    defer { isShown = false }
    return isShown ? "\r\u{1B}[K" : nil
  }

  private static func size(_ bytes: Int64) -> String {
    if bytes < 10_000 { return "\(bytes) bytes" }
    return bytes < 10 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
  }
}
