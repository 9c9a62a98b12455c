import Clocks
import ConfabAccounts
import ConfabEngine
import JSON
import MessageLog
import ConfabConfiguration
import Testing

@Suite("the machine's network, sleep and clock")
struct NetworkTests {
  /// A daemon whose server is out of reach, after so many tries.
  private func waiting(tries: Int = 8) throws -> Harness {
    let harness = try Harness(holdsLinks: true)
    for _ in 0..<tries {
      harness.cut()
      harness.pass(.seconds(3600), until: { harness.link != nil })
    }
    harness.cut()
    return harness
  }

  private func account(_ harness: Harness) -> JSONValue? {
    harness.ask(harness.connect(99), "status").first?["account"]
  }

  @Test(
    "who waits tries at once when the network changes, or the machine wakes", arguments: [Event.networkChanged, .woke])
  func hastens(event: Event) throws {
    let harness = try waiting()
    harness.pass(.seconds(10))
    #expect(harness.link == nil)
    harness.handle(event)
    #expect(harness.link != nil)
    #expect(harness.refreshes == 1)
  }

  @Test("a burst of news is one try, and one more a second later; the back-off goes on from where it was")
  func coalesced() throws {
    let harness = try waiting()
    let before = harness.connects
    for _ in 0..<100 {
      harness.handle(.networkChanged)
      harness.cut()
      harness.pass(.milliseconds(5))
    }
    #expect(harness.connects - before == 1)
    harness.pass(.seconds(1))
    #expect(harness.connects - before == 2)
    harness.cut()
    harness.pass(.seconds(100))
    #expect(harness.connects - before == 2, "the next step is more than 128 s")
  }

  @Test("an interface that comes and goes each second for an hour costs tries by the allowance, and no more")
  func flapping() throws {
    let harness = try waiting()
    let before = harness.connects
    for _ in 0..<3600 {
      harness.handle(.networkChanged)
      harness.cut()
      harness.pass(.seconds(1))
      harness.cut()
    }
    // Ten at once, one each half a minute, and those of the back-off.
    let tries = harness.connects - before
    #expect((120...150).contains(tries), "\(tries)")
  }

  @Test("a change during a try is remembered: when it fails, the next is made at once")
  func duringTry() throws {
    let harness = try waiting()
    harness.pass(.seconds(3600), until: { harness.link != nil })
    let first = harness.link
    harness.handle(.networkChanged)
    #expect(harness.link == first, "it may yet succeed")
    harness.cut()
    #expect(harness.link != nil && harness.link != first)
    harness.cut()
    #expect(harness.link == nil)
  }

  @Test("who is online asks at once whether the server is there, and drops a dead link 30 s later")
  func probes() throws {
    for management in [true, false] {
      let harness = try Harness(server: .managing(management))
      harness.pass(.minutes(5))
      harness.clearTrace()
      harness.handle(.networkChanged)
      let question = management ? "<r xmlns='urn:xmpp:sm:3'/>" : "urn:xmpp:ping"
      #expect(harness.toServer.contains(question))
      harness.pass(.milliseconds(29_900))
      #expect(account(harness)?["state"]?.string == "online")
      harness.pass(.milliseconds(100))
      #expect(account(harness)?["state"]?.string == "waiting")
      #expect(account(harness)?["reason"]?.string?.contains("30 seconds") == true)
    }
  }

  @Test("an answer ends the probe, and an idle link sends none for ten minutes")
  func idle() throws {
    let harness = try Harness()
    harness.handle(.woke)
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='2'/>")
    harness.clearTrace()
    harness.pass(.milliseconds(599_900))
    #expect(harness.toServer.isEmpty)
    #expect(account(harness)?["state"]?.string == "online")
  }

  @Test("questions that were out while the machine slept have their whole time again")
  func overslept() throws {
    let harness = try Harness()
    harness.send(harness.connect(), "send bob@example.org x\n")
    harness.now.instant = harness.now.instant.advanced(by: .hours(8))
    harness.now.wall = harness.now.wall.advanced(by: .hours(8))
    harness.handle(.tick)
    harness.pass(.seconds(29))
    #expect(account(harness)?["state"]?.string == "online")
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='5'/>")
    harness.pass(.hours(1))
    #expect(account(harness)?["state"]?.string == "online")
  }

  @Test("a clock that is set changes nothing but what is told in its terms")
  func clockSet() throws {
    let harness = try waiting()
    let step = Interval.hours(-7)
    let before = try #require(account(harness)?["retry_at"]?.string)
    harness.now.wall = harness.now.wall.advanced(by: step)
    harness.handle(.clockSet)
    let after = try #require(account(harness)?["retry_at"]?.string)
    #expect(harness.link == nil)
    // Two questions, 50 ms each.
    let moved = try #require(Timestamp(rfc3339: after)) - (try #require(Timestamp(rfc3339: before)))
    #expect(moved == step)
    let online = try Harness()
    online.now.wall = online.now.wall.advanced(by: step)
    online.clearTrace()
    online.handle(.clockSet)
    #expect(online.toServer.isEmpty && account(online)?["state"]?.string == "online")
  }

  @Test("a change of the network does nothing to who is stopped, or refused, or cannot store")
  func others() throws {
    let harness = try waiting()
    harness.syncsAtOnce = false
    harness.send(harness.connect(), "draft b@c x\n")
    harness.sync(failing: .init(.noSpace, "full"))
    harness.handle(.networkChanged)
    #expect(harness.link == nil)
  }
}

@Suite("dead links")
struct DeadLinkTests {
  /// What leaves something to wait for: done by the front end, with the server silent from then on.
  static let doings = ["send bob@example.org hi", "presence away", "add bob@example.org", "accept carol@example.org"]

  @Test("whatever was asked, silence is noticed in 30 s and said in words", arguments: doings, [true, false])
  func noticed(doing: String, management: Bool) throws {
    let harness = try Harness(server: .managing(management))
    let client = harness.connect()
    harness.receive("<presence from='carol@example.org' type='subscribe'/>")
    harness.pass(.minutes(2))
    harness.holdsLinks = true
    harness.send(client, doing + "\n")
    harness.pass(.milliseconds(29_900))
    #expect(harness.ask(harness.connect(2), "status").first?["account"]?["state"]?.string == "online")
    harness.pass(.milliseconds(100))
    let account = harness.ask(harness.connect(3), "status").first?["account"]
    #expect(account?["state"]?.string == "waiting")
    #expect(account?["reason"]?.string?.contains("30 seconds") == true)
  }

  @Test("<enable/> and the roster too")
  func login() throws {
    let harness = try Harness(server: .managing(nil))
    harness.pass(.milliseconds(30_100))
    #expect(harness.connects == 1)
    let reason = harness.ask(harness.connect(), "status").first?["account"]?["reason"]?.string
    #expect(reason?.contains("the request for stream management") == true)
  }

  @Test("a server that says other things has a minute for its answer, and no longer")
  func busy() throws {
    let harness = try Harness()
    harness.send(harness.connect(), "send bob@example.org x\n")
    for second in 1..<60 {
      harness.pass(.seconds(1))
      harness.receive("<presence from='bob@example.org/\(second)'/>")
      #expect(harness.connects == 1)
    }
    harness.holdsLinks = true
    harness.pass(.seconds(3))
    #expect(harness.ask(harness.connect(2), "status").first?["account"]?["state"]?.string != "online")
  }

  @Test("what is sent while a question is out is asked about when it is answered")
  func asksAgain() throws {
    let harness = try Harness()
    harness.pass(.seconds(10))
    let client = harness.connect()
    harness.send(client, "presence away\n")
    harness.send(client, "presence dnd\n")
    harness.clearTrace()
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='3'/>")
    #expect(harness.toServer.components("<r ").count == 2)
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='4'/>")
    #expect(harness.toServer.components("<r ").count == 2)
    let answered = harness.now.instant
    harness.pass(.minutes(1))
    #expect(harness.engine.nextDeadline == answered.advanced(by: .minutes(10)))
  }
}

@Suite("idle links")
struct IdleLinkTests {
  private func state(_ harness: Harness) -> String? {
    harness.ask(harness.connect(99), "status").first?["account"]?["state"]?.string
  }

  @Test(
    "a hung server whose kernel or proxy still answers is noticed in ten and a half minutes",
    arguments: [true, false])
  func hung(management: Bool) throws {
    let harness = try Harness(server: .managing(management))
    harness.pass(.minutes(1))
    harness.receive("<presence from='bob@example.org/x'/>")
    harness.holdsLinks = true
    harness.clearTrace()
    harness.pass(.minutes(10))
    let question = management ? "<r xmlns='urn:xmpp:sm:3'/>" : "urn:xmpp:ping"
    #expect(harness.toServer.contains(question))
    harness.pass(.milliseconds(29_900))
    #expect(harness.connects == 1)
    harness.pass(.milliseconds(100))
    #expect(state(harness) == "waiting")
  }

  @Test("an idle day costs at most 0.02 wake-ups a second, and one probe in ten minutes")
  func cost() throws {
    let harness = try Harness(server: .managing(true, answers: true))
    harness.pass(.minutes(10))
    harness.clearTrace()
    let before = harness.handled
    harness.pass(.hours(24))
    #expect(harness.toServer.components("<r ").count - 1 == 24 * 6)
    #expect(harness.handled - before <= 24 * 3600 / 50)
    #expect(state(harness) == "online")
  }

  @Test("a wake-up after five idle minutes sends the probe; an earlier one does not")
  func coalesced() throws {
    let harness = try Harness(
      accounts: [Harness.alice, Harness.work], server: .managing(true, answers: true))
    harness.pass(.minutes(1))
    harness.receive("<presence from='bob@example.org/x'/>")
    harness.receive("<presence from='bob@example.org/x'/>", port: 5224)
    harness.clearTrace()
    harness.pass(.milliseconds(299_900))
    harness.handle(.tick)
    #expect(!harness.toServer.contains("<r "))
    harness.pass(.milliseconds(100))
    harness.handle(.tick)
    #expect(harness.toServer.components("<r ").count - 1 == 2)
  }

  @Test("a link whose reading is paused is not probed")
  func paused() throws {
    let harness = try Harness(server: .managing(true, answers: true))
    harness.syncsAtOnce = false
    let body = "<body>\(String(repeating: "x", count: 4_000))</body>"
    for number in 0..<300 { harness.receive("<message from='m@x/y' type='chat' id='\(number)'>\(body)</message>") }
    #expect(harness.pausedLinks.count == 1)
    harness.clearTrace()
    harness.pass(.minutes(20))
    #expect(!harness.toServer.contains("<r "))
    #expect(state(harness) == "online")
  }
}

extension ScriptedStream {
  /// One that acknowledges, one that says that it does not, or one that does not say.
  fileprivate static func managing(_ acknowledges: Bool?, answers: Bool = false) -> ScriptedStream {
    var server = ScriptedStream()
    server.acknowledges = answers
    server.offersManagement = acknowledges ?? true
    server.ignoresEnable = acknowledges == nil
    return server
  }
}
