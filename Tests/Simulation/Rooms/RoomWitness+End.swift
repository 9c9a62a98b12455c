import Clocks
import Records

// What must stand at the end of a run.
extension RoomWitness {
  func checkEnd(_ room: SimulatedRoom, _ session: ServerSession?) {
    world.hold(
      room.client.map { $0.session === session } ?? false,
      "at the end the user is in \(room.jid): \(records[room.jid]?.refusal?.condition ?? "it is not refused")")
    for line in room.lines where isOwed(line, room) && !room.isModerated(line) {
      world.hold(isHere(line), "\(line.text) of \(room.jid) is in the log at the end")
    }
    checkCounts(room)
    checkOrder(room)
    checkChanges(room)
    checkMine(room)
  }

  /// True if the log must have a line: the room keeps it, and it was said after the user came first.
  private func isOwed(_ line: RoomLine, _ room: SimulatedRoom) -> Bool {
    guard let joined = records[room.jid]?.firstJoined, line.archiveID != nil, world.faults[.clockJump] == nil else {
      return false
    }
    return line.time.milliseconds > joined + Self.margin
  }

  /// True if the user's client has acknowledged a line: it is in the log.
  private func isTaken(_ line: RoomLine) -> Bool { acknowledged[line.room]?.contains(line.place) == true }

  /// Where the room names its messages, what was said twice is here twice.
  private func checkCounts(_ room: SimulatedRoom) {
    guard room.habits.hasArchive else { return }
    let counted = room.lines.filter {
      isOwed($0, room) && !$0.speaker.isMe && !$0.isChange && !$0.isRefused && !room.isModerated($0)
    }
    for (text, said) in Dictionary(grouping: counted, by: \.text) {
      let count = stored[text]?.count ?? 0
      world.hold(count >= said.count, "\(text) was said \(said.count) times in \(room.jid), and is here \(count) times")
    }
  }

  private typealias Place = ReadingWitness.Place

  /// Messages of others stand in the room's order, as far as it can be known.
  private func checkOrder(_ room: SimulatedRoom) {
    guard world.faults[.clockJump] == nil, let log else { return }
    var placed: [(line: RoomLine, message: MessageRecord, place: Place)] = []
    for line in room.lines where lines[line.text]?.count == 1 && !line.isChange && line.speaker != .client {
      guard let id = stored[line.text]?.first, let message = log.messages[id] else { continue }
      placed.append((line, message, Place(time: log.time(of: id, message), order: message.archiveOrder, id: id)))
    }
    for (one, other) in zip(placed, placed.dropFirst()) {
      let isOneWay = one.message.archived == other.message.archived && one.message.delayed == other.message.delayed
      let isFar = (other.line.time - one.line.time).milliseconds > Self.margin
      guard isOneWay || isFar else { continue }
      world.hold(one.place < other.place, "\(one.line.text) was said before \(other.line.text), and stands behind it")
    }
  }

  /// Nothing is changed by who may not, and all as the last change says.
  private func checkChanges(_ room: SimulatedRoom) {
    guard let log else { return }
    let changes = Dictionary(grouping: room.lines.filter(\.isChange), by: \.target)
    for line in room.lines where lines[line.text]?.count == 1 && !line.isChange && line.speaker != .client {
      guard let sequence = stored[line.text]?.first, let present = log.present(sequence) else { continue }
      let own = (line.stanzaID.flatMap { changes[$0] } ?? []).filter { $0.speaker.person == line.speaker.person }
      let isRetracted = present.details?.change?.retraction != nil
      world.hold(
        isRetracted
          ? room.isModerated(line) || own.contains { $0.change == .retraction }
          : ([line] + own).contains { $0.text == present.text },
        "\(line.text) of \(line.nick) in \(room.jid) stands as \(present.text), which its author did not say")
      if room.isModerated(line), isOwed(line, room) || isTaken(line) && world.faults[.clockJump] == nil {
        world.hold(isRetracted, "\(line.text) in \(room.jid) was taken back by a moderator")
      }
      guard room.habits.hasOccupantIDs, !room.isModerated(line), world.faults[.clockJump] == nil,
        room.lines.count(where: { $0.stanzaID == line.stanzaID }) == 1,
        isOwed(line, room) || ([line] + own).allSatisfy(isTaken),
        let last = own.last(where: { $0.change == .correction })
      else { continue }
      let isAnyRetraction = own.contains { $0.change == .retraction }
      world.hold(
        isAnyRetraction ? isRetracted : present.text == last.text,
        "\(line.text) in \(room.jid) stands as \(present.text), and \(isAnyRetraction ? "was taken back" : last.text)")
    }
  }

  /// Each message of the user's is where its state says.
  private func checkMine(_ room: SimulatedRoom) {
    guard let log else { return }
    for (sequence, message) in log.messages.sorted(by: { $0.key < $1.key })
    where message.isOfRoom && message.jid == room.jid && message.author == .thisDevice {
      guard let id = message.stanzaID else { continue }
      let present = log.present(sequence)
      world.hold(
        present?.text == message.text && present?.details?.change == nil,
        "\(message.text) in \(room.jid) stands as it was")
      let (state, words) = (log.state(of: sequence), "\(message.text), number \(sequence), in \(room.jid)")
      switch state {
      case .delivered, .displayed:
        world.hold(arrivals[id] != nil, "\(words) is delivered, and the room does not have it")
      case .failed:
        world.hold(!room.hasArchived(id), "\(words) failed, and the room has it")
        world.hold(mayFail(id, message, room), "\(words) failed")
      case .cancelled: world.hold(arrivals[id] == nil, "\(words) was taken back, and the room has it")
      case .queued, .sent: world.hold(false, "\(words) is \(state.word) at the end")
      }
    }
  }

  private func mayFail(_ id: String, _ message: MessageRecord, _ room: SimulatedRoom) -> Bool {
    world.faults[.streamError] != nil || message.expires != nil || made.contains(room.jid) || losses[id] ?? 0 > 1
      || refusals[id] != nil
  }
}
