import Clocks

/// A message for the user of a mailbox, on its way through the server.
struct Parcel {
  /// Who wrote it to whom, as bare JIDs, and the how-manieth of these it is.
  let from: String
  let to: String
  let number: Int
  /// When the server got it.
  let time: Timestamp

  var id: String { "\(Self.local(from))-\(Self.local(to))-\(number)" }
  var text: String { "\(id) says something" }

  private static func local(_ jid: String) -> Substring { jid.prefix { $0 != "@" } }
}

/// What a server has of one user: what waits for them, who is signed in, and what came from them.
final class Mailbox {
  let jid: String
  let world: World
  let witness: LogWitness
  /// Waits for somebody to be there, oldest first.
  private(set) var offline: [Parcel] = []
  /// Who is signed in, or may resume.
  var session: ServerSession?
  /// How far sessions were that are over and may be asked about, by their names.
  var remembered: [String: UInt32] = [:]
  /// Messages of the user's that arrived, by their stanza ids.
  private(set) var arrivals: [String: Arrival] = [:]
  private(set) var parcels: [Parcel] = []
  /// Those that the server took for delivered, or has lost itself.
  private var done: Set<String> = []
  /// The last of the user's messages that came for the first time.
  private var lastArrival: UInt64 = 0

  struct Arrival {
    var text: String
    var copies: Int
    /// The sessions that brought it.
    var session: ServerSession
  }

  init(jid: String, world: World, witness: LogWitness) {
    (self.jid, self.world, self.witness) = (jid, world, witness)
  }

  // MARK: - To the user

  /// Somebody wrote.
  func post(_ parcel: Parcel) {
    parcels.append(parcel)
    world.trace.line(world.now, "\(parcel.from) writes \(parcel.id) to \(jid)")
    if let session, session.isAvailable { session.deliver(parcel, delayed: false) } else { offline.append(parcel) }
  }

  /// What was on its way to somebody who is gone waits for the next.
  func putBack(_ undelivered: [Parcel]) {
    let back = undelivered.filter { !done.contains($0.id) }
    offline = (back + offline).sorted { ($0.time, $0.from, $0.number) < ($1.time, $1.from, $1.number) }
  }

  func takeOffline() -> [Parcel] {
    defer { offline = [] }
    return offline
  }

  /// The server holds a parcel for delivered; by an acknowledgement, which it must be stored for.
  func delivered(_ parcel: Parcel, acknowledged: Bool) {
    done.insert(parcel.id)
    guard acknowledged else { return }
    world.hold(
      witness.count(ofIncoming: parcel.id) == 1,
      "\(parcel.id) was acknowledged to \(jid)'s server, and the log has it \(witness.count(ofIncoming: parcel.id)) times"
    )
  }

  /// The server itself lost it.
  func lost(_ parcel: Parcel) { done.insert(parcel.id) }

  /// Nothing waits for the user.
  var isEmpty: Bool { offline.isEmpty && parcels.allSatisfy { done.contains($0.id) } }
  var undelivered: [String] { parcels.map(\.id).filter { !done.contains($0) } }

  // MARK: - From the user

  /// The client is told how far a session was that is over.
  func tell(_ h: UInt32, of name: String) {
    for arrival in arrivals.values where arrival.session.name == name { arrival.session.tell(h) }
  }

  /// The client died: what it was told may not have been stored.
  func forgetTold() { for arrival in arrivals.values { arrival.session.forgetTold() } }

  /// A message of the user's is here: this is the other side of the server.
  func arrived(id: String, text: String, session: ServerSession) {
    guard let sequence = witness.sequence(ofMine: id) else {
      return world.hold(false, "the message \(id) (\(text)) arrived at the server and is not in the log")
    }
    if var earlier = arrivals[id] {
      world.hold(witness.isInDoubt(sequence), "\(text) arrives again and is not marked as in doubt")
      world.hold(earlier.text == text, "the id \(id) is used for one text")
      world.hold(
        earlier.session !== session && !earlier.session.isKnownToHaveBrought(id),
        "\(text) arrived twice though the server could tell that it had it")
      earlier.copies += 1
      earlier.session = session
      arrivals[id] = earlier
    } else {
      let isLate = sequence < lastArrival
      world.hold(!isLate, "\(text), number \(sequence), arrived behind number \(lastArrival)")
      lastArrival = max(lastArrival, sequence)
      arrivals[id] = Arrival(text: text, copies: 1, session: session)
    }
  }
}
