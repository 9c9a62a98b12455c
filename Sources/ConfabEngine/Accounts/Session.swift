import Clocks
import Facts
import Records
import Settings
import XML
import XMPPCore
import XMPPExtensions
import XMPPStream

/// A stream that is logged in: from bind to its end. What it receives becomes records; what leaves it leaves after the
/// sync that it depends on. `Session+Receiving`, `+Sending` and `+Roster` have the subjects.
final class Session {
  /// The full JID that the server bound; the bare one until it has.
  var own: JID { didSet { knownRecipient = nil } }
  /// The account's own bare JID.
  let ownBare: JID
  let account: AccountFacts
  let effects: Effects
  let storage: Storage
  let records: RecordReader
  let since: Moment
  /// The last record of the time before.
  let began: UInt64
  /// Bytes to be written at the end of this turn.
  var output: [UInt8] = []
  var iqs: PendingIQs
  var management: StreamManagement
  /// XEP-0198: asked for, in force, or not to be had.
  var managementState: ManagementState { didSet { knownRecipient = nil } }
  /// What the log says of it, or will.
  var recorded = Recorded()
  /// Stanzas of the server's that are handled and of which the log does not say so, nor will; a message that is appended
  /// says it of itself, before it is handled.
  var unrecorded = 0
  /// The record that founds the stream, and whether it is durable.
  var foundedBy: UInt64?
  var isFounded = false
  /// It goes on with a stream that was lost.
  let isResumed: Bool
  /// The server keeps the stream for a while when the link is lost.
  var isResumable = false
  /// The server has taken something that was written since the stream went on, or has nothing left to take: it hears us.
  var isHeard = true
  /// How often in a row it resumed the stream and then answered nothing. Such a stream is asked first, before anything
  /// else leaves on it.
  var silences = 0
  /// The newest record with presences.
  var presencesDurableAfter: UInt64 = 0
  /// TLS began with the connection.
  var isDirect = false
  /// What the server asked us.
  var answering = Answering()
  /// What we ask it.
  var asking = Asking()
  /// The place of our presence among the stanzas that we sent.
  var presencePlace: UInt32 = 0
  /// The last message of mine handed to the stream, by the order of the outbox.
  var transmittedUpTo: UInt64 = 0
  /// The last message (in that order) that was appended without a place: it goes out with a transmission record.
  var waitingUpTo: UInt64 = 0
  /// Whether it is known what became of messages that left on an earlier stream.
  var doubts = Doubts.open
  /// The outbox may be sent from.
  var outboxReady = false
  /// Whether the session is about to end: it takes nothing more from the outbox.
  var isEnding = false
  /// Whether the server ended the stream; false if the link was lost.
  var isEndedByServer = false
  /// Nothing leaves before this record is durable: places of messages, or of our presence, are free with it.
  var vacatedAfter: UInt64 = 0
  /// What has its place on the stream and is not written yet.
  var lane = Lane()
  /// The newest record that is durable.
  var durable: UInt64
  /// Messages that were flagged as transmitted when they were appended and are not durable yet.
  var flagged: ArraySlice<UInt64> = []
  /// Messages were written in this turn.
  var hasWrittenMessages = false
  /// Bytes handed to the link since it last reported that all had gone.
  var outstanding = 0
  /// How far messages of mine are.
  let deliveries: Deliveries
  /// Receipts and markers on their way.
  var telling = Telling()
  /// What leaves when a record is durable.
  var held = HeldStanzas()
  /// Whether the parser's budget of names is spent: acknowledge, close, and begin a new stream.
  var mustRenew = false
  /// Contacts whose records are on their way.
  var contactsUnderWay: ContactsUnderWay
  /// The roster that is being received; nil if none is.
  var rosterIntake: RosterIntake?
  /// Why the roster is incomplete, in words; nil if it is complete or has not come yet.
  var rosterTrouble: String?
  /// How much more is kept of what strangers send.
  var strangers: StrangersAllowance
  /// Limits what is stored of each contact's presence.
  var contactPresences = ContactsAllowance()
  /// Who wrote lately.
  var senders = KnownSenders()
  /// What our own server and account can do, as far as they said.
  var features = OwnFeatures() { didSet { knownRecipient = nil } }
  /// Made when the next message comes.
  var knownRecipient: IncomingMessage.Recipient?
  /// As whom, for `status`.
  var signedIn = ""
  /// How far it is with the account's archive, and what the log will say of that.
  var archive = ArchiveProgress() {
    didSet {
      bringsCopies = archive.state != .none
      isAnchored = archive.state == .complete && archive.run == nil
    }
  }
  /// Copies of what is here may come out of the archive. What is asked for each message is beside `archive`: to look into
  /// it is checked for exclusive access.
  private(set) var bringsCopies = true
  /// Nothing more is to be had from it, and the anchor follows what comes.
  private(set) var isAnchored = false
  var archiveUnderWay: ArchiveRecord? { didSet { idsSince = archiveUnderWay?.idsSince ?? 0 } }
  /// See `ArchiveRecord.idsSince`.
  private(set) var idsSince: UInt64
  var settings: AccountSettings
  /// Messages that are no facts yet, as long as copies of them may come.
  var underWay = MessagesUnderWay()
  /// Messages of mine that the archive has shown.
  var arrived: Set<UInt64> = []
  /// Whether a message that the archive lacks is proven lost.
  var testimony: ArchiveTestimony
  /// Until then the server may deliver offline messages, and its stamps are believed; nil before the first `expectDelayed`.
  var handsOverUntil: Instant?
  /// When the last stanza or answer came.
  var lastHeard: Instant

  /// Its first words went out before its resource was bound, and the server has not shown that it took them.
  var isAhead = false
  /// What the server offered, to be remembered once it has taken the session's first words.
  var offer: OfferRecord?

  enum ManagementState { case off, asked, on }

  /// What became of messages that left on an earlier stream.
  enum Doubts: Equatable {
    /// Nobody has told yet.
    case open
    /// Whoever can tell is asked when this record is durable.
    case waiting(after: UInt64)
    /// All is told, and known when this record is durable.
    case settled(after: UInt64)
  }

  /// - Parameter management: of a stream that goes on; nil: one begins.
  init(
    _ ownBare: JID, _ deliveries: Deliveries, _ settings: AccountSettings, resuming management: StreamManagement? = nil,
    _ effects: Effects, _ storage: Storage, _ records: RecordReader
  ) {
    (self.effects, self.storage, self.records) = (effects, storage, records)
    let account = deliveries.account
    durable = storage.queue.durable
    began = storage.queue.last
    idsSince = account.archive?.idsSince ?? 0
    self.management = management ?? StreamManagement()
    self.account = account
    self.deliveries = deliveries
    self.settings = settings
    contactsUnderWay = ContactsUnderWay(of: account)
    testimony = ArchiveTestimony(contacts: account.unacknowledgedContacts)
    strangers = StrangersAllowance(from: effects.now.instant)
    own = ownBare
    self.ownBare = ownBare
    since = effects.now
    lastHeard = effects.now.instant
    iqs = PendingIQs(prefix: effects.token(bytes: 9))
    managementState = management == nil ? .off : .on
    isResumed = management != nil
  }

  /// Announces us as the user wishes to be seen.
  func sendPresence() {
    let presence = Presence(show: Presence.Show(rawValue: account.wish.show), status: account.wish.status)
    let stanza = presence.serialized { EntityCapabilities.own(capabilitiesContext)?.write(into: &$0) }
    presencePlace = management.place &+ 1
    send(stanza, after: foundedBy == nil || !isResumable ? 0 : recordPresencePlace())
  }

  /// Where it stands is durable before it leaves: whoever resumes the stream knows whether it arrived.
  private func recordPresencePlace() -> UInt64 {
    var record = StreamRecord(account: account.record.number)
    record.presencePlace = presencePlace
    // Its place is beyond no ceiling then.
    record.ceiling = presencePlace
    return storage.append(.stream(record))
  }

  /// Announces us anew, and makes sure that it arrives.
  func announce() {
    sendPresence()
    probe()
  }

  /// Bytes that wait for the disk or for the server to take them. Whoever makes us answer faster than that is not read
  /// any further.
  var unsentBytes: Int { outstanding + held.byteCount + lane.otherBytes }

  /// A sync came: what it covers may leave now.
  func synced() {
    durable = storage.queue.durable
    noteFounding()
    while let id = flagged.first, id <= durable { flagged.removeFirst() }
    while let stanza = held.takeFirst(upTo: durable) { send(stanza) }
    if held.takeQuestion() { probe() }
    depart()
    if answering.isOwed, covered != answering.told { answer() }
    contactsUnderWay.durable(durable)
    underWay.durable(durable)
    settleDoubtsInTime()
    pumpOutbox()
  }

  /// The link is lost: no front end will be answered any more.
  func end() {
    for purpose in iqs.takeRosterChanges() { fail(purpose, .disconnected) }
    for jid in presences.jids { effects.notices.append(.presence(account: account.record.number, jid: jid)) }
  }

  /// The server asks how many stanzas are safe here: it is told now, or at the next sync, but within 5 s.
  func answerRequest() {
    answering.asked(until: effects.now.instant.advanced(by: Self.answerPatience))
    if isComplete { answer() }
  }

  /// Says how many stanzas are safe here (XEP-0198, section 4).
  func answer() {
    answering.tell(covered, isAll: isComplete)
    output += StreamManagementWriter.answer(handled: covered)
  }

  /// The last words of an orderly end: what is synced is acknowledged, then the stream is closed, or left to be resumed.
  func close(leaving: Bool) {
    if managementState == .on { answer() }
    if !leaving { output += Array("</stream:stream>".utf8) }
  }

  /// Writes a line that others can cause as often as they like.
  func journal(
    _ level: LogLevel, _ topic: JournalGate.Topic, _ line: String, jid: String? = nil,
    stanzaID: String? = nil
  ) {
    effects.journal(level, topic, of: account.record, line, about: JournalFields(jid: jid, stanzaID: stanzaID))
  }

  func fail(_ purpose: PendingIQs.Purpose, _ outcome: TicketOutcome) {
    // Who leaves the roster's request alone for so long does it for another reason.
    if case .roster = purpose {
      isAhead = false
      pumpOutbox()
    }
    if case .features(let subject) = purpose, case .timedOut = outcome { receiveFeatures(of: subject, nil) }
    if case .archive = purpose, case .timedOut = outcome { archiveIsSilent() }
    if case .archivePreferences = purpose, case .timedOut = outcome { receivePreferences(nil) }
    if case .rosterChange(let ticket, _) = purpose { effects.outcomes.append((ticket, outcome)) }
  }
}
