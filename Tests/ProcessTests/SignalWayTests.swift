import Glibc
import JSON
import TestSupport
import Testing

/// My phone writes and bob answers with receipts, markers and errors, by way of real servers, whose carbons, archives and
/// routing decide by which way each reaches Confab.
@Suite("Signals by each way, with slixmpp at real servers", .serialized)
struct SignalWayTests {
  @Test("At Prosody: before the first login, live, by carbon, from the archive, and around kill -9")
  func prosody() throws {
    let folder = try TemporaryFolder("signals")
    try folder.reportingLogs { try everyWay(at: Prosody(in: folder), in: folder) }
  }

  @Test("At ejabberd: before the first login, live, by carbon, from the archive, and around kill -9")
  func ejabberd() throws {
    let folder = try TemporaryFolder("signals")
    try folder.reportingLogs { try everyWay(at: Ejabberd(in: folder), in: folder) }
  }

  private func everyWay(at server: some AccountServer, in folder: TemporaryFolder) throws {
    let people = try SignalPeople(at: server, in: folder)
    try people.talk("first")
    let daemon = try Daemon("alice", in: folder, accounts: [server.account("alice")])
    try daemon.client().waitForLogin()
    try people.expectStates(at: daemon, "first login")
    try live(people, daemon)
    try daemon.client().ask("disconnect")
    _ = try daemon.waitForState(["stopped"])
    try people.talk("away")
    try daemon.client().ask("connect")
    try people.expectStates(at: daemon, "away")
    try killed(people, daemon)
    #expect(try daemon.terminate() == .exited(0))
    for name in ["checkpoint", "index"] { _ = unsafe unlink(daemon.dataPath + "/" + name) }
    try daemon.start()
    try people.expectStates(at: daemon, "from the log alone")
  }

  /// Signals reach Confab while it is online: by a carbon, to the bare JID, to its own full JID, and in all forms.
  private func live(_ people: SignalPeople, _ daemon: Daemon) throws {
    let client = try daemon.client()
    try client.waitForLogin()
    try people.talk("live")
    try people.expectStates(at: daemon, "live")
    for number in 1...6 { try people.write("form\(number)") }
    try people.bob.send(
      xml: people.stanza("<body>yes</body>" + SignalPeople.received("form2"), to: SignalPeople.account))
    people.states["form2"] = "delivered"
    try people.answer(
      SignalPeople.received("form3") + SignalPeople.received("form4"), to: people.phone.fullJID,
      makes: ["form3": "delivered", "form4": "delivered"])
    try people.answer(
      "<received xmlns='urn:xmpp:chat-markers:0' id='form5'/>", to: SignalPeople.account, makes: ["form5": "delivered"])
    // What comes behind the next message is not displayed with it.
    try people.expectStates(at: daemon, "forms")
    try corrected(people, daemon)
    try people.expectStates(at: daemon, "corrected")
    people.displayed("form1")
    try people.answer(
      "<acknowledged xmlns='urn:xmpp:chat-markers:0' id='form1'/>", to: SignalPeople.account, makes: [:])
    try people.expectStates(at: daemon, "acknowledged")
  }

  /// A message of Confab's, and a correction of it, whose id alone bob's marker names.
  private func corrected(_ people: SignalPeople, _ daemon: Daemon) throws {
    let client = try daemon.client()
    let id = try #require(try client.sendToBob("helo").id)
    let message = try people.bob.message()
    #expect(message.text("text") == "helo")
    try people.answer(
      SignalPeople.received(message.text("id")), to: message.text("from"), makes: ["helo": "delivered"])
    try client.send("send replace=\(id) wait=displayed timeout=60s bob@example.test hello")
    let correction = try people.bob.message()
    #expect(correction.text("text") == "hello" && correction.text("id") != message.text("id"))
    people.states["helo"] = nil
    people.add("hello")
    people.displayed("hello")
    try people.answer(SignalPeople.displayed(correction.text("id")), to: correction.text("from"), makes: [:])
    let answer = try client.answer(until: .seconds(90))
    #expect(answer.isOK && answer.final.text("state") == "displayed")
  }

  /// `kill -9` between a receipt and its message, and right after a receipt.
  private func killed(_ people: SignalPeople, _ daemon: Daemon) throws {
    let watcher = try daemon.client()
    try watcher.waitForLogin()
    try watcher.ask("watch kinds=message")
    try people.answer(SignalPeople.received("kill1"), to: SignalPeople.account, makes: [:])
    try people.bob.send("behind the receipt", to: SignalPeople.account)
    _ = try watcher.event("message") { $0["message"]?.text("text") == "behind the receipt" }
    try daemon.kill()
    try people.write("kill1")
    people.states["kill1"] = "delivered"
    try daemon.start()
    let client = try daemon.client()
    try client.waitForLogin()
    try people.expectStates(at: daemon, "killed before the message")
    try client.ask("watch kinds=message")
    for number in 2...6 {
      try people.write("kill\(number)")
      try people.answer(
        SignalPeople.received("kill\(number)"), to: number % 2 == 0 ? SignalPeople.account : people.phone.fullJID,
        makes: ["kill\(number)": "delivered"])
    }
    try people.phone.settle()
    try daemon.kill()
    try daemon.start()
    try people.expectStates(at: daemon, "killed right after the signals")
  }
}

/// My phone and bob, and the states that my messages must have.
private final class SignalPeople {
  static let account = "alice@example.test"
  let phone: Peer
  let bob: Peer
  /// By the text.
  var states: [String: String] = [:]
  /// The texts, oldest first.
  private var texts: [String] = []

  init(at server: some AccountServer, in folder: TemporaryFolder) throws {
    phone = try Peer("alice", password: "secret-a", at: server, in: folder, receipts: true)
    bob = try Peer("bob", password: "secret-b", at: server, in: folder)
  }

  static func received(_ id: String) -> String { "<received xmlns='urn:xmpp:receipts' id='\(id)'/>" }
  static func displayed(_ id: String) -> String { "<displayed xmlns='urn:xmpp:chat-markers:0' id='\(id)'/>" }

  func stanza(_ content: String, to: String, type: String = "chat", id: String? = nil) -> String {
    let id = id.map { " id='\($0)'" } ?? ""
    return "<message to='\(to)' type='\(type)'\(id)>\(content)<store xmlns='urn:xmpp:hints'/></message>"
  }

  /// A message of mine that is `sent`.
  func add(_ text: String) {
    texts.append(text)
    states[text] = "sent"
  }

  /// A marker displays all that was written before, too, except what failed.
  func displayed(_ text: String) {
    for text in texts[...(texts.firstIndex(of: text) ?? 0)] where states[text] != "failed" && states[text] != nil {
      states[text] = "displayed"
    }
  }

  /// My phone writes, and bob has it.
  func write(_ text: String, originID: String? = nil) throws {
    let origin = originID.map { "<origin-id xmlns='urn:xmpp:sid:0' id='\($0)'/>" } ?? ""
    try phone.send(
      xml: "<message to='bob@example.test' type='chat' id='\(text)'><body>\(text)</body>\(origin)</message>")
    let message = try bob.message()
    guard message.text("text") == text else { throw TestFailure("bob got \(message)") }
    add(text)
  }

  /// Bob says something of my messages; back when the server has routed it.
  func answer(
    _ content: String, to: String, type: String = "chat", id: String? = nil, makes states: [String: String]
  ) throws {
    try bob.send(xml: stanza(content, to: to, type: type, id: id))
    try bob.settle()
    for (text, state) in states { self.states[text] = state }
  }

  /// Messages of my phone and their signals, to my bare JID and to my phone; back when my phone has the last of them, so
  /// that the archive has all.
  func talk(_ label: String) throws {
    let ids = (1...6).map { "\(label)\($0)" }
    for (number, id) in ids.enumerated() { try write(id, originID: number > 2 ? "other-\(id)" : nil) }
    displayed(ids[0])
    try answer(Self.displayed(ids[0]), to: phone.fullJID, makes: [:])
    try answer(Self.received(ids[1]), to: Self.account, makes: [ids[1]: "delivered"])
    try answer(Self.received(ids[2]), to: phone.fullJID, makes: [ids[2]: "delivered"])
    try answer(Self.received("other-" + ids[3]), to: Self.account, makes: [ids[3]: "delivered"])
    try answer(Self.received(ids[4]), to: Self.account, makes: [ids[4]: "delivered"])
    try phone.event("receipt") { $0.text("about") == ids[4] }
  }

  /// Waits until the history says these states, looking again after each event of a message.
  func expectStates(at daemon: Daemon, _ when: String) throws {
    let watcher = try daemon.client()
    try watcher.ask("watch since=0")
    let client = try daemon.client()
    var found: [String: String] = [:]
    repeat {
      let messages = try client.wholeHistory("bob@example.test").filter { $0["mine"]?.bool == true }
      #expect(Set(messages.map { $0.text("text") }).count == messages.count, "\(when): a message stands twice")
      found = Dictionary(messages.map { ($0.text("text"), $0.text("state")) }) { $1 }
    } while found != states && (try? watcher.line(until: .seconds(45))) != nil
    let wrong = Set(found.keys).union(states.keys).filter { found[$0] != states[$0] }.sorted()
    let words = wrong.map { "\($0): \(found[$0] ?? "none") in place of \(states[$0] ?? "none")" }
    #expect(wrong.isEmpty, "\(when): \(words)")
  }
}
