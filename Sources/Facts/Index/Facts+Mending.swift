import Clocks
import Conversations
package import MessageLog
import Records

extension Facts {
  /// From now on the entries of a page that is missing or damaged are found in the log.
  ///
  /// - Parameter index: where the log's durable records are.
  package func mendPages(by index: @escaping () -> LogIndex) {
    pages?.healer = { [unowned self] account, jid, chunk in
      let times = chunk.first.time.milliseconds...max(chunk.first.time, chunk.lastTime).milliseconds
      return Array(find(times, account, jid, in: index()).drop { $0.key < chunk.first }.prefix(Int(chunk.count)))
    }
    pages?.finder = { [unowned self] account, jid in find(.min ... .max, account, jid, in: index()) }
  }

  /// Reads the log as far as it is folded, and folds what makes the entries of some time: slow, and rare.
  private func find(_ times: ClosedRange<Int64>, _ account: UInt32, _ jid: String, in index: LogIndex) -> [Entry] {
    guard let storage = pages?.storage else { return [] }
    let found = Facts(gap: gap)
    var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))
    // A reader of its own: another one may be in the middle of the log.
    try? LogReader(storage: storage).read(&cursor, in: index) { frame in
      guard frame.sequence <= sequence else { return false }
      guard let record = Record(reading: frame) else { return true }
      if case .message(let message) = record {
        guard message.account == account, message.jid == jid, times.contains(message.time) else { return true }
      }
      found.fold(record, sequence: frame.sequence, location: frame.location.packed)
      return true
    }
    guard let timeline = found.existingConversation(account, jid)?.timeline else { return [] }
    return (0..<timeline.count).map { timeline[$0] }
  }
}
