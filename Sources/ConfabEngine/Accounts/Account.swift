import Clocks
import Facts
import Names
import Records
import Settings
import XML
import XMPPCore
import XMPPStream

/// The life of one account: look up, connect, log in, stay, wait, try again. A state machine: events come in by its
/// methods, what it wants goes into the effects. `Account+Connecting` and `Account+Ending` have the ways in and out.
final class Account {
  /// Where it is in its life; each case has what exists only then.
  enum Phase {
    /// Not connected, and not to be until told so.
    case idle
    /// The next try is due at this time.
    case waiting(until: Instant)
    case resolving
    case connecting(ConnectionPlan, ConnectionPlan.Candidate)
    /// TLS of direct TLS, or negotiation.
    case negotiating(Negotiator, ConnectionPlan, ConnectionPlan.Candidate)
    case online(Session)
    /// Closed by us; the other side has a moment to close too.
    case closing
  }

  /// How long each step towards a session may take.
  static let stepPatience = Interval.seconds(30)
  /// How long the password's key may take: longer than a password command does.
  static let keyPatience = Interval.seconds(90)
  /// How long connecting may take; a proxy has to find and reach the server in it.
  var connectPatience: Interval { settings.proxy == nil ? Self.stepPatience : .seconds(90) }
  /// A password that has worked is tried again after a random pause between half of this and all of it.
  static let refusalPause = Interval.hours(4)
  /// How long the server may take to close its side.
  static let closePatience = Interval.seconds(2)
  /// The same, if another login follows. ejabberd reads some thousand bytes a second: it can take seconds until it reads
  /// the end of the stream. Until then the earlier session gets the messages, and the archive has them only later, under
  /// earlier ids.
  static let relayPatience = Interval.seconds(15)

  var settings: AccountSettings
  /// The bare JID.
  let jid: JID
  /// The JID's domain as DNS and certificates have it.
  let serverName: Result<String, DomainNameError>
  let facts: AccountFacts
  let effects: Effects
  let storage: Storage
  let records: RecordReader
  let deliveries: Deliveries
  /// When messages of the outbox expire, or are kept back no longer.
  var outboxDeadlines = Deadlines<UInt64>()
  var phase = Phase.idle {
    didSet { if case .online(let session) = phase { self.session = session } else { session = nil } }
  }
  /// The session of `phase`, which is looked at for each stanza.
  private(set) var session: Session?
  var status: AccountStatus
  var link: LinkID?
  var parser = StreamParser()
  var backoff = Backoff()
  /// The next handshake may resume the last one's session: the login that followed it went through. After anything
  /// else the server shows its certificate again.
  var resumesTLS = false
  /// How many tries changes of the network may bring forward: ten, which grow back one in half a minute.
  var haste: Allowance
  /// The network changed since the present try began.
  var networkHasChanged = false
  /// The present pause is the server's wish, whatever the network does.
  var isPauseAskedFor = false
  /// When the present step has taken too long.
  var stepDeadline: Instant?
  /// The session whose first words are written, though its resource is not bound yet.
  var greeted: Session?
  /// The present try never goes ahead of the server: the one before did, and failed.
  var isCautious = false
  /// The resource that is this account's: configured, or a stable one.
  var ownResource: String
  /// The resource to bind: its own, unless somebody else has that.
  var resource: String
  /// Conflicts over the resource, each less than an hour after the last one.
  var conflicts = 0
  /// Where the present link leads.
  var place: ConnectionPlan.Candidate?
  /// The server of the present link has proved who it is.
  var isSecured = false
  /// How often servers have sent us elsewhere since the plan was made.
  var redirects = 0
  /// Whether the server has accepted the present password.
  var hasSignedIn = false
  /// What the journal was told of.
  var complaints = Complaints()
  /// Items of the bytes being handled stand behind the present one.
  var hasMoreItems = false
  /// The last stream, and what is known of it beyond the log.
  var suspension: Suspension
  /// It is over, and the log may not say so yet.
  var isStreamOver = false
  /// The next try waits for the disk.
  var waitsForLog = false
  /// The session is left to be resumed, and not closed.
  var isLeaving = false
  /// The progress of the session's orderly end; nil while the session is not ending.
  var closing: Closing?
  /// Whether the close waits for the server's acknowledgement.
  var awaitsLastWord = false
  /// Bytes received that may not be synced yet.
  var unsynced = UnsyncedBytes()
  /// Since when nothing could be taken from the server, where the log does not say so yet; and its last record of that.
  var unnotedGap: Timestamp?
  var gapNoted: UInt64 = 0
  /// Reading from the link is paused, because the disk does not keep up.
  var isPaused = false

  var number: UInt32 { facts.record.number }
  var name: String { settings.name }

  init(
    settings: AccountSettings, jid: JID, facts: AccountFacts, resource: String, _ effects: Effects, _ storage: Storage,
    _ records: RecordReader
  ) {
    (self.effects, self.storage, self.records) = (effects, storage, records)
    self.settings = settings
    self.jid = jid
    serverName = Result { () throws(DomainNameError) in try DomainName.ascii(jid.domain) }
    self.facts = facts
    deliveries = Deliveries(facts, storage)
    ownResource = resource
    self.resource = resource
    haste = Allowance(of: 10, each: .minutes(5), from: effects.now.instant)
    status = AccountStatus(since: effects.now.wall)
    suspension = Suspension(since: effects.now.instant)
  }

  /// Not connected, and not to be until told so.
  var isIdle: Bool {
    if case .idle = phase { true } else { false }
  }

  /// The earliest time at which something is due.
  var deadline: Instant? { phaseDeadline.orEarlier(outboxDeadlines.next) }

  private var phaseDeadline: Instant? {
    switch phase {
    case .idle: nil
    case .waiting(let until): until
    case .online(let session):
      session.deadline.orEarlier(closing?.deadline).orEarlier(mayProbeIdleLink ? session.idleDue : nil)
    case .resolving, .connecting, .negotiating, .closing: stepDeadline
    }
  }

  /// Whether an idle link may be probed: no answer can arrive while reading is paused, and a closing link needs none.
  private var mayProbeIdleLink: Bool { !isPaused && closing == nil }

  /// Does what is due.
  func tick() {
    tickOutbox()
    guard let deadline = phaseDeadline, deadline <= effects.now.instant else { return }
    switch phase {
    case .idle: break
    case .waiting: connect()
    case .online(let session):
      // What is not read cannot be heard.
      if isPaused { session.beginPatienceAnew() }
      guard let reason = session.tick() else { return }
      noteSilence(of: session)
      tryNext(after: reason)
    case .closing: forgetLink()
    case .resolving: lose("looking up \(jid.domain) took more than 30 seconds")
    case .connecting(_, let candidate):
      let seconds = connectPatience.milliseconds / 1000
      tryNext(after: "connecting to \(candidate.host) took more than \(seconds) seconds")
    case .negotiating: tryNext(after: "the server took more than 30 seconds to answer while signing in")
    }
  }

  /// A sync came: what depended on it may go on.
  func synced() {
    unsynced.commit()
    deliveries.durable(storage.queue.durable)
    session?.synced()
    goOnClosing()
    goOnAfterSync()
  }

  /// The end of the turn: writes what the session has to say.
  func flush() {
    settleGap()
    goOnClosing()
    guard let link, let session else { return }
    if session.mustRenew, closing == nil {
      return close(.connecting, "beginning a new connection", leaving: true)
    }
    tellOfArchive(session)
    if mayProbeIdleLink { session.askIfIdle() }
    let bytes = session.takeOutput()
    if !bytes.isEmpty { effects.act(.link(link, .write(bytes))) }
    let limit = isPaused ? Self.backlogLow : Self.backlogHigh
    let backlog = unsynced.sum < Self.smallShare ? 0 : storage.queue.backlog
    let isFull = max(backlog, session.unsentBytes) > limit
    let mustPause = storage.trouble != nil || closing?.isPausing == true || isFull
    guard isPaused != mustPause else { return }
    isPaused.toggle()
    effects.act(.link(link, isPaused ? .pause : .resume))
  }

  /// Bytes waiting for the disk, or for the server to take them, at which a link stops being read, and at which it goes
  /// on. More than messages of mine fill (`Session.maximumOutstanding`): they must not keep the server from being heard.
  static let backlogHigh = 1 << 20
  /// Who has received less than this lately is not to blame for the backlog of the disk, and is read on.
  static let smallShare = 64 << 10
  static let backlogLow = 256 << 10

  /// Changes what `status` says, and tells those who watch.
  func report(_ state: AccountStatus.State, _ reason: String) {
    if status.state != state { status.since = effects.now.wall }
    let changed = status.state != state || status.reason != reason
    status.state = state
    status.reason = reason
    if state != .waiting { status.retryAt = nil }
    if state == .stopped { status.server = nil }
    guard changed else { return }
    effects.notices.append(.connection(account: number))
    let line = "\(state.rawValue): \(reason)"
    switch state {
    case .refused: journal(.error, line)
    case .connecting: journal(.debug, line)
    case .online, .stopped: journal(.info, line)
    case .waiting: complain(line + nextTry(), of: reason)
    }
  }

  /// Tells the journal of a trouble that is new, and of one that comes again and again ever more rarely.
  func complain(_ line: String, of reason: String) {
    let count = complaints.note(reason)
    let times = count == 1 ? "" : " (\(count) times)"
    journal(Complaints.isTold(count) ? .info : .debug, line + times)
  }

  /// Writes a line for the journal that is about this account.
  func journal(_ level: LogLevel, _ line: String) {
    effects.journal(
      level, "account \(name): \(line)", about: JournalFields(account: name, jid: jid.description))
  }

  private func nextTry() -> String {
    guard case .waiting(let until) = phase else { return "" }
    let heard = status.lastHeard.map { "; last heard \((effects.now.wall - $0).inSeconds) ago" } ?? ""
    return "\(heard); next try in \((until - effects.now.instant).inSeconds)"
  }
}

extension Interval {
  /// In whole seconds, for people; never less than none.
  fileprivate var inSeconds: Interval { .seconds(max(0, (milliseconds + 999) / 1000)) }
}
