import Clocks
import JSON
import Records

/// Sends numbered messages, each with a key, and repeats what was not answered, whatever happened meanwhile. Some are kept
/// back, expire, or are waited for; of what was kept back some is taken back or let go (`Deeds`).
final class SendingProgram: FrontEndProgram {
  private var lastNumber = 0
  /// What has not been answered, oldest first.
  private var open: [Letter] = []
  /// The ids that were answered, by key.
  private(set) var stored: [(key: String, id: UInt64, to: String)] = []
  private var idOfKey: [String: UInt64] = [:]

  struct Letter {
    let key: String
    let to: String
    let account: String?
    let wishes: Wishes
    /// What the log had of it when it was refused; nil: it was not.
    var whenRefused: UInt64??
  }

  override func connected() {
    for index in open.indices {
      checkRefusal(of: &open[index])
      ask(open[index])
    }
    talk()
  }

  override var isContent: Bool { open.isEmpty }

  private var isTalking = false

  /// Says something now and then.
  private func talk() {
    guard !isTalking else { return }
    isTalking = true
    world.after(world.dice.pause(world.climate.talk)) { [self] in
      isTalking = false
      guard !world.isCalm else { return }
      for _ in 0..<(world.dice.percent(10) ? 5 : 1) where open.count < 20 { write() }
      talk()
    }
  }

  func write() {
    lastNumber += 1
    var to = world.dice.pick(["bob@example.net", "bob@example.net", "carol@example.net", "nobody@example.net"])
    let rooms = frontEnds.openRooms
    if !rooms.isEmpty, world.dice.percent(50) { to = world.dice.pick(rooms) }
    let confidential = frontEnds.witness.rooms.confidential
    if !confidential.isEmpty, world.dice.percent(10) { to = world.dice.pick(confidential) }
    let isOfRoom = to.contains(RoomService.domain)
    let account = world.climate.accounts == 1 ? nil : isOfRoom ? "home" : world.dice.pick(["home", "work"])
    let letter = Letter(key: "\(name)-\(lastNumber)", to: to, account: account, wishes: Wishes(&world.dice))
    open.append(letter)
    ask(letter)
  }

  private func ask(_ letter: Letter) {
    let account = letter.account.map { " account=\($0)" } ?? ""
    connection?.write(
      "send key=\(letter.key) tag=\(letter.key)\(account)\(letter.wishes.options) \(letter.to) \(Self.text(letter.key))\n"
    )
  }

  /// - Parameter verb: `connect` or `disconnect`.
  func askAccounts(to verb: String) {
    for name in ["home", "work"].prefix(world.climate.accounts) { connection?.write("\(verb) account=\(name)\n") }
  }

  static func text(_ key: String) -> String { "this is \(key)" }

  override func hear(_ line: JSONValue) {
    guard let ok = line["ok"]?.bool, let key = line["tag"]?.string else { return }
    if let deed = Deed(tag: key) { return deed.check(line, frontEnds.witness) }
    guard let index = open.firstIndex(where: { $0.key == key }) else {
      // It was repeated before the first answer came.
      if ok { same(key, line["id"]?.integer) }
      return
    }
    let error = line["error"]?.string ?? ""
    // Of a room that does not take the user, or was left, nothing is stored.
    let isOfRoom = open[index].to.contains(RoomService.domain)
    if ["failed", "not-found"].contains(error), line["id"] == nil, isOfRoom { return drop(open.remove(at: index)) }
    if ok || ["timeout", "failed"].contains(error) {
      open[index].wishes.check(line, frontEnds.witness)
      return keep(open.remove(at: index), line["id"]?.integer)
    }
    world.hold(["storage", "no-space", "limit"].contains(error), "\(key) was refused: \(line)")
    if error != "limit" { open[index].whenRefused = .some(frontEnds.witness.sequence(ofKey: key)) }
    world.after(world.dice.interval(100...5_000)) { [self] in
      guard let index = open.firstIndex(where: { $0.key == key }) else { return }
      checkRefusal(of: &open[index])
      ask(open[index])
    }
  }

  private func drop(_ letter: Letter) {
    let id = frontEnds.witness.sequence(ofKey: letter.key)
    world.hold(id == nil, "\(letter.key) to \(letter.to) was refused, and is in the log as \(id ?? 0)")
  }

  /// Who was told that nothing could be stored finds nothing in the log, whatever happened meanwhile.
  private func checkRefusal(of letter: inout Letter) {
    guard let before = letter.whenRefused else { return }
    let now = frontEnds.witness.sequence(ofKey: letter.key)
    world.hold(now == before, "\(letter.key) was refused, and is in the log as \(now ?? 0)")
    letter.whenRefused = nil
  }

  /// `ok` means stored.
  private func keep(_ letter: Letter, _ id: Int64?) {
    guard let id = id.flatMap({ UInt64(exactly: $0) }) else { return world.hold(false, "ok comes with an id") }
    let message = frontEnds.witness.messages[id]
    world.hold(
      message?.key == letter.key && message?.text == Self.text(letter.key) && message?.author.isMe == true,
      "\(letter.key) was answered with \(id), where the log has \(message?.text ?? "no message")")
    stored.append((letter.key, id, letter.to))
    idOfKey[letter.key] = id
    guard let deed = letter.wishes.deed(&world.dice) else { return }
    world.after(world.dice.interval(0...30_000)) { [self] in
      if deed == .release { frontEnds.witness.releasesAskedFor.insert(id) }
      connection?.write(deed.request(id))
    }
  }

  private func same(_ key: String, _ id: Int64?) {
    guard let first = idOfKey[key], let id else { return }
    world.hold(Int64(first) == id, "\(key) was answered with \(first), then with \(id)")
  }
}

extension String {
  /// True of the address of a room.
  var isRoom: Bool { hasSuffix(RoomService.domain) }
}
