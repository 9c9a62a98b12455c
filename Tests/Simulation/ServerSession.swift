import Clocks
import XML

/// A bound resource at the server, with XEP-0198 where it is on; it outlives its connection where it may be resumed.
final class ServerSession {
  unowned let mailbox: Mailbox
  let name: String
  /// Nil while it waits to be resumed.
  private(set) weak var connection: ServerConnection?
  /// It said that it is there.
  private(set) var isAvailable = false
  /// It wants copies of what goes to and from other devices.
  var hasCarbons = false
  /// True if the client has queried the archive.
  var hasAskedArchive = false
  /// The unknown id after which the client asked for messages.
  var unknownID: String?
  /// When the last message came that the server has not acknowledged since.
  var unconfirmed: Instant?
  private var lastBrought: Instant?
  /// When the session began, by the server's clock.
  let began: Timestamp
  /// The daemon process that has the session.
  private(set) var process: Int
  /// The client's anchor when the session began.
  private let anchor: String?
  /// Acknowledgements are on; it may be resumed.
  private(set) var isCounting = false
  private(set) var isResumable = false
  /// Stanzas from the client, to it, and those of these that it acknowledged, modulo 2^32.
  private(set) var handled: UInt32 = 0
  private var sent: UInt32 = 0
  private var acknowledged: UInt32 = 0
  /// What was sent and not acknowledged, oldest first.
  private var queue: [Unacknowledged] = []
  private struct Unacknowledged {
    let parcel: Parcel?
    let line: RoomLine?
    /// Called when the client has acknowledged it.
    let acknowledged: (() -> Void)?
    let xml: String
    /// When it was sent first.
    let time: Timestamp
  }

  /// Messages that it brought, each with the count that says so.
  private var brought: [(id: String, count: UInt32)] = []
  /// What the client was told of it after its end.
  private var toldAtEnd: UInt32?
  private(set) var isOver = false
  /// What the last connection had read when it was lost, where the next one reads on from there.
  var unread: StreamParser?

  init(_ mailbox: Mailbox, name: String, connection: ServerConnection) {
    (self.mailbox, self.name, self.connection) = (mailbox, name, connection)
    process = connection.server.starts
    began = mailbox.world.serverTime
    anchor = mailbox.witness.anchor(of: mailbox.account)
  }

  private var world: World { mailbox.world }

  // MARK: - To the client

  func deliver(_ parcel: Parcel, delayed: Bool) {
    mailbox.handOver(parcel, asCopy: hasCarbons)
    for xml in parcel.stanzas(delayed: delayed, asCopy: hasCarbons) { send(xml, parcel) }
    if isCounting, world.dice.percent(60) { connection?.say("<r xmlns='urn:xmpp:sm:3'/>") }
  }

  /// Sends a stanza.
  ///
  /// - Parameter acknowledged: called when the client has acknowledged it.
  func send(
    _ xml: String, _ parcel: Parcel? = nil, line: RoomLine? = nil, then acknowledged: (() -> Void)? = nil
  ) {
    connection?.say(xml)
    if isCounting {
      sent &+= 1
      queue.append(
        Unacknowledged(parcel: parcel, line: line, acknowledged: acknowledged, xml: xml, time: world.serverTime))
    } else if let parcel {
      mailbox.delivered(parcel, acknowledged: false)
    }
  }

  /// How many stanzas of a room wait for the client's acknowledgement.
  func count(ofWaiting room: String) -> Int { queue.count { $0.line?.room == room } }

  /// The client says how far it is.
  func acknowledge(_ h: UInt32) {
    let news = h &- acknowledged
    guard news <= sent &- acknowledged else {
      return world.hold(false, "h=\(h) acknowledges more than the \(sent) stanzas that were sent")
    }
    let stanzas = queue.prefix(Int(news))
    queue.removeFirst(Int(news))
    acknowledged = h
    // In their order: what takes the user out of a room counts for what came behind it.
    for stanza in stanzas {
      if let parcel = stanza.parcel { mailbox.delivered(parcel, acknowledged: true) }
      if let line = stanza.line { mailbox.witness.rooms.noteAcknowledged(line) }
      stanza.acknowledged?()
    }
  }

  // MARK: - From the client

  /// A stanza came.
  func count(_ messageID: String?) {
    if messageID != nil { (unconfirmed, lastBrought) = (world.now.instant, world.now.instant) }
    guard isCounting else { return }
    handled &+= 1
    if let messageID { brought.append((messageID, handled)) }
  }

  /// Answers the client's ack request.
  func answerRequest() {
    guard world.climate.habits.acknowledgesLate else { return sayCount() }
    let asker = connection
    world.after(world.dice.interval(0...4_000)) { [self] in
      if connection === asker, !isOver { sayCount() }
    }
  }

  private func sayCount() {
    unconfirmed = nil
    connection?.say("<a xmlns='urn:xmpp:sm:3' h='\(handled)'/>")
  }

  /// Checks a close by the client: it must wait a while for the acknowledgement of its last messages.
  func checkClose() {
    if let lastBrought, world.now.instant - lastBrought < .seconds(10) { world.see(.lateClose) }
    guard let unconfirmed, mailbox.isLinkFast else { return }
    let age = world.now.instant - unconfirmed
    world.hold(
      age > .milliseconds(1_500),
      "\(mailbox.jid) closes its stream \(age) behind a message, and does not wait for the last word"
    )
  }

  /// Checks a query for messages after this id: the client must not ask again for pages that it has stored.
  func checkProgress(_ id: String) {
    guard let anchor, let done = mailbox.archive?.place(of: anchor), let place = mailbox.archive?.place(of: id) else {
      return
    }
    world.hold(place >= done, "\(mailbox.jid) asks for what is behind \(id), and has stored all up to \(anchor)")
  }

  /// The client was told, when it asked for this session, that the message is here.
  func isKnownToHaveBrought(_ id: String) -> Bool {
    guard let told = toldAtEnd, let count = brought.first(where: { $0.id == id })?.count else { return false }
    return Int32(bitPattern: told &- count) >= 0
  }

  func becomeAvailable() {
    guard !isAvailable else { return }
    isAvailable = true
    sendRequests(of: mailbox.askers)
    mailbox.cameOnline()
    for event in mailbox.nodes.lastEvents + (mailbox.keys?.lastEvents(for: mailbox) ?? []) { send(event) }
    if world.climate.habits.withholds, hasAskedArchive || world.bug == .latePresence { return }
    let waiting = mailbox.takeOffline()
    for parcel in mailbox.keys?.shuffled(waiting) ?? waiting { deliver(parcel, delayed: true) }
  }

  func becomeUnavailable() { isAvailable = false }

  // MARK: - Life

  func enable(resumable: Bool) {
    isCounting = true
    isResumable = resumable
  }

  /// The connection is gone. A session that may be resumed waits for that.
  func disconnected(patience: Interval) {
    connection = nil
    guard isResumable, !isOver else { return end() }
    mailbox.lostLink()
    world.after(patience) { [self] in if connection == nil { end() } }
  }

  /// Goes on over another connection: what the client did not get goes again.
  func resume(over connection: ServerConnection, h: UInt32) {
    self.connection = connection
    if process != connection.server.starts { world.see(.otherProcess) }
    process = connection.server.starts
    acknowledge(h)
    unconfirmed = nil
    connection.say("<resumed xmlns='urn:xmpp:sm:3' previd='\(name)' h='\(handled)'/>")
    sendAgain(over: connection)
  }

  private func sendAgain(over connection: ServerConnection) {
    if world.climate.habits.stampsResent { mailbox.witness.resent.append(queue.compactMap(\.parcel)) }
    for stanza in queue {
      guard let parcel = stanza.parcel, world.climate.habits.stampsResent else {
        let isStamped = stanza.line != nil && world.climate.habits.stampsResent
        connection.say(isStamped ? Parcel.stamped(stanza.xml, stanza.time, by: mailbox.jid) : stanza.xml)
        continue
      }
      connection.say(parcel.stamped(stanza.xml, stanza.time))
      if parcel.isCarbon { world.see(.stampedCopy) }
    }
  }

  /// The end: what was not acknowledged waits for the next session. Where the server remembers how far it was, the client
  /// can be told.
  func end(remembered: Bool = true) {
    guard !isOver else { return }
    isOver = true
    if mailbox.session === self { mailbox.session = nil }
    mailbox.sessionEnded(self)
    mailbox.putBack(queue.compactMap(\.parcel))
    if isResumable, remembered { mailbox.remembered[name] = handled }
  }

  /// The client is told by `<failed/>` how far the session was.
  func tell(_ h: UInt32) { toldAtEnd = h }

  /// The client died, perhaps before it could note that.
  func forgetTold() { toldAtEnd = nil }

  /// The server forgot everything that was not stored.
  func vanish() {
    for parcel in queue.compactMap(\.parcel) { mailbox.lost(parcel) }
    queue = []
    isOver = true
    mailbox.sessionEnded(self)
    if mailbox.session === self { mailbox.session = nil }
  }
}

extension Mailbox {
  var domain: String { String(jid.drop { $0 != "@" }.dropFirst()) }
}

extension Timestamp {
  /// As servers stamp it.
  var wholeSeconds: String { "\(Timestamp(milliseconds: milliseconds / 1000 * 1000))".replacingMilliseconds }
}

extension String {
  fileprivate var replacingMilliseconds: String { hasSuffix(".000Z") ? dropLast(5) + "Z" : self }
}
