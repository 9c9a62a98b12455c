import Clocks
import Conversations
package import MessageLog
import Records

extension State {
  /// From now on what should be on a page that is missing or damaged is found in the log.
  ///
  /// - Parameter index: where the log's durable records are.
  package func mendPages(by index: @escaping () -> LogIndex) {
    if let pages { pages.mending = IndexMending(of: self, pages, index) }
  }

  /// The damage that was met since the last call; nil if there was none.
  package func takeIndexDamage() -> IndexDamage? { pages?.damage.take() }
}

/// Damage of the index, for the journal.
package struct IndexDamage: Sendable {
  /// The first page that was damaged, or missing.
  package let page: UInt32
  package var count = 1
  /// The log could not be read to find what the pages said.
  package var error: StorageError?
}

/// Finds in the log, as far as it is applied, what damaged pages of the index should say: slow, and rare.
final class IndexMending {
  private unowned let state: State
  private unowned let pages: IndexPages
  private let index: () -> LogIndex

  init(of state: State, _ pages: IndexPages, _ index: @escaping () -> LogIndex) {
    (self.state, self.pages, self.index) = (state, pages, index)
  }

  /// The entries of a chunk.
  func entries(of chunk: StoredChunk, _ account: UInt32, _ jid: String) -> [Entry] {
    let times = chunk.first.time.milliseconds...max(chunk.first.time, chunk.last.time).milliseconds
    return Array(entries(of: account, jid, times).drop { $0.key < chunk.first }.prefix(Int(chunk.count)))
  }

  /// The entries of a conversation in some time.
  func entries(of account: UInt32, _ jid: String, _ times: ClosedRange<Int64> = .min ... .max) -> [Entry] {
    let found = apply { record in
      guard case .message(let message) = record else { return true }
      return message.account == account && message.jid == jid && times.contains(message.time)
    }
    guard let timeline = found.existingConversation(account, jid)?.timeline else { return [] }
    return (0..<timeline.count).map { timeline[$0] }
  }

  /// The conversations whose keys lie in one of some ranges.
  func conversations(of account: UInt32, _ keys: [ClosedRange<UInt64>]) -> [Conversation] {
    let found = apply { record in
      guard let key = record.conversation.map({ EvictedRecord.key(of: $0, in: pages.log) }) else { return true }
      return keys.contains { $0.contains(key) }
    }
    return found.accounts[account]?.conversations.loaded ?? []
  }

  /// All message ids of an account's records.
  func messageIDs(of account: UInt32) -> [FoundMessageID] {
    var found: [FoundMessageID] = []
    read { frame in
      guard let record = Record(reading: frame), record.accountOfMessageIDs == account else { return }
      let id = frame.sequence
      record.visitMessageIDs { found.append((kind: $0, hash: $1, id: id)) }
    }
    return found
  }

  /// Applies some records of the log.
  private func apply(where isWanted: (Record) -> Bool) -> State {
    let found = State(gap: state.gap)
    read { frame in
      guard let record = Record(reading: frame), isWanted(record) else { return }
      found.apply(record, sequence: frame.sequence, location: frame.location.packed)
    }
    return found
  }

  private func read(_ body: (borrowing LogFrame) -> Void) {
    var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))
    // A reader of its own: another one may be in the middle of the log.
    let reader = LogReader(storage: pages.storage, passesOver: { _ in true })
    do throws(StorageError) {
      try reader.read(&cursor, in: index()) { frame in
        guard frame.sequence <= state.sequence else { return false }
        body(frame)
        return true
      }
    } catch {
      pages.couldNotMend(error)
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
