import Clocks
import Timelines
import Records
import State

/// The messages of an account by their ids in its archive, and those ids by messages.
struct ArchivedMessages {
  /// Messages that are looked at for one publication, and those of them that are read.
  private static let mostRows = 1_000
  private static let mostRead = 50

  let state: AccountState
  let records: RecordReader
  let archive: Archive

  /// The message with this id in our archive. The id of a change gives the last message before the change.
  func message(of id: String, in conversation: Conversation) -> Entry? {
    let timeline = conversation.timeline
    let since = idsSince(in: conversation.jid)
    for number in state.messageIDs.ids(.archiveID, MessageIDHash.of(id)) where number >= since {
      guard let (found, message) = message(number, id), message.jid == conversation.jid else { continue }
      if let change = message.details?.change {
        let row = timeline.firstRow(notBefore: Timestamp(milliseconds: change.time + 1)) - 1
        return row < 0 ? nil : timeline[row]
      }
      if let row = timeline.row(ofTime: Timestamp(milliseconds: message.time), id: found) {
        return timeline[row]
      }
    }
    return nil
  }

  private func message(_ number: UInt64, _ archiveID: String) -> (UInt64, MessageRecord)? {
    switch records.record(number) {
    case .message(let message) where message.archiveID == archiveID: (number, message)
    case .change(let message) where message.details?.change?.archiveID == archiveID: (number, message)
    case .archiveID(let named) where named.archiveID == archiveID:
      records.message(named.message).map { (named.message, $0) }
    default: nil
    }
  }

  /// The id in our archive of the newest message of others that was displayed.
  func newestDisplayed(in conversation: Conversation) -> String? {
    let timeline = conversation.timeline
    let furthest = conversation.furthestRead
    let last = max(0, timeline.count - Self.mostRows)
    var (row, reads) = (timeline.count - 1, 0)
    while row >= last, reads < Self.mostRead {
      let entry = timeline[row]
      row -= 1
      guard entry.id <= furthest, !entry.flags.contains(.mine) else { continue }
      reads += 1
      if let id = archiveIDs(of: entry.id, since: idsSince(in: conversation.jid)).last { return id }
    }
    return nil
  }

  /// The ids of a message in the archive, the newest last: one that left in several stanzas has as many.
  func archiveIDs(of message: UInt64) -> [String] { archiveIDs(of: message, since: archive.idsSince) }

  private func archiveIDs(of message: UInt64, since: UInt64) -> [String] {
    let own = message >= since ? records.message(message)?.archiveID : nil
    let named = state.messageIDs.ids(.archiveID, ArchiveIDRecord.hash(ofMessage: message)).filter { $0 >= since }
    return (own.map { [$0] } ?? [])
      + named.sorted().compactMap { number in
        guard case .archiveID(let named)? = records.record(number), named.message == message else { return nil }
        return named.archiveID
      }
  }

  /// Records before this one may have ids that the archive of the conversation has given anew.
  private func idsSince(in conversation: String) -> UInt64 {
    state.rooms[conversation] == nil ? archive.idsSince : state.archive(of: conversation)?.idsSince ?? 0
  }
}
