import Clocks
import JSON

/// Joins rooms, leaves one now and then, and comes back.
final class RoomProgram: FrontEndProgram {
  private let rooms: [SimulatedRoom]
  /// What is asked of each room and not answered yet, and what was answered last.
  private var asked: [String: Bool] = [:]
  private var isIn: Set<String> = []
  /// The states that the daemon told last.
  private var states: [String: String] = [:]
  private var isTalking = false
  private var hasLookedInTheEnd = false

  init(_ name: String, _ frontEnds: FrontEnds, _ rooms: [SimulatedRoom]) {
    self.rooms = rooms
    super.init(name, frontEnds)
  }

  private var witness: RoomWitness { frontEnds.witness.rooms }

  /// Rooms to which messages may go: the daemon knows them as such.
  var open: [String] { rooms.map(\.jid).filter(isIn.contains) }

  override func connected() {
    for (jid, isIn) in asked.sorted(by: { $0.key < $1.key }) { ask(jid, isIn: isIn) }
    talk()
  }

  private func talk() {
    guard !isTalking else { return }
    isTalking = true
    // A room that was joined in the end may refuse the next stream.
    let calmPause = hasLookedInTheEnd && isContent ? Interval.minutes(10) : .seconds(20)
    world.after(world.isCalm ? calmPause : world.dice.pause(.seconds(5))) { [self] in
      isTalking = false
      act()
      talk()
    }
  }

  private func act() {
    guard connection != nil else { return }
    for room in rooms where asked[room.jid] == nil && !isIn.contains(room.jid) {
      if world.isCalm || !witness.leftOnce.contains(room.jid) || world.dice.percent(30) { ask(room.jid, isIn: true) }
    }
    // What is answered now counts, and nothing from before.
    if world.isCalm, !hasLookedInTheEnd { (states, hasLookedInTheEnd) = ([:], true) }
    connection?.write("rooms tag=rooms\n")
    guard !world.isCalm else { return }
    let room = world.dice.pick(rooms)
    if room.habits.hasIgnored, isIn.contains(room.jid), world.dice.percent(5) { ignore(in: room) }
    guard world.dice.percent(4) else { return }
    if isIn.contains(room.jid), asked[room.jid] == nil { ask(room.jid, isIn: false) }
  }

  private var account: String { world.climate.accounts == 1 ? "" : " account=home" }

  private func ignore(in room: SimulatedRoom) {
    let others = room.others.filter { !$0.value.speaker.isMe }.keys.sorted()
    guard !others.isEmpty else { return }
    connection?.write("ignore tag=x\(account) \(room.jid) \(world.dice.pick(others)) yes\n")
  }

  private func ask(_ jid: String, isIn: Bool) {
    asked[jid] = isIn
    witness.noteWish(jid, isIn: isIn)
    let password = rooms.first { $0.jid == jid }?.habits.password.map { " password=\($0)" } ?? ""
    connection?.write(
      isIn
        ? "join tag=join-\(jid)\(account)\(password) create=yes \(jid)\n"
        : "leave tag=leave-\(jid)\(account) \(jid)\n")
  }

  override func hear(_ line: JSONValue) {
    if let room = line["room"], line["event"] == nil { return hear(room: room) }
    guard let ok = line["ok"]?.bool, let tag = line["tag"]?.string else { return }
    let jid = String(tag.drop { $0 != "-" }.dropFirst())
    guard let wish = asked[jid], tag.hasPrefix(wish ? "join" : "leave") else { return }
    let isUnknown = !wish && line["error"]?.string == "not-found"
    guard ok || isUnknown else {
      return world.after(.seconds(2)) { [self] in if asked[jid] == wish { ask(jid, isIn: wish) } }
    }
    asked[jid] = nil
    witness.noteAnswered(jid)
    if wish {
      isIn.insert(jid)
    } else {
      isIn.remove(jid)
      witness.noteLeft(jid)
    }
  }

  /// Who was refused in the end asks again, as a person does.
  private func hear(room: JSONValue) {
    guard let jid = room["jid"]?.string, let state = room["state"]?.string else { return }
    states[jid] = state
    guard asked[jid] == nil, isIn.contains(jid), state == "refused" else { return }
    if world.isCalm || world.dice.percent(8) { ask(jid, isIn: true) }
  }

  override var isContent: Bool {
    connection != nil && asked.isEmpty && rooms.allSatisfy { isIn.contains($0.jid) && states[$0.jid] == "joined" }
  }
}
