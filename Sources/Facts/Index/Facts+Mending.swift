import Clocks
import Conversations
package import MessageLog
import Records

extension Facts {
  /// From now on what should be on a page that is missing or damaged is found in the log.
  ///
  /// - Parameter index: where the log's durable records are.
  package func mendPages(by index: @escaping () -> LogIndex) {
    pages?.healer = { [unowned self] account, jid, chunk in
      let times = chunk.first.time.milliseconds...max(chunk.first.time, chunk.last.time).milliseconds
      return Array(find(times, account, jid, in: index()).drop { $0.key < chunk.first }.prefix(Int(chunk.count)))
    }
    pages?.finder = { [unowned self] account, jid in find(.min ... .max, account, jid, in: index()) }
    pages?.tokenFinder = { [unowned self] account, ids in findTokens(account, ids, in: index()) }
    pages?.sleeperFinder = { [unowned self] account, keys in find(keys, account, in: index()) }
  }

  /// The entries of some time.
  private func find(_ times: ClosedRange<Int64>, _ account: UInt32, _ jid: String, in index: LogIndex) -> [Entry] {
    let found = fold(index) { record in
      guard case .message(let message) = record else { return true }
      return message.account == account && message.jid == jid && times.contains(message.time)
    }
    guard let timeline = found.existingConversation(account, jid)?.timeline else { return [] }
    return (0..<timeline.count).map { timeline[$0] }
  }

  /// The conversations whose keys lie in a range.
  private func find(_ keys: ClosedRange<UInt64>, _ account: UInt32, in index: LogIndex) -> [Conversation] {
    guard let log = pages?.log else { return [] }
    let found = fold(index) { $0.conversation.map { keys.contains(SleepingRecord.key(of: $0, in: log)) } ?? true }
    return found.accounts[account]?.conversations.awake ?? []
  }

  /// The tokens of an account's records between two.
  private func findTokens(_ account: UInt32, _ ids: ClosedRange<UInt64>, in index: LogIndex) -> [FoundToken] {
    var found: [FoundToken] = []
    read(index) { frame in
      guard ids.contains(frame.sequence), let record = Record(reading: frame), record.tokenAccount == account else {
        return
      }
      let id = frame.sequence
      record.visitTokens { found.append((kind: $0, hash: $1, id: id)) }
    }
    return found
  }

  /// Folds what is wanted of the log.
  private func fold(_ index: LogIndex, where isWanted: (Record) -> Bool) -> Facts {
    let found = Facts(gap: gap)
    read(index) { frame in
      guard let record = Record(reading: frame), isWanted(record) else { return }
      found.fold(record, sequence: frame.sequence, location: frame.location.packed)
    }
    return found
  }

  /// Reads the log as far as it is folded: slow, and rare.
  private func read(_ index: LogIndex, _ body: (borrowing LogFrame) -> Void) {
    guard let storage = pages?.storage else { return }
    var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))
    // A reader of its own: another one may be in the middle of the log.
    try? LogReader(storage: storage, passesOver: { _ in true }).read(&cursor, in: index) { frame in
      guard frame.sequence <= sequence else { return false }
      body(frame)
      return true
    }
  }
}

extension Record {
  /// The bare JID of the conversation that it changes; nil where it changes none.
  fileprivate var conversation: String? {
    switch self {
    case .message(let message): message.jid
    // One that does not say it is about a message in the outbox, or about none of those that are looked for.
    case .delivery(let delivery): delivery.jid.isEmpty ? nil : delivery.jid
    case .read(let read): read.jid
    case .draft(let draft): draft.jid
    default: nil
    }
  }
}
