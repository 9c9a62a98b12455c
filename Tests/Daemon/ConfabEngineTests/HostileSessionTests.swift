import Bytes
import Clocks
import Timelines
import State
import JSON
import MessageLog
import Records
import Testing

@testable import ConfabAccounts
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
    let (before, messages, records) = (handled(harness), texts(harness), try self.records(harness))
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
      #expect(try self.records(harness) - records == row.records)
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
    #expect(harness.toServer.contains("<a xmlns='urn:xmpp:sm:3' h='\(sent + 3)'/></stream:stream>"))
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

  /// What the log holds besides the state of the stream.
  private func records(_ harness: Harness) throws -> Int {
    var count = 0
    var recovery = try Recovery(of: harness.storage, log: nil, mode: .readOnly)
    _ = try recovery.run { if $0.kind != RecordKind.stream.rawValue { count += 1 } }
    return count
  }

  /// Messages in all conversations.
  private func texts(_ harness: Harness) -> Int {
    harness.engine.state.accounts[1]?.conversations.values.reduce(0) { $0 + $1.timeline.count } ?? 0
  }
}
