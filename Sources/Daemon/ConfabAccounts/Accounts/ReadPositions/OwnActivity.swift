import Clocks
import Timelines
import Records
import State
import XMPPStream

/// Takes what I do on another device for reading: a message of mine from there, or a chat state `active` (XEP-0085),
/// moves the read position up to there. Records of one batch of the log share one move for each conversation.
final class OwnActivity: StreamPart {
  /// My last message from another device in a conversation.
  private struct Written {
    let message: Entry.Place
    /// It may have been written long ago.
    let isOld: Bool
  }

  /// Conversations in which I am active, until all before that is durable.
  private static let mostActive = 1_000

  private let state: AccountState
  private let storage: Storage
  private let archive: Archive
  private var written: [String: Written] = [:]
  /// The last record before I was active, by the conversation's bare JID.
  private var active: [String: UInt64] = [:]

  init(_ state: AccountState, _ storage: Storage, _ archive: Archive) {
    (self.state, self.storage, self.archive) = (state, storage, archive)
  }

  /// A message of mine from another device was appended.
  func wrote(_ message: MessageRecord, _ id: UInt64) {
    guard message.isMine, !message.isFromHere, message.jid != state.record.jid, mayBeUnread(message.jid, before: id)
    else { return }
    written[message.jid] = Written(
      message: Entry.Place(time: Timestamp(milliseconds: message.time), id: id),
      isOld: message.archived || message.delayed)
  }

  /// False if all before a message is known to be read: nothing waits for the disk, and none comes from the archive.
  private func mayBeUnread(_ jid: String, before id: UInt64) -> Bool {
    guard archive.run == nil, storage.queue.durable + 1 >= id else { return true }
    return state.conversations[jid].map { $0.unread > 0 } ?? false
  }

  /// Another device shows a conversation to me.
  func isActive(in jid: String) {
    guard jid != state.record.jid, active[jid] != nil || active.count < Self.mostActive else { return }
    active[jid] = storage.queue.last
    synced()
  }

  func synced() {
    guard !active.isEmpty else { return }
    let durable = active.filter { $0.value <= storage.queue.durable }.sorted { $0.key < $1.key }
    for (jid, last) in durable {
      active[jid] = nil
      let unread = state.conversations[jid]?.unreadEntries.filter { $0.id <= last } ?? []
      guard let message = unread.max(by: { $0.id < $1.id }) else { continue }
      mover.move(jid, to: message.place, at: nil, isToPublish: true)
    }
  }

  func recordDone() {
    guard !written.isEmpty else { return }
    // A full disk may have taken back what was appended.
    for (jid, entry) in written.sorted(by: { $0.key < $1.key }) where entry.message.id <= storage.queue.last {
      mover.move(jid, to: entry.message, at: entry.isOld ? entry.message.time : nil, isToPublish: !entry.isOld)
    }
    written = [:]
  }

  func linkLost() { active = [:] }

  func streamBegins(_: NegotiatedStream) { written = [:] }

  private var mover: ReadPositionMove { ReadPositionMove(state: state, storage: storage) }
}
