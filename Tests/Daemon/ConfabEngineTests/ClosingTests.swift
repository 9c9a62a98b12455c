import Clocks
@testable import ConfabAccounts
@testable import ConfabEngine
import JSON
import Records
import SASL
import ConfabConfiguration
import State
import Testing
import XMPPCore
import XMPPStream

/// Orderly ends, by command, with the daemon and by the configuration, wait for the server's acknowledgement.
@Suite("closing in order")
struct ClosingTests {
  private static func online(_ server: ScriptedStream = ScriptedStream()) throws -> Harness {
    let harness = try Harness(server: server)
    harness.pass(.seconds(1))
    #expect(harness.isOnline)
    return harness
  }

  private func send(_ harness: Harness, _ text: String = "hello") {
    _ = harness.ask(harness.connect(), "send bob@example.org \(text)")
  }

  private func messages(_ harness: Harness) -> [JSONValue] {
    harness.ask(harness.connect(6), "history bob@example.org").compactMap { $0["message"] }
  }

  private func states(_ harness: Harness) -> [String?] {
    messages(harness).map { $0["in_doubt"] == nil ? $0["state"]?.string : "in doubt" }
  }

  private func hasClosed(_ harness: Harness) -> Bool { harness.toServer.contains("</stream:stream>") }

  private func end(_ way: String, _ harness: Harness) {
    switch way {
    case "disconnect": _ = harness.ask(harness.connect(5), "disconnect")
    case "stop": harness.handle(.stop(.interrupt))
    case "removal": harness.reload { $0.accounts = [Harness.work] }
    default: harness.reload { $0.accounts[0].resource = "other" }
    }
  }

  @Test(
    "the stream is closed when the server has acknowledged what was sent",
    arguments: ["disconnect", "stop", "removal", "resource"])
  func acknowledged(way: String) throws {
    let harness = try Self.online()
    send(harness)
    harness.clearTrace()
    end(way, harness)
    harness.pass(.seconds(1))
    #expect(!hasClosed(harness))
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    #expect(hasClosed(harness))
    harness.pass(.seconds(5))
    if way == "stop" { return #expect(harness.exitStatus == 0) }
    harness.clearTrace()
    harness.reload { $0.accounts = [Harness.alice] }
    _ = harness.ask(harness.connect(5), "connect")
    harness.pass(.seconds(5))
    #expect(harness.isOnline && states(harness) == ["sent"])
    #expect(!harness.toServer.contains("<body>"))
  }

  @Test("a close waits two seconds for a silent server", arguments: ["disconnect", "stop", "resource"])
  func unacknowledged(way: String) throws {
    let harness = try Self.online()
    send(harness)
    end(way, harness)
    harness.pass(.milliseconds(1_900))
    #expect(!hasClosed(harness))
    harness.pass(.milliseconds(200))
    #expect(hasClosed(harness))
  }

  @Test("without stream management, a close waits for the answer to a ping after the messages")
  func ping() throws {
    var server = ScriptedStream()
    server.offersManagement = false
    let harness = try Self.online(server)
    harness.clearTrace()
    send(harness)
    end("disconnect", harness)
    #expect(!hasClosed(harness))
    let ping = try #require(harness.toServer.components("<iq").last { $0.contains("urn:xmpp:ping") })
    harness.receive("<iq type='result' id='\(ScriptedStream.value(of: "id", in: ping) ?? "")'/>")
    #expect(hasClosed(harness))
    harness.pass(.seconds(1))
    #expect(states(harness) == ["sent"])
  }

  @Test("a close does not wait if all is acknowledged, and sends nothing new while it waits")
  func nothingNew() throws {
    let harness = try Self.online()
    end("disconnect", harness)
    #expect(hasClosed(harness))
    _ = harness.ask(harness.connect(5), "connect")
    harness.pass(.seconds(3))
    send(harness, "first")
    end("disconnect", harness)
    harness.clearTrace()
    send(harness, "second")
    #expect(!harness.toServer.contains("<body>"))
    #expect(states(harness).last == "queued")
  }

  @Test("stanzas that come while a close waits are stored and acknowledged before the stream is closed")
  func meanwhile() throws {
    let harness = try Self.online()
    send(harness)
    end("disconnect", harness)
    harness.syncsAtOnce = false
    harness.clearTrace()
    harness.receive("<message from='bob@example.org/x' id='m1'><body>meanwhile</body></message>")
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    #expect(!hasClosed(harness) && harness.pausedLinks.count == 1)
    for _ in 0..<3 {
      harness.sync()
      harness.pass(.milliseconds(20))
    }
    #expect(hasClosed(harness) && harness.pausedLinks.isEmpty)
    // The roster, two features, and the message.
    let answer = try #require(harness.toServer.components("<a ").last)
    #expect(answer.contains("h='4'"), "\(answer)")
  }

  // MARK: - The configuration

  private static func resuming(acknowledges: Bool = false) throws -> Harness {
    var server = ScriptedStream()
    server.resumption = "max='600'"
    server.acknowledges = acknowledges
    return try online(server)
  }

  @Test("a reload that does not change the login keeps the stream and applies the other changes")
  func sameLogin() throws {
    let harness = try Self.resuming(acknowledges: true)
    let client = harness.connect()
    harness.clearTrace()
    harness.reload {
      $0.accounts[0].receipts = .nobody
      $0.accounts[0].markers = .nobody
      $0.accounts[0].inDoubt = .hold
      $0.accounts[0].outboxMaxAge = .seconds(1)
      $0.accounts[0].archiveFirstSync = .all
    }
    #expect(harness.toServer.isEmpty && harness.connects == 1 && harness.isOnline)
    // The changed age limit takes effect at once.
    harness.server.isMute = true
    harness.cut()
    _ = harness.ask(client, "send bob@example.org late")
    harness.pass(.seconds(2))
    #expect(states(harness) == ["failed"])
  }

  @Test(
    "a reload that changes the login resumes the stream, and no message that the server has goes again",
    arguments: [0, 1] as [UInt32], ["password", "name", "server"])
  func otherLogin(lost: UInt32, change: String) throws {
    let harness = try Self.resuming()
    send(harness)
    harness.server.lost = lost
    harness.clearTrace()
    harness.reload { configuration in
      switch change {
      case "password": configuration.accounts[0].passwordCommand = "pass"
      case "name": configuration.accounts[0].name = "house"
      default: configuration.accounts[0].tls = .auto
      }
    }
    harness.server.acknowledges = true
    harness.pass(.seconds(5))
    #expect(!hasClosed(harness) && harness.toServer.contains("<resume "))
    #expect(harness.isOnline && harness.connects == 2)
    #expect(harness.toServer.components("<body>").count == 1 + Int(lost))
    #expect(states(harness) == ["sent"])
  }

  @Test("messages that the `h` of a refused resume covers do not go again, and the rest is not in doubt")
  func refusedThen() throws {
    let harness = try Self.resuming()
    for number in 0..<3 { send(harness, "\(number)") }
    // The three requests, the presence, and two of the messages.
    harness.server.refusal = "h='6'"
    harness.clearTrace()
    harness.reload { $0.accounts[0].passwordCommand = "pass" }
    harness.server.acknowledges = true
    harness.pass(.seconds(5))
    #expect(harness.toServer.components("<body>").count == 2)
    #expect(states(harness) == ["sent", "sent", "sent"])
  }

  @Test("another resource is another stream: the old one is closed")
  func otherResource() throws {
    let harness = try Self.resuming(acknowledges: true)
    harness.clearTrace()
    harness.reload { $0.accounts[0].resource = "other" }
    harness.pass(.seconds(5))
    #expect(hasClosed(harness) && !harness.toServer.contains("<resume "))
    #expect(harness.toServer.contains("<resource>other</resource>") && harness.isOnline)
  }

  @Test(
    "a new login waits 15 seconds for the server's end of the earlier stream, which gets the messages until then",
    arguments: [true, false])
  func lateEnd(comes: Bool) throws {
    let harness = try Self.resuming(acknowledges: true)
    harness.server.closesLate = true
    harness.clearTrace()
    let connects = harness.connects
    harness.reload { $0.accounts[0].resource = "other" }
    harness.pass(.seconds(14))
    #expect(hasClosed(harness) && harness.connects == connects)
    if comes { harness.receive("</stream:stream>") }
    harness.pass(.seconds(comes ? 1 : 2))
    #expect(harness.toServer.contains("<resource>other</resource>") && harness.isOnline)
  }

  @Test("an account that is removed, and comes back while its session ends, connects after the end")
  func backAgain() throws {
    let harness = try Self.online()
    send(harness)
    end("removal", harness)
    harness.reload { $0.accounts = [Harness.alice] }
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    harness.clearTrace()
    harness.pass(.seconds(5))
    #expect(harness.isOnline && states(harness) == ["sent"] && !harness.toServer.contains("<body>"))
  }

  @Test("a resumed stream that is not in the log ends with an error, and a new stream begins")
  func unknownStream() throws {
    let harness = try Self.online()
    let account = try #require(harness.engine.accounts.all.first)
    harness.cut()
    var over = StreamRecord(account: account.state.number)
    over.isOver = true
    harness.engine.state.apply(.stream(over), sequence: 0, location: 0)
    account.resumption.counters = nil
    let offer = SASLOffer(mechanisms: ["SCRAM-SHA-1"])
    let stream = NegotiatedStream(
      jid: try JID("alice@example.org/confab"),
      login: try #require(LoginMethod.choose(from: offer, bindings: [:], allowsPlain: false)), tls: harness.tls,
      offer: offer, features: StreamFeatures())
    account.resumed(stream, h: 0)
    harness.pass(.seconds(10))
    #expect(harness.told.contains { $0.contains("a stream that is not in the log") })
    #expect(harness.isOnline)
  }
}

/// The stages of an orderly end, as a value (`Closing`).
@Suite("the stages of a close")
struct ClosingStageTests {
  private let now = Instant(milliseconds: 1_000)

  @Test("a close stores, asks the server, waits, and stores what came meanwhile")
  func stages() {
    var closing = Closing(storingUpTo: 5)
    func step(_ isAwaiting: Bool, _ isComplete: Bool, _ durable: UInt64, _ later: Interval = .zero) -> Closing.Step {
      closing.step(
        isAwaiting: isAwaiting, isComplete: isComplete, durable: durable, at: now.advanced(by: later))
    }
    #expect(step(true, false, 4) == .wait)
    #expect(closing.deadline == nil)
    #expect(step(true, true, 5) == .ask)
    #expect(step(true, true, 5, .seconds(1)) == .wait)
    #expect(closing.deadline == now.advanced(by: Closing.patience))
    #expect(step(false, false, 5, .seconds(1)) == .store)
    closing.store(upTo: 8)
    #expect(closing.isPausing && closing.deadline == nil)
    #expect(step(true, false, 7, .seconds(1)) == .wait)
    #expect(step(true, false, 8, .seconds(1)) == .finish)
  }

  @Test("a close asks only if messages are unacknowledged, and waits no longer than its limit")
  func short() {
    var closing = Closing(storingUpTo: 0)
    let quick = closing.step(isAwaiting: false, isComplete: true, durable: 0, at: now)
    #expect(quick == .finish)
    closing = Closing(storingUpTo: 0)
    let asked = closing.step(isAwaiting: true, isComplete: true, durable: 0, at: now)
    let late = closing.step(isAwaiting: true, isComplete: true, durable: 0, at: now.advanced(by: Closing.patience))
    #expect([asked, late] == [.ask, .finish])
  }
}
