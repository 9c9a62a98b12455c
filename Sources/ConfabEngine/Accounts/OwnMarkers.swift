import Clocks
import Conversations
import Records
import State
import XMPPCore

/// Takes markers of my other devices (XEP-0333): what I have read there is read here. A marker whose message is not
/// durable yet waits for it.
final class OwnMarkers: StreamPart {
  /// A message that another device has displayed.
  private struct Marker {
    let stanzaID: String
    /// The bare JID of who wrote it.
    let jid: String
    /// When the marker was sent, if it came out of the archive.
    let time: Timestamp?
    /// The last record before it.
    let behind: UInt64
  }

  /// Markers that wait.
  private static let mostWaiting = 1_000
  /// Messages that are looked at for one marker, and those of them that are read.
  private static let mostMarked = 1_000
  private static let mostRead = 200

  private let state: AccountState
  private let storage: Storage
  private let records: RecordReader
  private var waiting: [Marker] = []

  init(_ state: AccountState, _ storage: Storage, _ records: RecordReader) {
    (self.state, self.storage, self.records) = (state, storage, records)
  }

  /// I have read a message of somebody's, and all before it.
  func receive(_ stanzaID: String, to: JID?, archivedAt time: Timestamp?) {
    guard let jid = to?.bare.description, jid != state.record.jid else { return }
    let marker = Marker(stanzaID: stanzaID, jid: jid, time: time, behind: storage.queue.last)
    if !apply(marker), marker.behind > storage.queue.durable, waiting.count < Self.mostWaiting {
      waiting.append(marker)
    }
  }

  func synced() {
    let durable = waiting.prefix { $0.behind <= storage.queue.durable }
    waiting.removeFirst(durable.count)
    for marker in durable { _ = apply(marker) }
  }

  /// False if there is no such unread message.
  private func apply(_ marker: Marker) -> Bool {
    guard let conversation = state.conversations[marker.jid], let place = place(of: marker.stanzaID, in: conversation)
    else { return false }
    ReadElsewhere(state: state, storage: storage).move(conversation, to: place, at: marker.time, isToPublish: true)
    return true
  }

  /// The position of an unread message of others with this stanza id.
  private func place(of id: String, in conversation: Conversation) -> Entry.Key? {
    let timeline = conversation.timeline
    var (row, reads) = (timeline.count, 0)
    let first = max(0, row - Self.mostMarked)
    while row > first, reads < Self.mostRead {
      row -= 1
      let entry = timeline[row]
      guard conversation.isUnread(entry) else { return nil }
      guard !entry.flags.contains(.mine) else { continue }
      reads += 1
      if records.message(entry)?.stanzaID == id { return entry.key }
    }
    return nil
  }
}
