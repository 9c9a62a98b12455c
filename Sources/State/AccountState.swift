package import Clocks
package import Records

/// What the log says of one account. Confined to the engine's thread.
package final class AccountState {
  /// In each of its records; no other account gets it.
  package let number: UInt32
  /// Whose it is; name and JID are empty as long as nobody knows.
  package internal(set) var record: AccountRecord
  package var wish: AccountWish
  /// The last login, which no later one may be weaker than; nil: there was none, or it is forgotten.
  package var login: LoginRecord?
  /// Roster items and those who ask for our presence, by bare JID.
  package private(set) var contacts: [String: ContactRecord] = [:]
  /// The avatars of contacts and of the account itself, as far as they are known, by bare JID.
  package private(set) var avatars: [String: AvatarRecord] = [:]
  /// Nicknames of those, and of the account itself (XEP-0172), by bare JID.
  package private(set) var nicknames: [String: String] = [:]
  /// The roster's version as of which `contacts` is complete; nil: it was never fetched whole.
  package var rosterVersion: String?
  /// What the server offered at the last login; nil: there was none.
  package var lastOffer: OfferRecord?
  /// The stream that can be resumed, or lives; nil: there is none, or it is over.
  package var stream: StreamState?
  /// When a session took live messages last: what the server stored for us since then is not older.
  package internal(set) var lastLive: Timestamp?
  /// Who is there, as of that stream.
  package var presences = PresenceBook()
  package let conversations: ConversationTable
  package var outbox = Outbox()
  /// Where files of messages that wait for others are, by message and place.
  package internal(set) var uploads: [UInt64: [UInt32: String]] = [:]
  /// Hosts that slots of the account's upload service have named, the newest last.
  package internal(set) var uploadHosts: [String] = []
  /// By what messages are found again: ids that somebody gave them, and idempotency keys.
  package let messageIDs: MessageIDIndex
  /// What changes messages that are not here.
  package internal(set) var waiting = WaitingChanges()
  /// How far our archive is here; nil: it was never asked.
  package var archive: ArchiveRecord?
  /// What is hidden of conversations, by bare JID.
  package internal(set) var forgotten: [String: Forgotten] = [:]

  /// With whom messages of mine are in the log and not forgotten, by bare JID.
  package internal(set) var writtenTo: Set<String> = []

  /// What the user has set of conversations.
  package let settings = ConversationSettings()

  /// Something is hidden of some conversation.
  package var hidesAnything: Bool { !forgotten.isEmpty }

  /// When nothing could be taken from the server last, where it may have kept less than it should have; nil: nothing is
  /// missing.
  package internal(set) var gap: GapRecord?
  /// What senders of messages are to be told.
  package var pendingReceipts = PendingReceipts()
  /// Read positions that our other devices are to hear of (XEP-0490).
  package internal(set) var unpublishedReads = PendingReceipts()
  package private(set) var failures: [UInt64: Failure] = [:]
  /// Stanzas skipped because they were over the limits.
  package var refused: UInt64 = 0

  /// Of an account of which nothing is known, and no conversation of which is evicted.
  package convenience init(_ record: AccountRecord) { self.init(record, pages: nil, gap: .hours(24)) }

  init(_ record: AccountRecord, pages: IndexPages?, gap: Interval) {
    (number, self.record) = (record.number, record)
    conversations = ConversationTable(
      pages.map { EvictedConversations(in: $0, gap: gap) })
    messageIDs = MessageIDIndex(in: pages)
    wish = AccountWish(account: number)
  }

  /// The messages that may have this idempotency key, the newest first; only its hash is stored.
  package func key(_ key: String, of socket: String?) -> [UInt64] {
    messageIDs.ids(.key, Self.hash(ofKey: key, of: socket))
  }

  func setContact(_ contact: ContactRecord) {
    contacts[contact.jid] = contact.isGone ? nil : contact
    guard contact.isGone else { return }
    nicknames[contact.jid] = nil
    if contact.jid != record.jid { avatars[contact.jid] = nil }
  }

  func apply(_ host: UploadHostRecord) {
    uploadHosts.removeAll { $0 == host.host }
    uploadHosts.append(host.host)
    if uploadHosts.count > Self.mostUploadHosts { uploadHosts.removeFirst() }
  }

  private static let mostUploadHosts = 64

  /// Of people who are on the roster no more nothing is kept.
  func setAvatar(_ avatar: AvatarRecord) {
    if contacts[avatar.jid] != nil || avatar.jid == record.jid { avatars[avatar.jid] = avatar }
  }

  func apply(_ nickname: NicknameRecord) {
    noteTraces(of: nickname.jid)
    guard contacts[nickname.jid] != nil || nickname.jid == record.jid else { return }
    nicknames[nickname.jid] = nickname.nickname
  }

  /// Whether somebody is no stranger: on the roster, with any subscription, or written to, or myself.
  package func knows(_ jid: String) -> Bool {
    contacts[jid]?.subscription != nil || writtenTo.contains(jid) || jid == record.jid
  }

  /// The bare JIDs of whom it knows, in no order that means anything.
  package var knownJIDs: Set<String> {
    var jids = writtenTo
    for contact in contacts.values where contact.subscription != nil { jids.insert(contact.jid) }
    return jids.union([record.jid])
  }

  func setFailure(_ failure: Failure?, of id: UInt64) { failures[id] = failure }

  /// The conversation with a bare JID, made where there is none yet.
  func conversation(with jid: String, gap: Interval) -> Conversation {
    if let known = conversations[jid] { return known }
    let made = Conversation(account: number, jid: jid, gap: gap)
    conversations.append(made)
    return made
  }
}
