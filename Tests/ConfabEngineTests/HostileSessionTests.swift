import Clocks
import Conversations
import JSON
import Testing
import XML

@testable import ConfabEngine

/// What a server, or somebody through it, sends on a stream that is logged in.
///
/// Each row is one deed: what a front end asked for before, what comes, what the client must say to that and must never
/// say, how many records and messages it keeps of it, how many stanzas it counts, and what comes of the session. Where
/// it lives, it is the same connection that answers a ping afterwards; where not, the next one. Each is done in one piece
/// and in small pieces.
@Suite("hostile servers and contacts, on a session")
struct HostileSessionTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    var asked: [String]
    /// `$message` is the id of the message, `$request` that of the iq, that the client sent last.
    let says: String
    let must: [String]
    let never: [String]
    /// Records that the log has afterwards for it, and messages among them.
    let records: Int
    let messages: Int
    let counts: UInt32
    let outcome: Outcome
    var testDescription: String { name }

    init(
      _ name: String, asked: String..., says: String, must: String..., never: String..., records: Int = 0,
      messages: Int = 0, counts: UInt32 = 1, then outcome: Outcome = .lives
    ) {
      (self.name, self.asked, self.says, self.must, self.never) = (name, asked, says, must, never)
      (self.records, self.messages, self.counts, self.outcome) = (records, messages, counts, outcome)
    }
  }

  // MARK: Forged senders of every stanza that has power

  static let forgedRoster =
    [
      "mallory@evil.example/x", "bob@example.org", "example.org", "alice@example.org/other",
      "alice@example.org.evil.example",
    ]
    .map { (from: String) in
      Row(
        "a roster push from \(from)", says: push(from: from), must: "type='error'", "service-unavailable",
        never: "type='result'")
    } + [
      Row("a roster push from nobody, which is our account", says: push(from: nil), must: "type='result'", records: 1),
      Row(
        "a roster push from our account, written otherwise", says: push(from: "ALICE@Example.org"),
        must: "type='result'", records: 1),
      Row("a roster that nobody asked for", says: push(from: nil, type: "result")),
      Row("a push of two items", says: push(from: nil, items: item + item), must: "type='error'"),
      Row("a push of nothing", says: push(from: nil, items: ""), must: "type='error'"),
      Row(
        "a push of no address", says: push(from: nil, items: "<item jid='@' subscription='both'/>"),
        must: "type='error'"),
      Row(
        "a push of an address that is too long",
        says: push(from: nil, items: "<item jid='\(String(repeating: "d", count: 1_024))' subscription='both'/>"),
        must: "type='error'"),
    ]

  static let forgedAnswers =
    ["mallory@evil.example", "bob@example.org", "alice@example.org/other", "example.org.evil.example", "@"].flatMap {
      from in
      [
        Row(
          "an answer to our request by \(from)", asked: "add carol@example.org",
          says: "<iq type='result' id='$request' from='\(from)'/>"),
        Row(
          "a refusal of our request by \(from)", asked: "add carol@example.org",
          says: "<iq type='error' id='$request' from='\(from)'>\(error("forbidden"))</iq>"),
      ]
    } + [
      Row(
        "an answer to our request", asked: "add carol@example.org", says: "<iq type='result' id='$request'/>",
        records: 1),
      Row("an answer to nothing", says: "<iq type='result' id='1'/><iq type='error' id='2'/>", counts: 2),
      Row("another resource, bound by nobody", says: Hostile.bound("mallory@evil.example/x", id: "1")),
      Row(
        "a request to bind", says: "<iq type='set' id='1'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>",
        must: "service-unavailable"),
      Row(
        "a request for a session",
        says: "<iq type='set' id='1'><session xmlns='urn:ietf:params:xml:ns:xmpp-session'/></iq>",
        must: "service-unavailable"),
    ]

  static let forgedFailures =
    ["mallory@evil.example/x", "bob@example.org.evil.example", "example.org", "@"].map { from in
      Row(
        "the failure of our message to bob, by \(from)", asked: "send bob@example.org hello",
        says: "<message type='error' id='$message' from='\(from)'>\(error("gone"))</message>")
    } + [
      Row(
        "the failure of our message, by whom it was for", asked: "send bob@example.org hello",
        says: "<message type='error' id='$message' from='bob@example.org/x'>\(error("gone"))</message>", records: 1),
      Row(
        "a failure without a condition", asked: "send bob@example.org hello",
        says: "<message type='error' id='$message' from='bob@example.org'><body>no</body></message>", records: 1),
      Row(
        "the failure of a message that nobody sent", asked: "send bob@example.org hello",
        says: "<message type='error' id='nothing' from='bob@example.org'>\(error("gone"))</message>"),
      Row("an error that names nothing", says: "<message type='error' from='bob@example.org'><body>x</body></message>"),
    ]

  static let forgedPresence =
    ["subscribed", "unsubscribe", "unsubscribed", "probe", "error", "nonsense", "invisible"].map { type in
      Row(
        "a presence of type \(type)", says: "<presence type='\(type)' from='mallory@evil.example'/>", never: "<presence"
      )
    } + [
      Row("a request by ourselves", says: "<presence type='subscribe' from='alice@example.org'/>", never: "<presence"),
      Row(
        "we are gone, it says", says: "<presence type='unavailable' from='alice@example.org/confab'/>",
        never: "<presence"),
      Row(
        "a presence without measure",
        says: "<presence from='mallory@evil.example/x'><priority>99999999999999999999</priority><show>naked</show>"
          + "<status>\(String(repeating: "s", count: 100_000))</status></presence>"),
    ]

  static let forgedWrappings = [
    Row(
      "a carbon by somebody else",
      says: "<message from='bob@example.org/x'><received xmlns='urn:xmpp:carbons:2'>\(forwarded)</received></message>",
      records: 1),
    Row(
      "an archived message by somebody else",
      says: "<message from='bob@example.org'><result xmlns='urn:xmpp:mam:2' id='1'>\(forwarded)</result></message>",
      records: 1),
    Row(
      "a message to somebody else",
      says: "<message from='bob@example.org/x' to='dave@example.org'><body>x</body></message>",
      records: 1, messages: 1),
    Row("a message of ours from elsewhere", says: "<message><body>x</body></message>", records: 1, messages: 1),
  ]

  static let curiosity = [
    "<ping xmlns='urn:xmpp:ping'/>", "<query xmlns='jabber:iq:version'/>", "<time xmlns='urn:xmpp:time'/>",
    "<query xmlns='http://jabber.org/protocol/disco#info'/>", "<query xmlns='jabber:iq:last'/>", "<x xmlns='urn:x'/>",
    "",
    "<ping xmlns='urn:xmpp:ping'/><ping xmlns='urn:xmpp:ping'/>",
  ].map {
    Row(
      "a stranger asks: \($0)", says: "<iq type='get' id='1' from='mallory@evil.example/x'>\($0)</iq>",
      must: "<service-unavailable", never: "Confab", "type='result'")
  }

  // MARK: Addresses, ids, types and stamps that are none, or absurd

  static let addresses = [
    "", "@", "a@", "@b", "a@/x", "/x", "a@b@c", "a b@c", "a@b c", "a@b/", "a..b", "a@.", "a\u{85}b@c", "a@b/\u{2028}",
    "\u{1FFFE}@c", "a&amp;b@c", "a&apos;b@c", String(repeating: "l", count: 1_024) + "@b",
    "a@" + String(repeating: "d", count: 1_024), "a@b/" + String(repeating: "r", count: 1_024),
  ].enumerated().map { index, from in
    Row(
      "stanzas from no address (\(index)): \(from.prefix(20))",
      says: "<message from='\(from)' id='1'><body>x</body></message><presence from='\(from)'/>"
        + "<presence type='subscribe' from='\(from)'/><iq type='get' id='1' from='\(from)'><ping xmlns='urn:xmpp:ping'/></iq>",
      never: "<iq", "<presence", counts: 4)
  }

  static let absurd = [
    Row(
      "a `to` that is no address", says: "<message to='@' from='bob@example.org'><body>x</body></message>", records: 1,
      messages: 1),
    Row(
      "a message of an unknown type", says: "<message type='zzz' from='bob@example.org'><body>x</body></message>",
      records: 1, messages: 1),
    Row(
      "a message of a room nobody is in",
      says: "<message type='groupchat' from='r@example.org/n'><body>x</body></message>"),
    Row("a request of no type", says: "<iq id='1'><ping xmlns='urn:xmpp:ping'/></iq>", must: "bad-request"),
    Row(
      "a request of an unknown type", says: "<iq type='zzz' id='1'><ping xmlns='urn:xmpp:ping'/></iq>",
      must: "bad-request"),
    Row("a request without an id", says: "<iq type='get'><ping xmlns='urn:xmpp:ping'/></iq>", must: "bad-request"),
    Row("a request for nothing", says: "<iq type='get' id='1'/>", must: "bad-request"),
    Row(
      "a request for two things",
      says: "<iq type='get' id='1'><ping xmlns='urn:xmpp:ping'/><ping xmlns='urn:xmpp:ping'/></iq>",
      must: "bad-request"),
    Row("an empty id", says: "<iq type='get' id=''><ping xmlns='urn:xmpp:ping'/></iq>", must: "type='result' id=''"),
    Row(
      "an id of 1,024 bytes", says: "<iq type='get' id='\(long(1_024))'><ping xmlns='urn:xmpp:ping'/></iq>",
      must: "type='result' id='\(long(1_024))'"),
    Row(
      "an id of 1,025 bytes", says: "<iq type='get' id='\(long(1_025))'><ping xmlns='urn:xmpp:ping'/></iq>",
      never: "<iq"),
    Row(
      "an id of a million bytes", says: "<iq type='get' id='\(long(1_000_000))'><ping xmlns='urn:xmpp:ping'/></iq>",
      never: "<iq"),
    Row(
      "an id of control characters",
      says: "<iq type='get' id='\u{202E}&#9;&lt;\u{85}'><ping xmlns='urn:xmpp:ping'/></iq>",
      must: "id='\u{202E}&#9;&lt;\u{85}'"),
    Row(
      "a message with an empty id", says: "<message id='' from='bob@example.org'><body>x</body></message>", records: 1,
      messages: 1),
    Row(
      "a message with an id of 100,000 bytes",
      says: "<message id='\(long(100_000))' from='bob@example.org'><body>x</body></message>",
      records: 1, messages: 1),
    Row(
      "a message with everything absurd",
      says: "<message from='bob@example.org' xml:lang='\(long(5_000))' id='\u{202E}'><body/><subject>\u{202E}</subject>"
        + "<thread parent=''/><delay xmlns='urn:xmpp:delay' stamp='9999999'/><stanza-id xmlns='urn:xmpp:sid:0'/>"
        + "<origin-id xmlns='urn:xmpp:sid:0'/><error/></message>", records: 1, messages: 1),
  ]

  // MARK: What has no place here

  static let outOfPlace =
    [
      "<stream:features/>", Hostile.sasl("success"), Hostile.sasl("challenge"), Hostile.sasl("failure"),
      Hostile.tls("proceed"), "<message xmlns='jabber:server'/>", "<Message/>", "<x xmlns='urn:x'/>",
      "<stream:stream></stream:stream>", "<enabled xmlns='urn:xmpp:sm:3'/>", "<failed xmlns='urn:xmpp:sm:3'/>",
      "<resumed xmlns='urn:xmpp:sm:3' h='0' previd='1'/>", "<enable xmlns='urn:xmpp:sm:3'/>",
      "<a xmlns='urn:xmpp:sm:3' h='4000000000'/>",
    ].map { Row("\($0)", says: $0, must: "undefined-condition", then: .triesAgain("broke the protocol")) }
    + ["", " h=''", " h='-1'", " h='4294967296'", " h='0x1'", " h=' 1'", " h='1e0'"].map {
      Row(
        "an acknowledgement of nothing:\($0)", says: "<a xmlns='urn:xmpp:sm:3'\($0)/>", must: "undefined-condition",
        then: .triesAgain("broke the protocol"))
    } + [
      Row("the end of the stream", says: "</stream:stream>", then: .triesAgain("closed the stream")),
      Row(
        "a message behind the end", says: "</stream:stream><message from='bob@example.org'><body>x</body></message>",
        then: .triesAgain("closed the stream")),
    ]

  static let forbidden = Hostile.forbiddenXML.map {
    Row($0.name, says: $0.text, must: $0.condition, then: .triesAgain("the server sent"))
  }

  // MARK: The limits, at and beyond

  static let limits: [Row] = {
    let limits = StreamLimits.authenticated
    func message(_ content: String) -> String {
      "<message from='mallory@evil.example/x' id='1'><body>x</body>\(content)</message>"
    }
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    func attributes(_ count: Int) -> String { "<a \((0..<count).map { "b\($0)=''" }.joined(separator: " "))/>" }
    func children(_ count: Int) -> String { "<a>\(String(repeating: "<b/>", count: count))</a>" }
    // The names of the stanza itself and of what stands around these count too.
    func names(_ count: Int) -> String { "<a>\((0..<count).map { "<n\($0)/>" }.joined())</a>" }
    func filled(_ bytes: Int) -> String { String(repeating: "x", count: bytes - message("").utf8.count) }
    func declared(_ count: Int) -> String { "<a \((0..<count).map { "xmlns:p\($0)='u'" }.joined(separator: " "))/>" }
    let pairs: [(String, String, String)] = [
      ("elements in elements", nested(limits.depth - 1), nested(limits.depth)),
      ("attributes", attributes(limits.attributes), attributes(limits.attributes + 1)),
      ("children", children(limits.children), children(limits.children + 1)),
      ("names", names(limits.stanzaNames - 10), names(limits.stanzaNames + 1)),
      ("bytes", filled(limits.stanzaBytes), filled(limits.stanzaBytes + 1)),
    ]
    return pairs.flatMap { name, at, beyond in
      [
        Row("as many \(name) as there may be", says: message(at), records: 1, messages: 1),
        Row("more \(name)", says: message(beyond), records: 1),
      ]
    } + [
      Row("10,000 declarations of a namespace", says: message(declared(10_000)), records: 1, messages: 1),
      Row("a request over a limit", says: "<iq type='get' id='1'>\(nested(100))</iq>", never: "<iq", records: 1),
      Row("a presence over a limit", says: "<presence from='bob@example.org/x'>\(nested(100))</presence>", records: 1),
      Row(
        "an answer over a limit", asked: "add carol@example.org",
        says: "<iq type='result' id='$request'>\(nested(100))</iq>",
        records: 1),
      Row(
        "what never ends and is no stanza",
        says: "<message><a b='" + String(repeating: "c", count: limits.tokenBytes + 1),
        must: "policy-violation", then: .triesAgain("more than is accepted")),
    ]
  }()

  static let rows =
    forgedRoster + forgedAnswers + forgedFailures + forgedPresence + forgedWrappings + curiosity + addresses + absurd
    + outOfPlace + forbidden + limits

  @Test("each deed has its answer and its end", arguments: rows, [false, true])
  func deeds(row: Row, slowly: Bool) throws {
    let harness = try Harness()
    let client = harness.connect()
    for line in row.asked { harness.send(client, line + "\n") }
    harness.pass(.milliseconds(100))
    let (message, request) = (lastID("<message", harness), lastID("<iq", harness))
    let (before, messages, records) = (handled(harness), texts(harness), harness.engine.turn.ledger.last)
    let link = harness.link
    harness.clearTrace()
    let text = row.says.replacing("$message", with: message).replacing("$request", with: request)
    let size = slowly ? 1 + text.utf8.count / 4_000 : text.utf8.count + 1
    for start in stride(from: 0, to: text.utf8.count, by: size) {
      guard let link, harness.link == link else { break }
      harness.handle(.link(link, .received(Array(text.utf8.dropFirst(start).prefix(size)))))
    }
    harness.pass(.milliseconds(100))
    for word in row.must { #expect(harness.toServer.contains(word), "\(word) in \(harness.toServer)") }
    for word in row.never { #expect(!harness.toServer.contains(word), "\(word) in \(harness.toServer)") }
    #expect(texts(harness) - messages == row.messages)
    if case .triesAgain(let words) = row.outcome {
      #expect(harness.link == nil)
      let status = harness.ask(client, "status").compactMap { $0["account"] }.first
      #expect(status?["state"]?.string == "waiting")
      #expect(status?["reason"]?.string?.contains(words) == true, "\(status?["reason"]?.string ?? "")")
      harness.pass(.seconds(2))
    } else {
      #expect(harness.link == link)
      #expect(harness.engine.turn.ledger.last - records == UInt64(row.records))
      #expect(handled(harness) - before == row.counts)
    }
    expectAlive(harness)
  }

  @Test(
    "every stream error ends the session, in words, and nobody else is connected to", arguments: Hostile.streamErrors)
  func streamErrors(condition: String) throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.receive(Hostile.streamError(condition, condition == "see-other-host" ? "evil.example:5222" : ""))
    let status = harness.ask(client, "status").compactMap { $0["account"] }.first
    #expect(status?["state"]?.string != "online")
    let words = ["nonsense": "undefined-condition", "see-other-host": "certificate"]
    #expect(status?["reason"]?.string?.contains(words[condition] ?? condition) == true)
    if status?["state"]?.string == "refused" { _ = harness.ask(client, "connect") }
    harness.pass(.minutes(6))
    #expect(harness.ask(client, "status").compactMap { $0["account"] }.first?["state"]?.string == "online")
    #expect(Set(harness.tlsDomains) == ["example.org"])
  }

  @Test("names without end are nothing to a stream")
  func names() throws {
    let harness = try Harness()
    let first = try #require(harness.link)
    for number in 0..<60 { harness.receive(nameful(number)) }
    harness.pass(.seconds(1))
    #expect(harness.link == first)
    #expect(texts(harness) == 60)
    expectAlive(harness)
  }

  @Test(
    "where they are, for its long start: what came is acknowledged, and a new stream begins, each message kept once")
  func namesOfALongStart() throws {
    let harness = try Harness()
    let start = Hostile.header.replacing(" id='h1'", with: " id='h1' padding='\(Self.long(5_000))'")
    let features = "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/><sm xmlns='urn:xmpp:sm:3'/>"
    harness.server.deviation = Deviation(
      moment: .reopening, text: start + "<stream:features>\(features)</stream:features>")
    harness.cut()
    harness.pass(.seconds(2))
    let first = try #require(harness.link)
    harness.clearTrace()
    var sent = 0
    while harness.link == first, sent < 100 {
      harness.receive(nameful(sent))
      harness.pass(.milliseconds(20))
      sent += 1
    }
    #expect((20...30).contains(sent))
    #expect(harness.toServer.contains("<a xmlns='urn:xmpp:sm:3' h='\(sent + 1)'/></stream:stream>"))
    harness.pass(.seconds(5))
    #expect(texts(harness) == sent)
    expectAlive(harness)
  }

  @Test(
    "a stamp counts where it is the server's and a time, and never beyond now",
    arguments: [
      ("0000-01-01T00:00:00Z", nil), ("99999-01-01T00:00:00Z", nil), ("9999999", nil), ("", nil),
      ("2026-02-30T00:00:00Z", nil), ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
      ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"), ("9999-12-31T23:59:59Z", nil),
      ("2020-01-01T00:00:00.999999999999999999999Z", "2020-01-01T00:00:00.999Z"),
    ] as [(String, String?)])
  func stamps(stamp: String, expected: String?) throws {
    for from in ["example.org", "mallory@evil.example"] {
      let harness = try Harness()
      let now = harness.now.wall.rfc3339
      harness.receive(
        "<message from='bob@example.org/x'><body>x</body><delay xmlns='urn:xmpp:delay' from='\(from)' stamp='\(stamp)'/>"
          + "<stanza-id xmlns='urn:xmpp:sid:0' by='bob@example.org' id='forged'/></message>")
      harness.pass(.seconds(1))
      let message = harness.ask(harness.connect(), "history bob@example.org").first?["message"]
      #expect(message?["time"]?.string == (from == "example.org" ? expected ?? now : now))
      let claimed = stamp.hasPrefix("9999-") ? "9999-12-31T23:59:59.000Z" : expected
      #expect(message?["claimed_time"]?.string == (from == "example.org" ? nil : claimed))
    }
  }

  // MARK: - Means

  private func expectAlive(_ harness: Harness) {
    harness.clearTrace()
    harness.receive("<iq type='get' id='alive' from='example.org'><ping xmlns='urn:xmpp:ping'/></iq>")
    #expect(harness.toServer.contains("<iq type='result' id='alive'"))
  }

  /// A message of 900 names of its own.
  private func nameful(_ number: Int) -> String {
    let names = (0..<900).map { "<n\(number)-\($0)/>" }.joined()
    return "<message from='mallory@evil.example' id='\(number)'><body>x</body><a>\(names)</a></message>"
  }

  private static let item = "<item jid='mallory@evil.example' subscription='both'/>"

  private static func push(from: String?, type: String = "set", items: String = item) -> String {
    let from = from.map { " from='\($0)'" } ?? ""
    return "<iq type='\(type)' id='push'\(from)><query xmlns='jabber:iq:roster'>\(items)</query></iq>"
  }

  private static func error(_ condition: String) -> String {
    "<error type='cancel'><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"
  }

  private static let forwarded =
    "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' from='carol@example.org/x' type='chat'>"
    + "<body>forged</body></message></forwarded>"

  private static func long(_ count: Int) -> String { String(repeating: "i", count: count) }

  private func lastID(_ element: String, _ harness: Harness) -> String {
    let tail = harness.toServer.components(element).last ?? ""
    return ScriptedStream.value(of: "id", in: tail) ?? "none"
  }

  /// How far the client says that it is.
  private func handled(_ harness: Harness) -> UInt32 {
    harness.clearTrace()
    harness.receive("<r xmlns='urn:xmpp:sm:3'/>")
    return ScriptedStream.value(of: "h", in: harness.toServer).flatMap { UInt32($0) } ?? 0
  }

  /// Messages in all conversations.
  private func texts(_ harness: Harness) -> Int {
    harness.engine.facts.accounts[1]?.conversations.values.reduce(0) { $0 + $1.timeline.count } ?? 0
  }
}
