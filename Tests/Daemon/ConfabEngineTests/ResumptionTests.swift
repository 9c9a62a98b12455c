import Clocks
import JSON
import Records
import ConfabConfiguration
import TestSupport
import MessageLog
import Testing

@testable import ConfabAccounts

/// A stream that is lost goes on (XEP-0198, section 5): after a cut, a crash and a stop.
@Suite("streams that go on")
struct ResumptionTests {
  /// Alice at a server that keeps streams, with bob on her roster.
  private static func online(_ resumption: String = "max='600'") throws -> Harness {
    var server = ScriptedStream()
    server.resumption = resumption
    server.acknowledges = true
    server.roster = "<query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='both'/></query>"
    let harness = try Harness(server: server)
    harness.pass(.seconds(1))
    #expect(harness.isOnline)
    return harness
  }

  private static func message(_ text: String) -> String {
    "<message from='bob@example.org/phone' id='\(text)' type='chat'><body>\(text)</body></message>"
  }

  private func reason(_ harness: Harness) -> String {
    harness.ask(harness.connect(7), "status").first?["account"]?["reason"]?.string ?? ""
  }

  private func texts(_ harness: Harness) -> [String] {
    harness.ask(harness.connect(6), "history bob@example.org").compactMap { $0["message"]?["text"]?.string }
  }

  private func states(_ harness: Harness) -> [String?] {
    harness.ask(harness.connect(6), "history bob@example.org").compactMap { $0["message"] }.map { message in
      message["in_doubt"] == nil ? message["state"]?.string : "in doubt"
    }
  }

  private func ids(_ text: String) -> [String] {
    text.components("<message ").dropFirst().compactMap { ScriptedStream.value(of: "id", in: " " + $0) }
  }

  /// The daemon is killed, and another one starts on what is durable.
  private func restarted(_ harness: Harness) throws -> Harness {
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    next.pass(.seconds(1))
    return next
  }

  @Test(
    "after a cut: no roster, no presence, what the server says of our count, and who is there",
    arguments: [false, true])
  func goesOn(killed: Bool) throws {
    var harness = try Self.online()
    harness.say(Self.message("one"), "<presence from='bob@example.org/phone'><show>away</show></presence>")
    harness.pass(.seconds(1))
    if killed {
      harness = try restarted(harness)
    } else {
      harness.clearTrace()
      harness.cut()
      harness.pass(.seconds(3))
    }
    #expect(harness.toServer.contains("<resume xmlns='urn:xmpp:sm:3' h='5' previd='stream-1'/>"))
    for word in ["<presence", "jabber:iq:roster", "xmpp-bind", "<enable"] { #expect(!harness.toServer.contains(word)) }
    #expect(reason(harness).hasPrefix("resumed"))
    let contact = harness.ask(harness.connect(), "roster").first?["contact"]
    #expect(contact?["presence"]?.array?.first?["show"]?.string == "away")
    harness.say(Self.message("two"))
    harness.pass(.seconds(1))
    #expect(texts(harness) == ["one", "two"])
  }

  @Test(
    "what the server has not had goes again, in order, under the same ids, and is not in doubt",
    arguments: [false, true])
  func again(killed: Bool) throws {
    var harness = try Self.online()
    harness.server.acknowledges = false
    let client = harness.connect()
    harness.clearTrace()
    for number in 0..<4 { _ = harness.ask(client, "send bob@example.org \(number)") }
    let sent = ids(harness.toServer)
    harness.server.lost = 3
    harness.server.acknowledges = true
    harness.clearTrace()
    if killed {
      harness = try restarted(harness)
    } else {
      harness.cut()
      harness.pass(.seconds(3))
    }
    #expect(ids(harness.toServer) == Array(sent.dropFirst()))
    #expect(harness.server.heard == sent)
    #expect(states(harness) == ["sent", "sent", "sent", "sent"])
  }

  @Test("other stanzas go again after a cut, between the messages")
  func others() throws {
    let harness = try Self.online()
    harness.server.acknowledges = false
    let client = harness.connect()
    _ = harness.ask(client, "send bob@example.org before")
    harness.say("<iq type='get' id='asked' from='bob@example.org/phone'><query xmlns='jabber:iq:version'/></iq>")
    _ = harness.ask(client, "send bob@example.org behind")
    harness.server.lost = 2
    harness.clearTrace()
    harness.cut()
    harness.pass(.seconds(3))
    let order = ["<resume ", "id='asked'", "behind</body>"].map { harness.toServer.components($0).count }
    #expect(order == [2, 2, 2])
    #expect(!harness.toServer.contains("before</body>"))
    #expect(harness.toServer.components("id='asked'").first?.contains("behind") == false)
  }

  @Test("the server's last count settles what it had when it cannot go on", arguments: [false, true])
  func failedWithCount(killed: Bool) throws {
    var harness = try Self.online()
    harness.server.acknowledges = false
    let client = harness.connect()
    for number in 0..<3 { _ = harness.ask(client, "send bob@example.org \(number)") }
    // The three requests, the presence, and two of the messages.
    harness.server.refusal = "h='6'"
    harness.server.acknowledges = true
    harness.clearTrace()
    if killed {
      harness = try restarted(harness)
    } else {
      harness.cut()
      harness.pass(.seconds(3))
    }
    #expect(ids(harness.toServer).count == 1)
    #expect(harness.toServer.contains("<resource>confab"))
    #expect(harness.toServer.contains("<presence") && harness.toServer.contains("jabber:iq:roster"))
    #expect(states(harness) == ["sent", "sent", "sent"])
    #expect(reason(harness).hasPrefix("logged in"))
  }

  @Test(
    "a count that could not be stored is asked for again, however late, and nothing goes twice",
    arguments: ["max='600'", "max='5'"])
  func unstoredCount(resumption: String) throws {
    let harness = try Self.online(resumption)
    harness.server.acknowledges = false
    let client = harness.connect()
    for number in 0..<3 { _ = harness.ask(client, "send bob@example.org \(number)") }
    harness.server.refusal = "h='6'"
    harness.server.acknowledges = true
    harness.clearTrace()
    harness.cut()
    harness.pass(.milliseconds(200))
    harness.syncsAtOnce = false
    // The server has said the count, and no new stream has begun.
    harness.server.deviation = Deviation(moment: .bind, text: "")
    harness.pass(.seconds(3))
    #expect(harness.toServer.contains("<resume"))
    harness.send(client, "send bob@example.org unstored\n")
    harness.pass(.milliseconds(20))
    harness.sync(failing: StorageError(.noSpace, "No space left on device", errno: 28))
    #expect(harness.takeLines(client).last?["error"]?.string == "no-space")
    harness.pass(.seconds(10))
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.minutes(2))
    #expect(ids(harness.toServer).count == 1)
    #expect(states(harness) == ["sent", "sent", "sent"])
  }

  @Test("without a count, and with one that cannot be, what left is in doubt", arguments: ["", "h='900'"])
  func failedWithoutCount(refusal: String) throws {
    let harness = try Self.online()
    harness.server.acknowledges = false
    _ = harness.ask(harness.connect(), "send bob@example.org one")
    harness.server.refusal = refusal
    harness.clearTrace()
    harness.cut()
    harness.pass(.seconds(3))
    #expect(ids(harness.toServer).count == 1)
    #expect(states(harness) == ["in doubt"])
    // We are announced only when it is known what is in doubt.
    let words = harness.trace.compactMap { if case .toServer(let text) = $0 { text } else { nil } }
    let greeting = words.firstIndex { $0.contains("<presence") }
    let binding = words.firstIndex { $0.contains("xmpp-bind") }
    #expect((binding ?? 0) < (greeting ?? 0))
  }

  @Test("a stream is resumed no later than the server keeps it", arguments: [(599, true), (601, false)])
  func maximum(seconds: Int64, isResumed: Bool) throws {
    let harness = try Self.online()
    harness.cut()
    harness.clearTrace()
    harness.now.instant = harness.now.instant.advanced(by: .seconds(seconds))
    harness.handle(.tick)
    #expect(harness.toServer.contains("<resume ") == isResumed)
    #expect(harness.isOnline)
  }

  @Test(
    "one that was left is resumed as long after a start as it would have been before",
    arguments: [(599, true), (601, false)])
  func maximumOfLeft(seconds: Int64, isResumed: Bool) throws {
    let harness = try Self.online()
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(6))
    let later = Moment(instant: harness.now.instant, wall: harness.now.wall.advanced(by: .seconds(seconds - 6)))
    let next = try Harness(on: harness.storage, server: harness.server, now: later)
    #expect(next.toServer.contains("<resume ") == isResumed)
  }

  @Test("where the server wants to be connected to is tried first, and once")
  func location() throws {
    let harness = try Self.online("location='127.0.0.1:5230'")
    harness.cut()
    harness.pass(.seconds(10))
    #expect(harness.targets.dropFirst() == ["127.0.0.1:5230", "127.0.0.1:5223"])
    #expect(Set(harness.tlsDomains) == ["example.org"])
    #expect(reason(harness).hasPrefix("resumed"))
  }

  @Test("an impossible count ends the stream with a word, and it is not resumed")
  func impossible() throws {
    let harness = try Self.online()
    harness.clearTrace()
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='99'/>")
    #expect(harness.toServer.contains("<handled-count-too-high xmlns='urn:xmpp:sm:3' h='99' send-count='4'/>"))
    harness.pass(.seconds(3))
    #expect(harness.isOnline && !harness.toServer.contains("<resume "))
  }

  @Test(
    "SIGTERM leaves the stream, SIGINT closes it, and the configuration decides otherwise",
    arguments: [
      (StopRequest.terminate, nil, true), (.interrupt, nil, false), (.terminate, .close, false),
      (.interrupt, .detach, true),
    ] as [(StopRequest, StopPolicy?, Bool)])
  func stop(request: StopRequest, manner: StopPolicy?, isLeft: Bool) throws {
    let harness = try Self.online()
    harness.reload { $0.daemon.onStop = manner }
    harness.syncsAtOnce = false
    harness.say(Self.message("last"))
    harness.clearTrace()
    harness.handle(.stop(request))
    #expect(!harness.toServer.contains("<a "))
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.seconds(6))
    #expect(harness.exitStatus == 0)
    #expect(harness.toServer.contains("<a xmlns='urn:xmpp:sm:3' h='4'/>"))
    #expect(harness.toServer.contains("</stream:stream>") == !isLeft)
    let next = try restarted(harness)
    #expect(reason(next).hasPrefix("resumed") == isLeft)
    #expect(texts(next) == ["last"])
  }

  @Test("disconnect closes the stream, and so does a conflict")
  func closed() throws {
    let harness = try Self.online()
    let client = harness.connect()
    _ = harness.ask(client, "disconnect")
    #expect(harness.toServer.contains("</stream:stream>"))
    harness.clearTrace()
    _ = harness.ask(client, "connect")
    #expect(harness.isOnline && !harness.toServer.contains("<resume "))
    harness.clearTrace()
    harness.receive(Hostile.streamError("conflict"))
    harness.pass(.seconds(3))
    #expect(harness.isOnline && !harness.toServer.contains("<resume "))
  }

  @Test("names without end: what came is acknowledged, the link is cut, and the stream goes on")
  func names() throws {
    let harness = try Self.online()
    // The parser cannot be replaced on a stream whose start is so long.
    harness.server.headerAttribute = "xmlns:y='\(String(repeating: "y", count: 5_000))'"
    harness.cut()
    harness.pass(.seconds(3))
    let link = harness.link
    harness.clearTrace()
    for number in 0..<60 {
      let names = (0..<900).map { "<n\(number)-\($0)/>" }.joined()
      harness.say("<message from='bob@example.org'><x xmlns='y'>\(names)</x></message>")
    }
    harness.pass(.seconds(3))
    #expect(harness.link != link)
    #expect(!harness.toServer.contains("</stream:stream>"))
    #expect(reason(harness).hasPrefix("resumed"))
  }

  @Test("a presence that was wished for meanwhile is sent, once")
  func wish() throws {
    let harness = try Self.online()
    harness.cut()
    _ = harness.ask(harness.connect(), "presence away")
    harness.clearTrace()
    harness.pass(.seconds(3))
    #expect(harness.toServer.components("<presence").count == 2 && harness.toServer.contains("<show>away</show>"))
    harness.clearTrace()
    harness.cut()
    harness.pass(.seconds(3))
    #expect(harness.toServer.contains("<resume ") && !harness.toServer.contains("<presence"))
  }

  @Test("a link that comes and goes is tried again within a second, ten times in five minutes")
  func comesAndGoes() throws {
    let harness = try Self.online()
    for round in 1...11 {
      let connects = harness.connects
      harness.cut()
      harness.pass(.seconds(1))
      #expect(harness.connects == connects + (round <= 10 ? 1 : 0), "cut \(round)")
    }
    harness.pass(.seconds(10))
    #expect(reason(harness).hasPrefix("resumed"))
  }

  @Test("a server that breaks off at each resumption gets a new stream in the end")
  func breaksOff() throws {
    let harness = try Self.online()
    harness.server.abhorsResuming = true
    harness.cut()
    harness.pass(.minutes(2))
    #expect(harness.isOnline && reason(harness).hasPrefix("logged in"))
  }
}
