import JSON

/// How far a file of a message of mine has got.
package struct FileProgress: Equatable, Sendable {
  /// From 0.
  let index: Int64
  let done: Int64
  let total: Int64?

  init?(_ object: JSONValue) {
    guard let index = object["index"]?.integer, let done = object["done"]?.integer else { return nil }
    (self.index, self.done, total) = (index, done, object["total"]?.integer)
  }

  /// - Parameter count: files of the message.
  func words(of count: Int) -> String {
    let file = count > 1 ? "file \(index + 1) of \(count): " : ""
    guard let total, total > 0 else { return "Sending \(file)\(Attachment.words(done))" }
    let part = min(1, max(0, Double(done) / Double(total)))
    return "Sending \(file)\(Int(100 * part)) % of \(Attachment.words(total))"
  }
}

extension SocketModel {
  mutating func takeTransfer(_ object: JSONValue, in key: ConversationKey) {
    guard let id = object["id"]?.integer, let transfer = FileProgress(object) else { return }
    windows[key]?.update(UInt64(clamping: id)) { row in
      if row.isMine, row.delivery == .queued { row.progress = transfer }
    }
  }
}
