import JSON

/// How far a file of a message has got, on its way to its server or from there.
package struct FileProgress: Equatable, Sendable {
  /// From 0.
  let index: Int64
  let done: Int64
  let total: Int64?

  init?(_ object: JSONValue) {
    guard let index = object["index"]?.integer, let done = object["done"]?.integer else { return nil }
    (self.index, self.done, total) = (index, done, object["total"]?.integer)
  }

  private init(index: Int64, done: Int64, total: Int64?) { (self.index, self.done, self.total) = (index, done, total) }

  /// This progress with all bytes moved.
  var completed: FileProgress { FileProgress(index: index, done: total ?? done, total: total) }

  /// - Parameter count: files of the message.
  func words(of count: Int) -> String {
    "Sending " + (count > 1 ? "file \(index + 1) of \(count): " : "") + amount
  }

  /// `50 % of 976 KiB`, or the bytes that have moved if nobody knows how many there are.
  var amount: String {
    guard let total, total > 0 else { return ShownAttachment.words(done) }
    let part = min(1, max(0, Double(done) / Double(total)))
    return "\(Int(100 * part)) % of \(ShownAttachment.words(total))"
  }
}

extension SocketModel {
  mutating func takeTransfer(_ object: JSONValue, in key: ConversationKey) {
    guard let id = object["id"]?.integer, let transfer = FileProgress(object) else { return }
    guard !fetches.take(transfer, of: UInt64(clamping: id)) else { return }
    windows[key]?.update(UInt64(clamping: id)) { row in
      if row.isMine, row.delivery == .queued { row.progress = transfer }
    }
  }
}
