import Clocks
import Records

/// What a server has of one user: what waits for them, who is signed in, and what came from them.
final class Mailbox {
  let jid: String
  let world: World
  let witness: LogWitness
  /// Waits for somebody to be there, oldest first.
  private(set) var offline: [Parcel] = []
  /// Who is signed in, or may resume.
  var session: ServerSession?
  /// What the server keeps for good, where it does.
  var archive: ServerArchive?
  /// The nodes of which the client is notified.
  var nodes = ServerNodes()
  /// There is another device, which is always there.
  let hasDevice: Bool
  /// How far sessions were that are over and may be asked about, by their names.
  var remembered: [String: UInt32] = [:]
  /// Messages of the user's that arrived, by their stanza ids.
  private(set) var arrivals: [String: Arrival] = [:]
  private(set) var parcels: [Parcel] = []
  /// Changes among them.
  private(set) var made: Set<ChangeKey> = []

  struct ChangeKey: Hashable {
    let change: Parcel.Change
    let target: String
    let isMine: Bool
  }

  /// Those that the server took for delivered, or has lost itself.
  private var done: Set<String> = []
  /// The last of the user's messages that came for the first time.
  private var lastArrival: UInt64 = 0
  /// What those who got the user's messages said of them, by their stanza ids (`Correspondents`).
  var said: [String: Set<DeliveryState>] = [:]
  /// What people say with their next stanzas, by their JIDs.
  var putOff: [String: [Signal]] = [:]
  var lastSignal = 0
  /// Parcels that the client acknowledged.
  private var acknowledged: Set<String> = []
  /// The devices of those who write, and of the user; nil: nobody encrypts.
  weak var keys: KeyService?
  /// A session of the user's is over.
  var sessionEnded: (ServerSession) -> Void = { _ in }
  /// The user's client is there.
  var cameOnline: () -> Void = {}
  /// The client's link is gone, and its session waits to be resumed.
  var lostLink: () -> Void = {}
  /// Messages of which another device sent a marker in the end.
  var marked: [Parcel] = []
  /// JIDs that ask to see the user's presence.
  var askers: [String] = []
  /// Whose messages the user's client said it has, and how often.
  var receipts: [String: Int] = [:]

  struct Arrival {
    var text: String
    var copies: Int
    /// True if the archive was queried before, so that it can be queried about this message.
    var isArchiveKnown: Bool
    /// The session that brought it.
    var session: ServerSession
  }

  init(jid: String, world: World, witness: LogWitness) {
    (self.jid, self.world, self.witness) = (jid, world, witness)
    archive = world.climate.archive.map {
      ServerArchive(isCoarse: $0.isCoarse, completesNothing: world.climate.habits.completesNothing)
    }
    hasDevice = world.climate.hasDevice
  }

  // MARK: - To the user

  /// Somebody wrote.
  func post(_ parcel: Parcel) {
    var parcel = parcel
    keys?.seal(&parcel)
    if archive != nil, parcel.isKept, world.climate.habits.keepsMessages(with: parcel.otherSide) { file(&parcel) }
    if archive != nil, parcel.archiveID == nil { world.see(.unkept) }
    parcels.append(parcel)
    if let change = parcel.change { made.insert(.init(change: change, target: parcel.target, isMine: parcel.isMine)) }
    see(parcel)
    witness.writing.note(parcel)
    world.trace.line(world.now, "\(parcel.from) writes \(parcel.id) to \(parcel.to)")
    switch parcel.way {
    case .toUser, .note:
      if let session, session.isAvailable { session.deliver(parcel, delayed: false) } else { keep(parcel) }
    case .toDevice, .fromDevice:
      if let session, session.hasCarbons { session.deliver(parcel, delayed: false) } else { miss(parcel) }
    }
  }

  /// Stores it in the archive; a note to self as sent and as received.
  private func file(_ parcel: inout Parcel) {
    let xml = parcel.xml(namespace: " xmlns='jabber:client'")
    parcel.archiveID = archive?.add(xml, at: parcel.time, parcel: parcel.id)
    if parcel.way == .note { parcel.receivedID = archive?.add(xml, at: parcel.time, parcel: parcel.id) }
  }

  /// Hands it to the client, and not again on the same stream. A message without distinguishing ids may be stored as
  /// often as it was handed over.
  func handOver(_ parcel: Parcel, asCopy: Bool) {
    guard !parcel.isTellable else { return }
    witness.allowed[parcel.id, default: 0] += parcel.way == .note && asCopy ? 2 : 1
  }

  /// Nobody is here for it.
  private func keep(_ parcel: Parcel) { if hasDevice { miss(parcel) } else { offline.append(parcel) } }

  /// It went elsewhere: the archive has it, where there is one.
  private func miss(_ parcel: Parcel) { done.insert(parcel.id) }

  /// What was on its way to somebody who is gone waits for the next.
  func putBack(_ undelivered: [Parcel]) {
    for parcel in undelivered where !done.contains(parcel.id) {
      if parcel.way == .toUser { keep(parcel) } else { miss(parcel) }
    }
    offline.sort { ($0.time, $0.from, $0.number) < ($1.time, $1.from, $1.number) }
  }

  func takeOffline() -> [Parcel] {
    defer { offline = [] }
    return offline
  }

  /// The server holds a parcel for delivered; by an acknowledgement, which it must be stored for.
  func delivered(_ parcel: Parcel, acknowledged: Bool) {
    done.insert(parcel.id)
    guard acknowledged else { return }
    self.acknowledged.insert(parcel.id)
    if parcel.change != nil || parcel.isSignal, witness.forgotten.mayLack(parcel) { return }
    if mayBeLeft(parcel), witness.count(ofIncoming: parcel.id) == 0 { return world.see(.leftText) }
    world.hold(
      isStored(parcel),
      "\(words(parcel)) was acknowledged to \(jid)'s server, and the log does not have it"
    )
  }

  func isAcknowledged(_ parcel: Parcel) -> Bool { acknowledged.contains(parcel.id) }

  /// True if the log has all that a parcel says.
  func isStored(_ parcel: Parcel) -> Bool {
    guard parcel.isForUs else { return !witness.sequences(of: parcel.id).isEmpty }
    return (parcel.isSignal || witness.count(ofIncoming: parcel.id) > 0) && areSignalsStored(parcel)
  }

  /// A stranger's message that the archive has may be left there, if the disk has had little room.
  private func mayBeLeft(_ parcel: Parcel) -> Bool {
    parcel.archiveID != nil && !parcel.isMine && !Server.contacts.contains(parcel.otherSide)
      && world.seen[.shortRoom] != nil
  }

  /// The server itself lost it.
  func lost(_ parcel: Parcel) { done.insert(parcel.id) }

  /// Nothing waits for the user: what is in the archive is in the log.
  var isEmpty: Bool { offline.isEmpty && parcels.allSatisfy(isHere) }
  var undelivered: [String] { parcels.filter { !isHere($0) }.map(words) }

  func isHere(_ parcel: Parcel) -> Bool {
    parcel.archiveID == nil
      ? done.contains(parcel.id)
      : isStored(parcel) || witness.forgotten.mayLack(parcel)
  }

  /// The archive does not keep any more what is oldest, and of which the client here knows what became of it.
  func forgetOldest() {
    let count = archive?.items.prefix(while: isDealtWith).count ?? 0
    archive?.expire(world.dice.below(count + 1))
  }

  /// Its client's account, by its number in the log.
  var account: UInt32 { Self.account(of: jid) }

  static func account(of jid: String) -> UInt32 { jid.hasPrefix("alice") ? 1 : 2 }

  /// True if a round trip takes less than half a second.
  var isLinkFast: Bool { world.climate.latency <= .milliseconds(20) && !world.isNetworkSlow }

  /// Rebuilds the archive with new ids. Offline messages keep the ids that they had.
  func rebuildArchive() { archive?.rebuild() }

  /// True if the client has fetched the archive, and has an anchor by which it can recognise another archive.
  var isAnchored: Bool { archive == nil || witness.anchor(of: account) != nil && !witness.isFilling(account) }

  private func isDealtWith(_ item: ServerArchive.Item) -> Bool {
    if let id = item.parcel { return parcels.first { $0.id == id }.map(isStored) ?? true }
    return item.sent.flatMap(witness.sequence(ofMine:)).map(witness.isSettled) ?? true
  }

  // MARK: - From the user

  /// The client is told how far a session was that is over.
  func tell(_ h: UInt32, of name: String) {
    for arrival in arrivals.values where arrival.session.name == name { arrival.session.tell(h) }
  }

  /// The client died: what it was told may not have been stored.
  func forgetTold() { for arrival in arrivals.values { arrival.session.forgetTold() } }

  /// A message of the user's is here: this is the other side of the server.
  ///
  /// - Parameter stanza: what the archive keeps of it.
  func arrived(id: String, text: String, to: String, session: ServerSession, stanza: String? = nil) {
    file(id: id, stanza ?? plainStanza(id: id, text: text, to: to), to: to)
    guard let sequence = witness.sequence(ofMine: id) else {
      return world.hold(false, "the message \(id) (\(text)) arrived at the server and is not in the log")
    }
    world.hold(witness.state(of: sequence) != .cancelled, "\(text) arrives, and was taken back")
    if var earlier = arrivals[id] {
      let isKept = archive?.items.contains { $0.sent == id } == true
      world.hold(!isKept || !earlier.isArchiveKnown, "\(text) arrives again, and the archive has it")
      world.hold(witness.isInDoubt(sequence), "\(text) arrives again and is not marked as in doubt")
      world.hold(earlier.text == text, "the id \(id) is used for one text")
      world.hold(
        earlier.session !== session && !earlier.session.isKnownToHaveBrought(id),
        "\(text) arrived twice though the server could tell that it had it")
      earlier.copies += 1
      earlier.session = session
      arrivals[id] = earlier
    } else {
      let order = witness.order(of: sequence)
      world.hold(order > lastArrival, "\(text), number \(order), arrived behind number \(lastArrival)")
      lastArrival = max(lastArrival, order)
      let isKnown = (witness.messages[sequence]?.account).map(witness.archivesKnown.contains) == true
      arrivals[id] = Arrival(text: text, copies: 1, isArchiveKnown: isKnown, session: session)
    }
  }

  /// Keeps a message of the user's in the archive; without an id one that is not whole.
  func file(id: String?, _ stanza: String, to: String) {
    guard world.climate.habits.keepsMessages(with: to) else { return }
    archive?.add(stanza, at: world.serverTime, sent: id)
  }

  private func plainStanza(id: String, text: String, to: String) -> String {
    "<message xmlns='jabber:client' from='\(jid)/here' to='\(to)' type='chat' id='\(id)'><body>\(text)</body>"
      + "<origin-id xmlns='urn:xmpp:sid:0' id='\(id)'/></message>"
  }
}
