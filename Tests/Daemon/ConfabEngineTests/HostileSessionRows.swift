import XML

/// The rows of the table, by what they are about.
extension HostileSessionTests {
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
    ["mallory@evil.example/x", "bob@example.org.evil.example", "alice@example.org/x", "@"].map { from in
      Row(
        "the failure of our message to bob, by \(from)", asked: "send bob@example.org hello",
        says: "<message type='error' id='$message' from='\(from)'>\(error("gone"))</message>")
    } + [
      Row(
        "the failure of our message, by whom it was for", asked: "send bob@example.org hello",
        says: "<message type='error' id='$message' from='bob@example.org/x'>\(error("gone"))</message>", records: 1),
      Row(
        "the failure of our message, by our own server", asked: "send bob@example.org hello",
        says: "<message type='error' id='$message' from='example.org'>\(error("gone"))</message>", records: 1),
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

  static let forgedWrappings =
    [
      "from='bob@example.org/x'", "from='example.org'", "from='alice@example.org/other'",
      "from='alice@example.org.evil'",
      "from='alice@evil.example'", "from='alice@example.orgx'", "",
    ].flatMap { from in
      [
        "received xmlns='urn:xmpp:carbons:2'", "sent xmlns='urn:xmpp:carbons:2'",
        "result xmlns='urn:xmpp:mam:2' id='1'",
      ].map {
        Row(
          "\($0) \(from)",
          says: "<message \(from)><body>x</body><\($0)>\(forwarded)</\($0.components(" ")[0])></message>")
      }
    } + [
      Row(
        "an archived message by ourselves, that nobody asked for",
        says: "<message from='alice@example.org'><result xmlns='urn:xmpp:mam:2' id='1'>\(forwarded)</result></message>"),
      Row(
        "a carbon within a carbon",
        says:
          "<message from='alice@example.org'><received xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>"
          + "<message xmlns='jabber:client' from='bob@example.org/x'><body>x</body>"
          + "<received xmlns='urn:xmpp:carbons:2'>\(forwarded)</received></message></forwarded></received></message>"),
      Row(
        "a carbon of two messages",
        says:
          "<message from='alice@example.org'><received xmlns='urn:xmpp:carbons:2'>\(forwarded)\(forwarded)</received>"
          + "</message>"),
      Row(
        "a carbon of what we sent, that somebody else sent",
        says: "<message from='alice@example.org'><sent xmlns='urn:xmpp:carbons:2'>\(forwarded)</sent></message>"),
      Row(
        "a carbon of what was to have none",
        says: "<message from='alice@example.org'><received xmlns='urn:xmpp:carbons:2'>\(unwanted)</received></message>"),
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
      "<enabled xmlns='urn:xmpp:sm:3'/>", "<failed xmlns='urn:xmpp:sm:3'/>",
      "<resumed xmlns='urn:xmpp:sm:3' h='0' previd='1'/>", "<enable xmlns='urn:xmpp:sm:3'/>",
      "<a xmlns='urn:xmpp:sm:3' h='4000000000'/>",
    ].map { Row("\($0)", says: $0, must: "undefined-condition", then: .triesAgain("broke the protocol")) }
    + ["", " h=''", " h='-1'", " h='4294967296'", " h='0x1'", " h=' 1'", " h='1e0'"].map {
      Row(
        "an acknowledgement of nothing:\($0)", says: "<a xmlns='urn:xmpp:sm:3'\($0)/>", must: "undefined-condition",
        then: .triesAgain("broke the protocol"))
    } + [
      Row(
        "a stream within the stream",
        says: "<stream:stream xmlns='jabber:client' from='example.org' id='s2' version='1.0'><stream:features/>",
        must: "bad-format", then: .triesAgain("a stream within the stream")),
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

  // MARK: - What they are made of

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

  private static let unwanted = forwarded.replacing(
    "</message>", with: "<private xmlns='urn:xmpp:carbons:2'/></message>")

  static func long(_ count: Int) -> String { String(repeating: "i", count: count) }
}
