package import JSON

/// How far a file of a message has got, on its way to its server or from there.
package struct FileProgress: Equatable, Sendable {
  /// From 0.
  package let index: Int64
  package let done: Int64
  package let total: Int64?

  package init?(_ object: JSONValue) {
    guard let index = object["index"]?.integer, let done = object["done"]?.integer else { return nil }
    (self.index, self.done, total) = (index, done, object["total"]?.integer)
  }

  private init(index: Int64, done: Int64, total: Int64?) { (self.index, self.done, self.total) = (index, done, total) }

  /// This progress with all bytes moved.
  package var completed: FileProgress { FileProgress(index: index, done: total ?? done, total: total) }

  /// - Parameter count: files of the message.
  package func words(of count: Int) -> String {
    "Sending " + (count > 1 ? "file \(index + 1) of \(count): " : "") + amount
  }

  /// `50 % of 976 KiB`, or the bytes that have moved if nobody knows how many there are.
  package var amount: String {
    guard let total, total > 0 else { return ShownAttachment.words(done) }
    return "\(Int(100 * part)) % of \(ShownAttachment.words(total))"
  }

  /// The part of the bytes that has moved; 0 if their number is unknown.
  package var part: Double { total.map { $0 > 0 ? min(1, max(0, Double(done) / Double($0))) : 0 } ?? 0 }
}
