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
  var own: JID
  /// The account's own bare JID.
  let ownBare: JID
  let account: AccountFacts
  let since: Moment
  /// Bytes to be written at the end of this turn.
  var output: [UInt8] = []
  var iqs: PendingIQs
  var management = StreamManagement()
  /// XEP-0198: asked for, in force, or not to be had.
  var managementState: ManagementState
  var coverage = Coverage()
  /// The server asked how far we are (`<r/>`) and has not been told it all: it is at each sync.
  var owesAnswer = false
  /// Until then it is told at least the old count.
  var answerDue: Instant?
  /// We asked (`<r/>`) and wait: silence until this time means a dead link.
  var requestDue: Instant?
  /// Until then at most, though other things come.
  var requestLimit: Instant?
  /// Something was sent since, and its arrival is to be asked for as well.
  var asksAgain = false
  /// What is held until a record is durable is somebody's request: its arrival is asked for.
  var asksAboutHeld = false
  /// An `<r/>` is to go out at the end of this turn.
  var needsRequest = false
  /// What had been sent when the last `<r/>` went out.
  var requestedUpTo: UInt32 = 0
  /// When to ask again a server that was not as far.
  var requestAgainDue: Instant?
  /// A ping behind this message is to go out at the end of a turn; one at a time is under way.
  var needsPing: UInt64?
  var pingUnderWay = false
  /// Our presence was sent on this stream.
  var isAnnounced = false
  /// The last message of mine handed to the stream.
  var transmittedUpTo: UInt64 = 0
  /// The outbox may be sent from once the log is durable up to `outboxReadyAfter`.
  var outboxReady = false
  var outboxReadyAfter: UInt64 = .max
  /// Messages of a transmission record that is not durable yet.
  var transmissionsPending: [UInt64] = []
  /// Messages that may leave and wait for the link to take what it has, in their order.
  var ready: ArraySlice<UInt64> = []
  /// Bytes handed to the link since it last reported that all had gone.
  var outstanding = 0
  /// Messages that were flagged as transmitted when they were appended and are not durable yet.
  var flaggedPending: Set<UInt64> = []
  /// Messages that failed, or came back to me, while this stream lived: their acknowledgement changes nothing any more.
  var settled: Set<UInt64> = []
  /// Bytes that leave when a record is durable, oldest first, and how many they are.
  private var held: ArraySlice<(sequence: UInt64, bytes: [UInt8])> = []
  private var heldBytes = 0
  /// The parser's budget of names is spent: acknowledge, close, and begin a new stream (DESIGN 3.7).
  var mustRenew = false
  /// Contacts as they will be when the records on their way are durable, and the newest of these.
  var contactsUnderWay: [String: ContactRecord] = [:]
  var contactsDurableAfter: UInt64 = 0
  /// What all contacts take, those whose records are on their way included.
  var rosterBytes: Int
  /// How much more is kept of what strangers send without a text.
  var strangersPayloads: Allowance
  /// Who wrote lately.
  var senders = KnownSenders()
  /// Who is there: bare JID, then resource.
  var presences = PresenceBook()
  /// Requests for our presence that waited at the login or came since.
  var requests: Int
  /// What our own server and account can do, as far as they said.
  var features = OwnFeatures()
  /// As whom, for `status`.
  var signedIn = ""
  /// How far it is with the account's archive, and what the log will say of that.
  var archive = ArchiveProgress()
  var archiveUnderWay: ArchiveRecord?
  /// How much of an archive is fetched the first time.
  let firstSync: ArchiveSpan
  /// Messages that are no facts yet, as long as copies of them may come.
  var underWay = MessagesUnderWay()
  /// Messages of mine that the archive has shown.
  var arrived: Set<UInt64> = []
  /// Messages without an id of the archive, and the one under which the archive told of them.
  var claimed: [UInt64: String] = [:]
  /// When the last stanza or answer came.
  var lastHeard: Instant

  /// Its first words went out before its resource was bound, and the server has not shown that it took them.
  var isAhead = false
  /// What the server offered, to be remembered once it has taken the session's first words.
  var offer: OfferRecord?

  enum ManagementState { case off, asked, on }

  init(_ ownBare: JID, account: AccountFacts, firstSync: ArchiveSpan, turn: Turn) {
    self.account = account
    self.firstSync = firstSync
    requests = account.contacts.values.count(where: \.request)
    rosterBytes = account.contacts.values.reduce(0) { $0 + $1.footprint }
    strangersPayloads = Allowance(of: 1 << 20, each: .hours(1), from: turn.now.instant)
    own = ownBare
    self.ownBare = ownBare
    since = turn.now
    lastHeard = turn.now.instant
    iqs = PendingIQs(prefix: turn.token(bytes: 9))
    managementState = .off
  }

  /// Announces us as the user wishes to be seen.
  func sendPresence() {
    isAnnounced = true
    let presence = Presence(show: Presence.Show(rawValue: account.wish.show), status: account.wish.status)
    send(presence.serialized { EntityCapabilities.own(capabilitiesContext)?.write(into: &$0) })
  }

  /// Announces us anew, and makes sure that it arrives.
  func announce(_ turn: Turn) {
    sendPresence()
    probe(turn)
  }

  /// Puts a stanza that is no message on the wire, counted.
  func send(_ stanza: [UInt8]) {
    output += stanza
    if managementState != .off { management.sent(tag: 0) }
  }

  /// Puts a stanza on the wire once a record is durable.
  func hold(_ bytes: [UInt8], until sequence: UInt64) {
    held.append((sequence, bytes))
    heldBytes += bytes.count
  }

  /// Bytes that wait for the disk or for the server to take them. Whoever makes us answer faster than that is not read
  /// any further.
  var unsentBytes: Int { outstanding + heldBytes }

  /// A sync came: what it covers may leave now.
  func durable(_ turn: Turn) {
    let durable = turn.ledger.durable
    while let first = held.first, first.sequence <= durable {
      held.removeFirst()
      heldBytes -= first.bytes.count
      send(first.bytes)
    }
    if held.isEmpty, asksAboutHeld {
      asksAboutHeld = false
      probe(turn)
    }
    if coverage.durable(durable), owesAnswer { answer() }
    if contactsDurableAfter <= durable { contactsUnderWay = [:] }
    underWay.durable(durable)
    pumpOutbox(turn)
  }

  /// The stream is over: nobody will be answered any more.
  func end(_ turn: Turn) {
    for purpose in iqs.takeAll() { fail(purpose, .disconnected, turn) }
    for jid in presences.jids { turn.notices.append(.presence(account: account.record.number, jid: jid)) }
    presences = PresenceBook()
  }

  /// The server asks how many stanzas are safe here: it is told now, or at the next sync, but within 5 s.
  func answerRequest(_ turn: Turn) {
    owesAnswer = true
    if coverage.isComplete { return answer() }
    answerDue = answerDue ?? turn.now.instant.advanced(by: Self.answerPatience)
  }

  /// Says how many stanzas are safe here (XEP-0198, section 4).
  func answer() {
    answerDue = nil
    if coverage.isComplete { owesAnswer = false }
    output += StreamManagementWriter.answer(handled: coverage.covered)
  }

  /// The last words of an orderly end: what is synced is acknowledged, then the stream is closed.
  func close() {
    if managementState == .on { answer() }
    output += Array("</stream:stream>".utf8)
  }

  /// Writes a line that others can cause as often as they like.
  func journal(_ level: LogLevel, _ topic: JournalGate.Topic, _ line: String, _ turn: Turn) {
    turn.journal(level, topic, of: account.record, line)
  }

  func fail(_ purpose: PendingIQs.Purpose, _ outcome: TicketOutcome, _ turn: Turn) {
    // Who leaves the roster's request alone for so long does it for another reason.
    if case .roster = purpose { isAhead = false }
    if case .features(let subject) = purpose, case .timedOut = outcome { receiveFeatures(of: subject, nil, turn) }
    if case .archive = purpose, case .timedOut = outcome { fail(archive: "the archive does not answer", turn) }
    if case .rosterChange(let ticket, _) = purpose { turn.outcomes.append((ticket, outcome)) }
  }
}
