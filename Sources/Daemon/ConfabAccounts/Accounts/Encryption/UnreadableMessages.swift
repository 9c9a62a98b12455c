import Records
import State
import Timelines

/// Messages that could not be read without a session. They are tried again where one began behind them, or came before
/// them out of the archive, where it is known by now who wrote them, and once after a start, for an earlier process that
/// had no time to.
final class UnreadableMessages {
  private struct Entry {
    let id: UInt64
    let conversation: String
    /// The author; nil: a room did not show it.
    let sender: String?
    /// The number of the author's device.
    let device: UInt32
  }

  private static let most = 500
  /// Conversations, and messages of each, among which those of an earlier process are looked for.
  private static let mostConversations = 50
  private static let mostLookedAt = 30

  private let state: AccountState
  private let records: RecordReader
  private let opener: MessageOpener
  private let devices: KnownDevices
  private let policies: EncryptionPolicies
  private var entries: [Entry] = []
  /// True once those were looked for that an earlier process left.
  private var hasLooked = false
  /// Tries a message again; false: it is still unreadable.
  var reopen: (UInt64) -> Bool = { _ in false }

  init(
    _ state: AccountState, _ records: RecordReader, _ opener: MessageOpener, _ devices: KnownDevices,
    _ policies: EncryptionPolicies
  ) {
    (self.state, self.records, self.opener, self.devices, self.policies) = (state, records, opener, devices, policies)
  }

  /// A message was stored that needs a session.
  func kept(_ id: UInt64, in conversation: String, _ seal: MessageSeal, from sender: String?) {
    guard entries.count < Self.most else { return }
    entries.append(Entry(id: id, conversation: conversation, sender: sender, device: seal.device))
  }

  /// Somebody lists other devices, perhaps that of a message here; true if one may be readable by that.
  func listChanged(of jid: String) -> Bool {
    let isOfOne = entries.contains { entry in
      entry.sender.map { $0 == jid } ?? (devices.device(entry.device, of: jid) != nil)
    }
    if isOfOne { opener.mayBeReadable.insert(jid) }
    return isOfOne
  }

  /// The rooms in which it is not known who wrote one of them.
  var roomsWithoutAuthors: Set<String> { Set(entries.filter { $0.sender == nil }.map(\.conversation)) }

  /// Tries those that may be readable. True: it tried all of them, as it does once.
  ///
  /// - Parameters:
  ///   - isStart: it may be looked for those that an earlier process left, unless that was done.
  ///   - leave: gives up what a try has changed that failed.
  func tryAgain(isStart: Bool, leave: () -> Void) -> Bool {
    let isFirst = isStart && !hasLooked
    if isFirst { lookForEarlier() }
    guard isFirst || !opener.mayBeReadable.isEmpty else { return false }
    let people = opener.mayBeReadable
    (opener.mayBeReadable, opener.isReopening) = ([], true)
    entries.removeAll { entry in
      guard isFirst || entry.sender.map(people.contains) ?? true else { return false }
      let isReadable = reopen(entry.id)
      if !isReadable { leave() }
      return isReadable
    }
    opener.isReopening = false
    return isFirst
  }

  /// Finds the messages that could not be read when an earlier process took them: the newest ones, of the conversations
  /// that were active last among those in which messages are encrypted.
  private func lookForEarlier() {
    hasLooked = true
    let known = Set(entries.map(\.id))
    let rooms = state.rooms.byJID.keys.filter { policies.isPrivateRoom($0) == true }
    let encrypted = Set(state.encryption.values.filter(\.isEncrypted).map(\.jid) + rooms)
    let conversations = encrypted.sorted().compactMap { state.conversations[$0] }
    let active = conversations.sorted { ($0.newest?.id ?? 0) > ($1.newest?.id ?? 0) }.prefix(Self.mostConversations)
    for timeline in active.map(\.timeline) {
      for row in max(0, timeline.count - Self.mostLookedAt)..<timeline.count where !known.contains(timeline[row].id) {
        guard entries.count < Self.most, !timeline[row].flags.contains(.changed) else { continue }
        guard let message = records.message(timeline[row].id), let seal = message.details?.seal,
          seal.unreadable == .noSession
        else { continue }
        let author = message.isMine ? state.record.jid : message.jid
        kept(timeline[row].id, in: message.jid, seal, from: message.isOfRoom ? nil : author)
      }
    }
  }
}
