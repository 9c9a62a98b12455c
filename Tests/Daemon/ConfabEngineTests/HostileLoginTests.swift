import Clocks
import ConfabEngine
import JSON
import ConfabConfiguration
import Testing

/// Servers that turn hostile on the way to a session.
///
/// Each row of `rows` is one deed: when, what the server says in place of its answer, what the client must say to that
/// and must never say, and what comes of it. Whatever it is: no secret is said, nothing of it is kept, TLS is for the
/// account's own domain, and a session with a good server lives afterwards (a ping is answered). Each is done in one
/// piece and in small pieces.
///
/// What XMPPStreamTests try at every point of a negotiation is not repeated here; certificates and what only real TLS
/// shows are in ProcessTests.
@Suite("hostile servers, until the login is over")
struct HostileLoginTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let moment: LoginMoment
    let says: String
    var must: [String] = []
    var never: [String] = []
    let outcome: Outcome
    var testDescription: String { name }

    init(
      _ name: String, at moment: LoginMoment, says: String, must: String..., never: String..., then outcome: Outcome
    ) {
      (self.name, self.moment, self.says, self.outcome) = (name, moment, says, outcome)
      (self.must, self.never) = (must, never)
    }
  }

  // MARK: Encryption

  static let encryption: [Row] = [
    Row(
      "STARTTLS stripped", at: .plainOpening, says: Hostile.mechanisms("SCRAM-SHA-1", "PLAIN"),
      must: "</stream:stream>", never: "<auth", "<starttls", then: .triesAgain("no encryption")),
    Row(
      "no features at all", at: .plainOpening, says: Hostile.features(""), never: "<auth",
      then: .triesAgain("no encryption")),
    Row(
      "STARTTLS of another namespace", at: .plainOpening, says: Hostile.features("<starttls xmlns='urn:x'/>"),
      never: "<starttls", "<auth", then: .triesAgain("no encryption")),
    Row(
      "the old login without SASL", at: .plainOpening,
      says: Hostile.features("<auth xmlns='http://jabber.org/features/iq-auth'/>"), never: "jabber:iq:auth",
      then: .triesAgain("no encryption")),
    Row(
      "STARTTLS refused", at: .startTLS, says: Hostile.tls("failure") + "</stream:stream>", never: "<auth",
      then: .triesAgain("refused to start encryption")),
    Row(
      "STARTTLS answered by a login", at: .startTLS, says: Hostile.sasl("success"), never: "<auth",
      then: .triesAgain("broke the protocol")),
    Row(
      "features behind <proceed/>", at: .startTLS, says: Hostile.tls("proceed") + Hostile.mechanisms("PLAIN"),
      never: "<auth", "PLAIN", then: .triesAgain("the server")),
    Row(
      "a message behind <proceed/>", at: .startTLS,
      says: Hostile.tls("proceed") + "<message from='bob@example.org'><body>sneaked</body></message>",
      never: "<auth", then: .triesAgain("the server")),
    Row(
      "half a tag behind <proceed/>", at: .startTLS, says: Hostile.tls("proceed") + "<", never: "<auth",
      then: .triesAgain("the server")),
    Row(
      "compression", at: .opening,
      says: Hostile.features("<compression><method>zlib</method></compression>"),
      never: "<compress", "<auth", then: .triesAgain("no way to log in")),
  ]

  // MARK: SASL

  static let signingIn: [Row] = [
    Row(
      "a downgrade to PLAIN", at: .opening, says: Hostile.mechanisms("PLAIN"), must: "</stream:stream>",
      never: "<auth", then: .triesAgain("no way to log in")),
    Row(
      "a downgrade to what is broken or unknown", at: .opening,
      says: Hostile.mechanisms("DIGEST-MD5", "CRAM-MD5", "LOGIN", "X-OAUTH2", "ANONYMOUS", "EXTERNAL", "scram-sha-1"),
      never: "<auth", then: .triesAgain("no way to log in")),
    Row(
      "no mechanism", at: .opening, says: Hostile.mechanisms(), never: "<auth", then: .triesAgain("no way to log in")),
    Row(
      "PLAIN beside SCRAM", at: .opening, says: Hostile.mechanisms("PLAIN", "SCRAM-SHA-1"),
      must: "mechanism='SCRAM-SHA-1'", never: "'PLAIN'", then: .lives),
    Row(
      "somebody else's stream", at: .opening, says: foreign, never: "<auth",
      then: .triesAgain("it says that it is evil.example")),
    Row(
      "a nonce that is not ours", at: .auth, says: challenge("r=forged,s=c2FsdA==,i=4096"), must: "<abort",
      never: "<response", then: .triesAgain("wrong nonce")),
    Row(
      "a nonce with nothing of the server's", at: .auth, says: challenge("r=$nonce,s=c2FsdA==,i=4096"), must: "<abort",
      never: "<response", then: .triesAgain("wrong nonce")),
    Row(
      "no salt", at: .auth, says: challenge("r=$nonce+x,s=,i=4096"), must: "<abort", never: "<response",
      then: .triesAgain("malformed")),
    Row(
      "a salt that is no base64", at: .auth, says: challenge("r=$nonce+x,s=????,i=4096"), must: "<abort",
      never: "<response", then: .triesAgain("salt is not base64")),
    Row(
      "an extension that must be understood", at: .auth, says: challenge("m=x,r=$nonce+x,s=c2FsdA==,i=4096"),
      must: "<abort", never: "<response", then: .triesAgain("extension")),
    Row(
      "a challenge of nothing", at: .auth, says: challenge(""), must: "<abort", never: "<response",
      then: .triesAgain("malformed")),
    Row(
      "a challenge that is no base64", at: .auth, says: Hostile.sasl("challenge", "!!!"), must: "<abort",
      never: "<response", then: .triesAgain("not base64")),
    Row(
      "a challenge of 40,000 bytes", at: .auth,
      says: challenge("r=$nonce\(String(repeating: "x", count: 40_000)),i=4096"), must: "<abort", never: "<response",
      then: .triesAgain("malformed")),
    Row(
      "a challenge over the limit", at: .auth,
      says: challenge("r=$nonce\(String(repeating: "x", count: 70_000)),s=c2FsdA==,i=4096"), never: "<response",
      then: .triesAgain("over a limit")),
    Row(
      "success before any proof", at: .auth, says: Hostile.sasl("success"), never: "<response", "<iq",
      then: .givesUp("could not prove")),
    Row(
      "success with a proof before the challenge", at: .auth, says: Hostile.sasl("success", "{v=AAAA}"),
      never: "<response", "<iq", then: .givesUp("could not prove")),
    Row(
      "success without the proof", at: .response, says: Hostile.sasl("success"), never: "<iq",
      then: .givesUp("could not prove")),
    Row(
      "success with a wrong proof", at: .response,
      says: Hostile.sasl("success", "{v=AAAAAAAAAAAAAAAAAAAAAAAAAAA=}"), never: "<iq", then: .givesUp("could not prove")
    ),
    Row(
      "success with half a proof", at: .response, says: Hostile.sasl("success", "{v=AAAA}"), never: "<iq",
      then: .givesUp("could not prove")),
    Row(
      "a second challenge", at: .response, says: challenge("r=$nonce+x,s=c2FsdA==,i=4096"), must: "<abort",
      never: "<iq", then: .triesAgain("malformed")),
    Row(
      "a hundred challenges", at: .auth,
      says: String(repeating: challenge("r=$nonce+x,s=c2FsdA==,i=4096"), count: 100), never: "<iq",
      then: .triesAgain("unexpected login message")),
    Row(
      "a new stream behind success", at: .response, says: "$good" + Hostile.features(""), never: "<iq",
      then: .triesAgain("the server")),
    Row(
      "a refusal", at: .response, says: Hostile.sasl("failure", "<not-authorized/>"), never: "<iq",
      then: .waitsForHours("password is wrong")),
    Row(
      "a refusal with a text that is an attack on the reader", at: .response,
      says: Hostile.sasl("failure", "<temporary-auth-failure/><text>a\u{202E}b\u{9B}c&#10;d</text>"), never: "<iq",
      then: .triesAgain("temporary-auth-failure: a b c d")),
  ]

  static let iterationCounts: [Row] = [
    "0", "1", "4095", "2147483648", "4294971392", "1000001", "-4096", "4096x", "", "04096",
  ]
  .map {
    Row(
      "an iteration count of \($0.isEmpty ? "nothing" : $0)", at: .auth,
      says: challenge("r=$nonce+x,s=c2FsdA==,i=\($0)"), must: "<abort", never: "<response",
      then: .triesAgain(Int($0).map { $0 > 0 && $0 != 4096 } == true ? "iterations" : "malformed"))
  }

  // MARK: The resource, and what comes with it

  static let binding: [Row] = [
    Row(
      "somebody else's address", at: .bind, says: Hostile.bound("mallory@example.org/x"), never: "<presence",
      then: .triesAgain("not the account's")),
    Row(
      "an address that begins like ours", at: .bind, says: Hostile.bound("alice@example.org.evil.example/x"),
      never: "<presence", then: .triesAgain("not the account's")),
    Row(
      "an address without a resource", at: .bind, says: Hostile.bound("alice@example.org"), never: "<presence",
      then: .triesAgain("not the account's")),
    Row(
      "a resource of 1,024 bytes", at: .bind,
      says: Hostile.bound("alice@example.org/" + String(repeating: "r", count: 1_024)), never: "<presence",
      then: .triesAgain("bound no address")),
    Row(
      "no address", at: .bind, says: "<iq type='result' id='$id'/>", never: "<presence", then: .triesAgain("no address")
    ),
    Row(
      "an answer by somebody else", at: .bind,
      says: Hostile.bound("alice@example.org/x", attributes: " from='mallory@example.org'"), never: "<presence",
      then: .triesAgain("somebody else")),
    Row(
      "an answer to something else", at: .bind, says: Hostile.bound("alice@example.org/x", id: "$id-1"),
      never: "<presence", then: .triesAgain("before a resource")),
    Row(
      "a message before the resource", at: .bind, says: "<message from='bob@example.org'><body>x</body></message>",
      never: "<presence", then: .triesAgain("before a resource")),
    Row(
      "a request before the resource", at: .bind,
      says: "<iq type='get' id='1' from='example.org'><ping xmlns='urn:xmpp:ping'/></iq>", never: "<presence",
      "id='1'", then: .triesAgain("before a resource")),
    Row(
      "stream management that was not asked for so", at: .enable,
      says: "<resumed xmlns='urn:xmpp:sm:3' h='0' previd='x'/>", must: "undefined-condition",
      then: .triesAgain("invalid stream management element")),
    Row(
      "stream management enabled twice", at: .enable, says: "$good<enabled xmlns='urn:xmpp:sm:3'/>",
      must: "undefined-condition", then: .triesAgain("invalid stream management element")),
    Row("stream management refused", at: .enable, says: "<failed xmlns='urn:xmpp:sm:3'/>", then: .lives),
  ]

  private static let foreign = Hostile.mechanisms("SCRAM-SHA-1").replacing(
    "from='example.org'", with: "from='evil.example'")

  private static func challenge(_ text: String) -> String { Hostile.sasl("challenge", "{\(text)}") }

  static let rows = encryption + signingIn + iterationCounts + binding

  @Test("each deed has its answer and its end", arguments: rows, [false, true])
  func deeds(row: Row, slowly: Bool) throws {
    try play(
      Deviation(moment: row.moment, text: row.says, isSlow: slowly), must: row.must, never: row.never,
      row.outcome)
  }

  @Test("a server that goes away at any step is come back to", arguments: LoginMoment.allCases, ["", "$half", "$good"])
  func cuts(moment: LoginMoment, before: String) throws {
    for ending in Deviation.Ending.allCases {
      try play(Deviation(moment: moment, text: before, ending: ending), .triesAgain("connection"))
    }
    // The end of a stream is one where there is a stream.
    try play(Deviation(moment: moment, text: Hostile.header + "</stream:stream>"), .triesAgain(""))
  }

  @Test("a server that says nothing, or half of it, at any step is given up after 30 seconds")
  func stalls() throws {
    for moment in LoginMoment.allCases {
      for before in ["", half(at: moment)] {
        let harness = try begin(Deviation(moment: moment, text: before))
        harness.pass(.seconds(29))
        #expect(["connecting", "online"].contains(state(harness)), "\(moment)")
        harness.pass(.milliseconds(1_100))
        #expect(harness.link == nil && state(harness) == "waiting", "\(moment)")
        try expectGoodEnd(harness)
      }
    }
  }

  @Test("a server that drips white space has no more time than one that says nothing")
  func drips() throws {
    for moment in LoginMoment.allCases where moment != .startTLS {
      let harness = try begin(Deviation(moment: moment, text: half(at: moment)))
      for _ in 0..<31 where harness.link != nil {
        harness.pass(.seconds(1))
        harness.receive(" ")
      }
      #expect(harness.link == nil, "\(moment)")
      try expectGoodEnd(harness)
    }
  }

  @Test("a slow server is as good as any", arguments: LoginMoment.allCases)
  func slow(moment: LoginMoment) throws {
    try play(Deviation(moment: moment, text: "$good", isSlow: true), .lives)
  }

  @Test(
    "every stream error at every step ends the try, in words, and leads nowhere else", arguments: Hostile.streamErrors)
  func streamErrors(condition: String) throws {
    for moment in LoginMoment.allCases where moment != .startTLS || condition != "nonsense" {
      let needsHeader = [.plainOpening, .opening, .reopening].contains(moment)
      let text = Hostile.streamError(condition, condition == "see-other-host" ? "evil.example:5222" : "")
      let harness = try begin(Deviation(moment: moment, text: (needsHeader ? Hostile.header : "") + text))
      #expect(state(harness) != "online", "\(moment)")
      let reason = status(harness)?["reason"]?.string ?? ""
      // What is said within TLS is followed, to a certificate that is not the domain's.
      let followed = moment.isInTheClear ? condition : "certificate"
      let words = ["nonsense": "undefined-condition", "see-other-host": followed]
      #expect(reason.contains(words[condition] ?? condition), "\(moment): \(reason)")
      try expectGoodEnd(harness)
    }
  }

  @Test("XML that is forbidden ends the try at every step", arguments: Hostile.forbiddenXML.indices)
  func forbiddenXML(index: Int) throws {
    let (_, text, condition) = Hostile.forbiddenXML[index]
    for moment in LoginMoment.allCases {
      let needsHeader = [.plainOpening, .opening, .reopening].contains(moment)
      let must = [.auth, .response].contains(moment) ? "</stream:stream>" : condition
      try play(
        Deviation(moment: moment, text: (needsHeader ? Hostile.header : "") + text), must: [must],
        .triesAgain("the server sent"))
    }
  }

  /// What is cut within the answer that the client waits for.
  private func half(at moment: LoginMoment) -> String { moment == .enable ? "<enabled xmlns=" : "$half" }

  // MARK: - The play

  private func play(_ deviation: Deviation, must: [String] = [], never: [String] = [], _ outcome: Outcome) throws {
    let harness = try begin(deviation)
    let said = harness.toServer
    for word in must { #expect(said.contains(word), "\(word) in \(said)") }
    for word in never { #expect(!said.contains(word), "\(word) in \(said)") }
    let reason = status(harness)?["reason"]?.string ?? ""
    switch outcome {
    case .lives: #expect(state(harness) == "online", "\(reason)")
    case .triesAgain(let words):
      #expect(state(harness) == "waiting", "\(reason)")
      #expect(words.isEmpty || reason.contains(words), "\(reason)")
    case .givesUp(let words):
      #expect(state(harness) == "refused" && reason.contains(words), "\(reason)")
      harness.pass(.hours(1))
      #expect(harness.link == nil && state(harness) == "refused")
    case .waitsForHours(let words):
      #expect(state(harness) == "waiting" && reason.contains(words), "\(reason)")
      harness.pass(.hours(1))
      #expect(harness.link == nil && state(harness) == "waiting")
      _ = harness.ask(harness.connect(3), "connect")
    }
    try expectGoodEnd(harness)
  }

  /// A daemon that was told to connect to a server that deviates, word by word: what went ahead of the server would be
  /// tried again at once (PipeliningTests).
  private func begin(_ deviation: Deviation) throws -> Harness {
    var settings = Harness.alice
    settings.tls = deviation.moment.isInTheClear ? .starttls : .direct
    let harness = try Harness(accounts: [settings])
    harness.learnToWait()
    let client = harness.connect()
    _ = harness.ask(client, "disconnect")
    harness.server.offersStartTLS = deviation.moment.isInTheClear
    harness.server.deviation = deviation
    harness.clearTrace()
    _ = harness.ask(client, "connect")
    return harness
  }

  /// The session with a good server that follows lives, and there is nothing in it of what was before.
  private func expectGoodEnd(_ harness: Harness) throws {
    let client = harness.connect(2)
    if state(harness) == "refused" { _ = harness.ask(client, "connect") }
    harness.pass(.minutes(6))
    #expect(state(harness) == "online")
    #expect(harness.ask(client, "conversations").count == 1)
    #expect(harness.ask(client, "roster").count == 1)
    #expect(!harness.toServer.contains("secret"))
    #expect(Set(harness.tlsDomains) == ["example.org"])
    harness.clearTrace()
    harness.receive("<iq type='get' id='alive' from='example.org'><ping xmlns='urn:xmpp:ping'/></iq>")
    #expect(harness.toServer.contains("<iq type='result' id='alive'"))
  }

  private func status(_ harness: Harness) -> JSONValue? {
    harness.ask(harness.connect(3), "status").first?["account"]
  }

  private func state(_ harness: Harness) -> String { status(harness)?["state"]?.string ?? "" }
}
