import Clocks
import ConfabAccounts
import JSON
import Testing

/// The answers of a room to those who run it.
private enum RoomAnswers {
  static let room = "team@rooms.example.org"

  static func result(_ payload: String = "") -> String {
    "<iq type='result' from='\(room)' id='$id'>\(payload)</iq>"
  }

  static func error(_ condition: String, _ text: String = "", type: String = "cancel") -> String {
    let words = text.isEmpty ? "" : "<text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>\(text)</text>"
    return "<iq type='error' from='\(room)' id='$id'><error type='\(type)'>"
      + "<\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>\(words)</error></iq>"
  }

  static func form(_ fields: String) -> (part: String, answer: String) {
    (
      "<query xmlns='http://jabber.org/protocol/muc#owner'/>",
      result(
        "<query xmlns='http://jabber.org/protocol/muc#owner'><x xmlns='jabber:x:data' type='form'>\(fields)</x></query>"
      )
    )
  }

  static func field(_ name: String, _ type: String, _ values: [String] = [], options: [String] = []) -> String {
    let inner =
      values.map { "<value>\($0)</value>" } + options.map { "<option label='L'><value>\($0)</value></option>" }
    return "<field var='\(name)' type='\(type)' label='A &lt;b&gt;'>\(inner.joined())</field>"
  }

  static let fields: String =
    field("FORM_TYPE", "hidden", ["http://jabber.org/protocol/muc#roomconfig"])
    + "<field type='fixed'><value>About</value></field>" + field("name", "text-single", ["Team"])
    + field("open", "boolean", ["0"]) + field("who", "list-single", ["a"], options: ["a", "b"])
    + field("roles", "list-multi", ["x"], options: ["x", "y", "z"]) + field("admins", "jid-multi")
    + field("rules", "text-multi", ["be", "kind"]) + field("secret", "text-private", ["s"])

  static let submitted: (part: String, answer: String) = ("type='submit'", result())

  static func request(_ nick: String, from: String = room) -> String {
    func field(_ name: String, _ value: String) -> String { "<field var='\(name)'><value>\(value)</value></field>" }
    return "<message from='\(from)' id='v'><x xmlns='jabber:x:data' type='form'>"
      + field("FORM_TYPE", "http://jabber.org/protocol/muc#request") + field("muc#role", "participant")
      + field("muc#jid", "\(nick)@example.org/x") + field("muc#roomnick", nick) + field("muc#request_allow", "false")
      + "</x></message>"
  }

  static func registration(_ inner: String) -> (part: String, answer: String) {
    ("<query xmlns='jabber:iq:register'/>", result("<query xmlns='jabber:iq:register'>\(inner)</query>"))
  }

  static let nickForm: String =
    "<x xmlns='jabber:x:data' type='form'>"
    + "<field var='FORM_TYPE' type='hidden'><value>http://jabber.org/protocol/muc#register</value></field>"
    + "<field var='muc#register_roomnick' type='text-single'><required/></field></x>"
}

/// Rooms that I run: their configuration, the right to speak, registered nicks, their lists.
@Suite("Running a room")
struct RoomRunningTests {
  func harness(_ answers: [(part: String, answer: String)]) throws -> Harness {
    var room = ScriptedRoom()
    room.answers = answers
    var server = ScriptedStream()
    server.room = room
    server.acknowledges = true
    let harness = try Harness(server: server)
    let answer = harness.ask(harness.connect(90), "join wait=joined \(RoomAnswers.room)")
    #expect(answer.last?["ok"]?.bool == true, "\(answer)")
    return harness
  }

  private func asked(_ harness: Harness) -> [String] { harness.server.room?.asked ?? [] }

  // MARK: - Configuration

  @Test("The configuration of a room is shown field by field")
  func form() throws {
    let harness = try harness([RoomAnswers.form(RoomAnswers.fields)])
    let lines = harness.ask(harness.connect(1), "configure \(RoomAnswers.room)")
    let fields = lines.compactMap { $0["field"] }
    #expect(fields.compactMap { $0["name"]?.string }.count == 8 && fields.count == 9)
    func value(_ name: String) -> JSONValue? { fields.first { $0["name"]?.string == name }?["value"] }
    #expect(value("name")?.string == "Team" && value("open")?.bool == false && value("who")?.string == "a")
    #expect(value("roles")?.array?.compactMap(\.string) == ["x"] && value("admins")?.array?.isEmpty == true)
    #expect(value("rules")?.array?.compactMap(\.string) == ["be", "kind"] && value("secret")?.string == "s")
    #expect(fields[1]["type"]?.string == "fixed" && fields[1]["value"]?.string == "About")
    #expect(fields[0]["type"]?.string == "hidden" && fields[2]["label"]?.string == "A <b>")
    let options = fields.first { $0["name"]?.string == "who" }?["options"]?.array
    #expect(options?.compactMap { $0["value"]?.string } == ["a", "b"])
  }

  @Test("The fields that are named are set, the others are not sent, in words and in JSON")
  func set() throws {
    let harness = try harness([RoomAnswers.form(RoomAnswers.fields), RoomAnswers.submitted])
    let client = harness.connect(1)
    let words = "name=A open=yes who=b roles=y roles=z admins=Ann@example.org rules= secret="
    #expect(harness.ask(client, "configure \(RoomAnswers.room) \(words)").last?["ok"]?.bool == true)
    let sent = try #require(asked(harness).last)
    let type = "<field var='FORM_TYPE' type='hidden'><value>http://jabber.org/protocol/muc#roomconfig</value></field>"
    #expect(
      sent.contains(
        type + "<field var='name'><value>A</value></field><field var='open'><value>1</value></field>"
          + "<field var='who'><value>b</value></field><field var='roles'><value>y</value><value>z</value></field>"
          + "<field var='admins'><value>ann@example.org</value></field><field var='rules'><value></value></field>"
          + "<field var='secret'><value></value></field></x>"), "\(sent)")
    let json = #"{"name":"A B","open":true,"admins":[],"rules":"one\ntwo"}"#
    let request = #"{"verb":"configure","room":"\#(RoomAnswers.room)","fields":\#(json)}"#
    #expect(harness.ask(client, request).last?["ok"]?.bool == true)
    #expect(
      asked(harness).last?.contains(
        type + "<field var='name'><value>A B</value></field><field var='open'><value>1</value></field>"
          + "<field var='admins'/><field var='rules'><value>one</value><value>two</value></field></x>") == true
        || asked(harness).last?.contains("<field var='admins'></field>") == true, "\(asked(harness).last ?? "")")
  }

  @Test(
    "A field that is not there, cannot be set or does not take the value is refused, and nothing is sent",
    arguments: [
      "none=1", "FORM_TYPE=x", "who=", "open=maybe", "open=", "who=c", "roles=x roles=q", "name=a name=b", "admins=@",
      "name=A none=1",
    ])
  func badField(_ fields: String) throws {
    let harness = try harness([RoomAnswers.form(RoomAnswers.fields), RoomAnswers.submitted])
    let answer = harness.ask(harness.connect(1), "configure \(RoomAnswers.room) \(fields)").last
    #expect(
      answer?["error"]?.string == "bad-argument" && answer?["argument"]?.string == "fields",
      "\(answer?["reason"]?.string ?? "")")
    #expect(asked(harness).count == 1)
  }

  @Test("What is no field is refused before the room is asked", arguments: ["name", "=x", "name=a b"])
  func noField(_ fields: String) throws {
    let harness = try harness([RoomAnswers.form(RoomAnswers.fields)])
    let answer = harness.ask(harness.connect(1), "configure \(RoomAnswers.room) \(fields)").last
    #expect(answer?["error"]?.string == "bad-argument" && answer?["argument"]?.string == "fields")
    #expect(asked(harness).isEmpty)
  }

  @Test(
    "A room that refuses says why; a form that is too large, or none, is refused",
    arguments: [
      (RoomAnswers.error("forbidden", "Only owners"), "Only owners"), (RoomAnswers.result(), "no form"),
      (RoomAnswers.form(String(repeating: RoomAnswers.field("f", "boolean"), count: 1_001)).answer, "1000 fields"),
      (
        RoomAnswers.form(RoomAnswers.field("f", "text-single", [String(repeating: "a", count: 256 << 10)])).answer,
        "262144 bytes"
      ),
    ])
  func refused(_ answer: String, _ words: String) throws {
    for line in ["", " name=A"] {
      let harness = try harness([("muc#owner", answer)])
      let final = harness.ask(harness.connect(1), "configure \(RoomAnswers.room)\(line)")
      #expect(final.count == 1 && final.last?["error"]?.string == "failed")
      #expect(final.last?["reason"]?.string?.contains(words) == true, "\(final)")
    }
  }

  @Test("A form of a thousand fields is shown")
  func large() throws {
    let fields = (0..<1_000).map { RoomAnswers.field("f\($0)", "boolean") }.joined()
    let harness = try harness([RoomAnswers.form(fields)])
    #expect(harness.ask(harness.connect(1), "configure \(RoomAnswers.room)").compactMap { $0["field"] }.count == 1_000)
  }

  // MARK: - The right to speak

  private func visitor(_ nick: String, _ harness: Harness, role: String = "visitor", type: String? = nil) throws {
    let item = "affiliation='none' role='\(role)'"
    harness.say(try #require(harness.server.room?.occupant(nick, item, type: type)))
    harness.pass(.seconds(1))
  }

  private func requests(_ harness: Harness) -> [String] {
    let room = harness.ask(harness.connect(92), "room \(RoomAnswers.room)").first?["room"]
    return (room?["requests"]?.array ?? []).compactMap { $0["nick"]?.string }
  }

  @Test("Who asks to speak is told once to those who watch, also after a restart, and waits until that is answered")
  func voice() throws {
    let harness = try harness([])
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch kinds=voice-request")
    try visitor("dan", harness)
    harness.say(RoomAnswers.request("dan"), RoomAnswers.request("dan"))
    harness.pass(.seconds(1))
    let events = harness.takeLines(watcher)
    #expect(events.count == 1 && events.first?["nick"]?.string == "dan")
    #expect(events.first?["jid"]?.string == "dan@example.org" && events.first?["room"]?.string == RoomAnswers.room)
    #expect(requests(harness) == ["dan"])
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    let later = next.connect(2)
    let told = next.ask(later, "watch since=0 kinds=voice-request").filter { $0["event"]?.string == "voice-request" }
    #expect(told.compactMap { $0["nick"]?.string } == ["dan"])
    let client = harness.connect(3)
    #expect(harness.ask(client, "voice \(RoomAnswers.room) eve yes").last?["error"]?.string == "not-found")
    #expect(harness.ask(client, "voice \(RoomAnswers.room) dan").last?["error"]?.string == "bad-argument")
    harness.clearTrace()
    #expect(harness.ask(client, "voice \(RoomAnswers.room) dan no").last?["ok"]?.bool == true)
    #expect(harness.toServer.contains("<field var='muc#jid'><value>dan@example.org/x</value></field>"))
    #expect(harness.toServer.contains("<field var='muc#request_allow'><value>false</value></field>"))
    #expect(requests(harness).isEmpty)
  }

  @Test("An answer that the room does not follow is failed, and the request waits")
  func ignored() throws {
    let harness = try harness([])
    try visitor("dan", harness)
    harness.say(RoomAnswers.request("dan"))
    harness.pass(.seconds(1))
    #expect(harness.ask(harness.connect(3), "voice \(RoomAnswers.room) dan yes").last?["error"]?.string == "failed")
    #expect(requests(harness) == ["dan"])
    try visitor("dan", harness, role: "participant")
    #expect(requests(harness).isEmpty)
  }

  @Test("A request ends when its occupant leaves, also while we were away")
  func gone() throws {
    let harness = try harness([])
    for nick in ["dan", "eve"] { try visitor(nick, harness) }
    harness.say(RoomAnswers.request("dan"), RoomAnswers.request("eve"))
    harness.pass(.seconds(1))
    try visitor("dan", harness, type: "unavailable")
    #expect(requests(harness) == ["eve"])
    harness.cut()
    harness.pass(.minutes(1))
    #expect(requests(harness).isEmpty)
  }

  @Test("Only the room itself tells of a request, and it keeps a hundred")
  func forged() throws {
    let harness = try harness([])
    harness.say(
      RoomAnswers.request("dan", from: "\(RoomAnswers.room)/bob"), RoomAnswers.request("dan", from: "bob@example.org/x")
    )
    harness.say(RoomAnswers.request("dan").replacing("<message ", with: "<message type='error' "))
    harness.say(RoomAnswers.request("dan").replacing("muc#roomnick", with: "nick"))
    harness.pass(.seconds(1))
    #expect(requests(harness).isEmpty)
    for number in 0..<150 { harness.say(RoomAnswers.request("v\(number)")) }
    harness.pass(.seconds(1))
    #expect(requests(harness).count == 100)
  }

  @Test("I ask to speak; a room that refuses says why")
  func ask() throws {
    let harness = try harness([])
    #expect(harness.ask(harness.connect(1), "voice \(RoomAnswers.room)").last?["ok"]?.bool == true)
    #expect(harness.toServer.contains("<field var='muc#role'><value>participant</value></field></x></message>"))
    let refusal =
      "<message type='error' from='\(RoomAnswers.room)' id='$id'><error type='wait'>"
      + "<resource-constraint xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></message>"
    let strict = try self.harness([("muc#request", refusal)])
    let answer = strict.ask(strict.connect(1), "voice \(RoomAnswers.room)").last
    #expect(answer?["error"]?.string == "failed" && answer?["reason"]?.string?.contains("resource-constraint") == true)
  }

  // MARK: - Registered nicks

  @Test("A nick is shown and registered")
  func register() throws {
    let harness = try harness([RoomAnswers.registration(RoomAnswers.nickForm), RoomAnswers.submitted])
    let client = harness.connect(1)
    let none = harness.ask(client, "register \(RoomAnswers.room)").last
    #expect(none?["ok"]?.bool == true && none?["nick"] == nil)
    #expect(harness.ask(client, "register \(RoomAnswers.room) ally").last?["nick"]?.string == "ally")
    #expect(asked(harness).last?.contains("<field var='muc#register_roomnick'><value>ally</value></field>") == true)
    let known = try self.harness([RoomAnswers.registration("<registered/><username>ally</username>")])
    #expect(known.ask(known.connect(1), "register \(RoomAnswers.room)").last?["nick"]?.string == "ally")
  }

  @Test(
    "A room that registers nobody, only members, or asks for more, says so",
    arguments: [
      (RoomAnswers.error("service-unavailable"), "not-supported"),
      (RoomAnswers.error("feature-not-implemented"), "not-supported"),
      (RoomAnswers.result(), "not-supported"), (RoomAnswers.error("registration-required", type: "auth"), "failed"),
      (
        RoomAnswers.registration("<x xmlns='jabber:x:data' type='form'><field var='email'><required/></field></x>")
          .answer, "failed"
      ),
    ])
  func unregistered(_ answer: String, _ code: String) throws {
    let harness = try harness([("jabber:iq:register", answer)])
    #expect(harness.ask(harness.connect(1), "register \(RoomAnswers.room) ally").last?["error"]?.string == code)
    #expect(asked(harness).count == 1)
  }

  @Test("A nick that another person has is refused with the room's words, and one that none can have at once")
  func taken() throws {
    let conflict = ("type='submit'", RoomAnswers.error("conflict"))
    let harness = try harness([RoomAnswers.registration(RoomAnswers.nickForm), conflict])
    #expect(harness.ask(harness.connect(1), "register \(RoomAnswers.room) ally").last?["error"]?.string == "failed")
    let request = #"{"verb":"register","room":"\#(RoomAnswers.room)","nick":"a\u0007"}"#
    #expect(harness.ask(harness.connect(2), request).last?["error"]?.string == "bad-argument")
  }

  // MARK: - Lists

  @Test("An affiliation's list has those who are not there, too, and is searched and narrowed like the occupants")
  func lists() throws {
    let items =
      "<item affiliation='member' jid='bob@example.org'/><item affiliation='member' jid='zoe@example.org' nick='Zoe'/>"
      + "<item affiliation='member' jid='amy@example.org'/>"
    let list = RoomAnswers.result("<query xmlns='http://jabber.org/protocol/muc#admin'>\(items)</query>")
    let harness = try harness([("muc#admin", list)])
    let item = "affiliation='member' role='participant' jid='bob@example.org/x'"
    harness.say(try #require(harness.server.room?.occupant("bob", item)))
    let client = harness.connect(1)
    func jids(_ options: String) -> [String] {
      harness.ask(client, "members affiliation=member \(options)\(RoomAnswers.room)").compactMap {
        $0["member"]?["jid"]?.string
      }
    }
    #expect(jids("") == ["bob@example.org", "amy@example.org", "zoe@example.org"])
    #expect(jids("role=participant ") == ["bob@example.org"] && jids("match=ZO ") == ["zoe@example.org"])
    let first = harness.ask(client, "members affiliation=member limit=1 \(RoomAnswers.room)")
    #expect(first.count == 2 && first.last?["count"]?.integer == 3)
    #expect(
      first.first?["member"]?["nick"]?.string == "bob" && first.first?["member"]?["role"]?.string == "participant")
  }

  @Test("Who is called as somebody looks for comes first, whoever else has that in a nick")
  func exact() throws {
    let harness = try harness([])
    for (nick, role) in [("1bob", "moderator"), ("abob", "participant"), ("bob", "participant")] {
      harness.say(try #require(harness.server.room?.occupant(nick, "affiliation='none' role='\(role)'")))
    }
    let found = harness.ask(harness.connect(1), "members limit=2 match=bob \(RoomAnswers.room)")
    #expect(found.compactMap { $0["member"]?["nick"]?.string } == ["bob", "1bob"])
    #expect(found.last?["count"]?.integer == 3)
  }
}
