import Clocks
import JSON
import Records

/// Asks for histories and sections and compares them with the log; does the rest that front ends do.
final class AskingProgram: FrontEndProgram {
  /// The lines of an answer that is under way, by tag.
  private var page: [JSONValue] = []
  private var isAsking = false
  private var isTalking = false
  /// A message of the last page.
  private var seen: (id: UInt64, key: ReadingWitness.Key) = (0, .init(account: 1, jid: "bob@example.net"))
  private var question: (jid: String, account: UInt32, limit: Int)?
  /// The read position that is to move.
  private var moving: ReadingReasons.Request?

  override func connected() {
    (page, isAsking) = ([], false)
    talk()
  }

  private func talk() {
    guard !isTalking else { return }
    isTalking = true
    world.after(world.dice.pause(world.climate.talk)) { [self] in
      isTalking = false
      if connection != nil, !isAsking { ask() }
      if !world.isCalm { talk() }
    }
  }

  private func ask() {
    isAsking = true
    let rooms = frontEnds.openRooms
    let jid = world.dice.pick(["bob@example.net", "carol@example.net"] + rooms)
    let account: UInt32 = world.climate.accounts == 2 && !jid.isRoom && world.dice.percent(50) ? 2 : 1
    let option = option(account)
    let roll = world.dice.below(100)
    if roll < 60 {
      let limit = world.dice.pick([1, 5, 50, 1000])
      question = (jid, account, limit)
      page = []
      connection?.write("history tag=h limit=\(limit)\(option) \(jid)\n")
    } else if roll < 72 {
      let key = ReadingWitness.Key(account: account, jid: jid)
      move(roll < 63 ? key : seen.key, to: roll < 63 ? 0 : seen.id, isBack: roll >= 69)
    } else {
      connection?.write("\(request(roll, jid, option))\n")
    }
  }

  private func option(_ account: UInt32) -> String {
    world.climate.accounts == 1 ? "" : " account=\(account == 1 ? "home" : "work")"
  }

  /// Moves a read position to a message, or before it; 0: to the newest.
  private func move(_ key: ReadingWitness.Key, to id: UInt64, isBack: Bool) {
    let request = ReadingReasons.Request(key: key, id: id, isBack: isBack, asked: frontEnds.witness.durable)
    frontEnds.witness.reasons.note(request)
    moving = request
    let message = id == 0 ? "" : " \(id)"
    connection?.write("\(isBack ? "unread-from" : "read") tag=r\(option(key.account)) \(key.jid)\(message)\n")
  }

  /// The answer is what the log says.
  private func check(_ line: JSONValue, to request: ReadingReasons.Request) {
    guard line["ok"]?.bool == true else { return }
    frontEnds.checkUnread(line, since: request.asked, request.key.jid) { $0.summary(of: request.key, at: $1).unread }
    frontEnds.witness.reasons.checkAnswer(to: request, frontEnds.witness.durable)
  }

  private func request(_ roll: Int, _ jid: String, _ option: String) -> String {
    switch roll {
    case 72: "pin tag=x\(option) \(jid) \(seen.id % 2 == 0 ? "yes" : "no")"
    case 73: "archive tag=x\(option) \(jid) yes"
    case 74: "notify tag=x\(option) \(jid) \(["always", "mentions", "never"][Int(seen.id % 3)])"
    case 75..<77 where world.climate.habits.forgets && !jid.isRoom: "forget-history tag=x\(option) \(jid)"
    case 75..<80: "draft tag=x\(option) \(jid) half a thought \(roll)"
    case 80..<84: "conversations tag=x"
    case 84..<88: "presence tag=x\(option) away out"
    case 88..<93: "status tag=x"
    case 93..<94: "roster tag=x"
    case 94..<96: "reload tag=x"
    case 96..<98: "disconnect tag=x\(option)"
    default: "connect tag=x\(option)"
    }
  }

  override func hear(_ line: JSONValue) {
    if line["tag"]?.string == "h", let message = line["message"] {
      page.append(line)
      if page.count == 1 || world.dice.percent(20) { see(message) }
      return
    }
    if let account = line["account"] { return frontEnds.checkArchive(account) }
    guard line["ok"] != nil else { return }
    isAsking = false
    // Nobody else says `connect` again.
    if line["tag"]?.string == "h", line["ok"]?.bool == true { compare(line) }
    if line["tag"]?.string == "r", let moving { check(line, to: moving) }
  }

  private func see(_ message: JSONValue) {
    guard let id = message["id"]?.integer.flatMap({ UInt64(exactly: $0) }), let question else { return }
    seen = (id, .init(account: question.account, jid: question.jid))
  }

  /// A page of the history against the log: the messages, their order, their sections.
  private func compare(_ last: JSONValue) {
    guard let question, let sequence = last["seq"]?.integer.flatMap({ UInt64(exactly: $0) }) else { return }
    let whole = frontEnds.witness.history(of: question.jid, account: question.account, upTo: sequence)
    world.hold(last["count"]?.integer == Int64(whole.count), "\(question.jid) has \(whole.count) messages: \(last)")
    let shown = zip(whole, openers(of: whole)).filter { !$0.0.message.isIgnored }
    world.hold(page.count == min(question.limit, shown.count), "\(page.count) of \(shown.count) messages came")
    for (line, (entry, opener)) in zip(page, shown.suffix(page.count)) {
      guard let message = line["message"] else { continue }
      let isRight =
        message["id"]?.integer == Int64(entry.id) && message["text"]?.string == entry.message.text
        && message["section"]?.integer == Int64(opener)
        && (message["opens_section"]?.bool ?? false) == (opener == entry.id)
      world.hold(isRight, "the history has \(line) where the log has \(entry.id), in the section of \(opener)")
    }
    page = []
  }

  /// The message that opens the section of each.
  private func openers(of history: [(id: UInt64, message: MessageRecord)]) -> [UInt64] {
    var openers: [UInt64] = []
    for (index, entry) in history.enumerated() {
      let isNear = index > 0 && entry.message.time - history[index - 1].message.time <= world.climate.gap.milliseconds
      openers.append(isNear ? openers[index - 1] : entry.id)
    }
    return openers
  }
}
