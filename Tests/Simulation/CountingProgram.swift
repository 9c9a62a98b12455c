import Clocks
import JSON

/// Asks again and again how much is unread and up to where, and compares that with the log.
final class CountingProgram: FrontEndProgram {
  /// How much was durable when it asked what is not answered yet.
  private var asked: UInt64?
  private var isTalking = false
  /// Conversations of the present answer.
  private var listed: Set<ReadingWitness.Key> = []

  override func connected() {
    asked = nil
    talk()
  }

  private func talk() {
    guard !isTalking else { return }
    isTalking = true
    world.after(world.dice.pause(world.climate.talk.times(4))) { [self] in
      isTalking = false
      guard !world.isCalm else { return }
      ask()
      talk()
    }
  }

  func ask() {
    guard connection != nil, asked == nil else { return }
    (asked, listed) = (frontEnds.witness.durable, [])
    connection?.write("conversations tag=c limit=1000\nunread tag=u\n")
  }

  override func hear(_ line: JSONValue) {
    guard let asked else { return }
    if let conversation = line["conversation"] { return compare(conversation, asked) }
    if line["tag"]?.string == "c" { checkList(line) }
    guard line["tag"]?.string == "u" else { return }
    frontEnds.checkUnread(line, since: asked, "all conversations") { $0.unread(at: $1) }
    self.asked = nil
  }

  override var isContent: Bool { connection != nil && asked == nil }

  private func compare(_ line: JSONValue, _ asked: UInt64) {
    let key = frontEnds.key(jid: line["jid"]?.string ?? "", account: line["account"]?.string)
    listed.insert(key)
    let (witness, told) = (frontEnds.witness, ReadingWitness.Summary(line))
    let isTrue = (asked...witness.durable).contains { witness.reading.summary(of: key, at: $0) == told }
    let right = witness.reading.summary(of: key, at: asked)
    world.hold(isTrue, "the conversation with \(key.jid) has \(right), and the daemon says \(told)")
  }

  /// Each conversation with unread messages is listed.
  private func checkList(_ line: JSONValue) {
    guard let asked, line["more_before"]?.bool == false else { return }
    for key in frontEnds.witness.reading.keys where !listed.contains(key) {
      let unread = frontEnds.witness.reading.summary(of: key, at: asked).unread
      world.hold(unread == 0, "the conversation with \(key.jid) has \(unread) unread messages, and is not listed")
    }
  }
}

extension ReadingWitness.Summary {
  fileprivate init(_ line: JSONValue) {
    count = Int(line["count"]?.integer ?? -1)
    unread = Int(line["unread"]?.integer ?? -1)
    read = line["read"]?.integer.flatMap { UInt64(exactly: $0) } ?? .max
  }
}

extension FrontEnds {
  /// A conversation that an answer names.
  func key(jid: String, account: String?) -> ReadingWitness.Key {
    ReadingWitness.Key(account: account == "work" ? 2 : 1, jid: jid)
  }

  /// Checks the number of unread messages that an answer says: it was right at some moment since the question.
  ///
  /// - Parameter count: the number after a record.
  func checkUnread(
    _ line: JSONValue, since asked: UInt64, _ what: String, _ count: (ReadingWitness, UInt64) -> Int
  ) {
    guard line["ok"]?.bool == true else { return }
    let isTrue = (asked...witness.durable).contains { Int64(count(witness.reading, $0)) == line["unread"]?.integer }
    world.hold(isTrue, "\(count(witness.reading, asked)) messages of \(what) are unread: \(line)")
  }
}

extension FrontEnds {
  /// A mistake: a conversation whose unread messages are those that stand behind the one that was read last.
  func miscounted(_ line: JSONValue) -> JSONValue {
    guard line["event"] == nil, let conversation = line["conversation"], let jid = conversation["jid"]?.string else {
      return line
    }
    let key = key(jid: jid, account: conversation["account"]?.string)
    let count = witness.reading.unreadByPlace(of: key, at: witness.durable)
    return line.with("conversation", conversation.with("unread", .integer(Int64(count))))
  }
}

extension JSONValue {
  /// The object with another value of a member.
  fileprivate func with(_ name: String, _ value: JSONValue) -> JSONValue {
    .object((members ?? []).map { $0.name == name ? JSONMember(name, value) : $0 })
  }
}
