import Clocks
import JSON
import MessageLog
import Records
import TestSupport
import Testing

@testable import ConfabAccounts

/// The daemon is killed at every write, with any part of it on the disk, while messages go both ways; another one goes on.
/// Nothing is lost, nothing is there twice, and the server never hears a count that is not durable.
@Suite("crashes while a stream lives")
struct CrashResumptionTests {
  /// What happens one after the other, at the server and at a front end.
  private enum Step {
    case says(String)
    case sends(String)
    case request
    case presence(String)
    case ping
    case pause

    var isAsked: Bool { if case .sends = self { true } else { false } }
  }

  private static let script: [Step] = [
    .says("a0"), .sends("b0"), .presence("away"), .says("a1"), .request, .sends("b1"), .ping, .says("a2"), .says("a3"),
    .sends("b2"), .sends("b3"), .pause, .presence("dnd"), .request, .says("a4"), .ping, .sends("b4"), .says("a5"),
    .pause, .request,
  ]

  /// One run of the script, with a crash in it.
  private final class Run {
    var harness: Harness
    /// The batch in which the machine stops, counted from 0, and how many of each 8 parts of it are written then.
    let crash: Int
    let parts: Int
    private var batches = 0
    private var client: ClientID
    private(set) var hasCrashed = false

    init(crash: Int, parts: Int) throws {
      var server = ScriptedStream()
      server.resumption = "max='600'"
      server.acknowledges = true
      harness = try Harness(server: server)
      harness.syncsAtOnce = false
      (self.crash, self.parts) = (crash, parts)
      client = harness.connect()
      try settle()
    }

    func perform(_ step: Step) throws {
      repeat {
        switch step {
        case .says(let text):
          harness.say("<message from='bob@example.org/phone' id='\(text)' type='chat'><body>\(text)</body></message>")
        case .sends(let text): harness.send(client, "send key=\(text) bob@example.org \(text)\n")
        case .request: harness.receive("<r xmlns='urn:xmpp:sm:3'/>")
        case .presence(let show): harness.say("<presence from='bob@example.org/phone'><show>\(show)</show></presence>")
        case .ping: harness.say("<iq type='get' id='q' from='bob@example.org/phone'><ping xmlns='urn:xmpp:ping'/></iq>")
        case .pause: harness.pass(.milliseconds(40))
        }
        // A front end that got no answer asks again; the server keeps what it said.
      } while try settle() && step.isAsked
    }

    /// Lets the disk work until it has nothing to do; whether the machine stopped meanwhile.
    @discardableResult
    private func settle() throws -> Bool {
      var crashed = false
      for _ in 0..<6 {
        while harness.hasBatch {
          if batches == crash, !hasCrashed {
            try stop()
            crashed = true
          } else {
            harness.sync()
          }
          batches += 1
        }
        harness.pass(.milliseconds(10))
      }
      return crashed
    }

    /// The batch is written in part, and everything in memory is gone.
    private func stop() throws {
      hasCrashed = true
      harness = try Harness(on: try harness.image(parts: parts), server: harness.server, now: harness.now, seed: 2)
      harness.syncsAtOnce = false
      client = harness.connect()
    }

    var texts: [String] {
      harness.syncsAtOnce = true
      harness.sync()
      harness.pass(.minutes(1))
      return harness.ask(harness.connect(5), "history limit=100 bob@example.org").compactMap { $0["message"] }
        .map { $0["text"]?.string ?? "" }
    }
  }

  @Test("each message is there once, on both sides", arguments: 0..<40)
  func everywhere(crash: Int) throws {
    for parts in 0...8 {
      let run = try Run(crash: crash, parts: parts)
      for step in Self.script { try run.perform(step) }
      let texts = run.texts
      let place: Comment = "crash at batch \(crash), \(parts) of 8 parts written"
      #expect(texts.filter { $0.hasPrefix("a") } == (0..<6).map { "a\($0)" }, place)
      #expect(texts.filter { $0.hasPrefix("b") } == (0..<5).map { "b\($0)" }, place)
      #expect(run.harness.server.heard.count == 5 && Set(run.harness.server.heard).count == 5, place)
    }
  }

  @Test("what takes the old place of a presence that did not arrive leaves when the log has the new one")
  func presenceMoved() throws {
    var server = ReceiptTests.server(resumption: "max='600'")
    server.isRosterLate = true
    let harness = try Harness(server: server)
    harness.pass(.seconds(1))
    #expect(harness.toServer.components("<presence").count == 2)
    // All but the presence, which was last.
    harness.server.lost = 1
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2, holdsLinks: true)
    (next.syncsAtOnce, next.holdsLinks) = (false, false)
    next.cut()
    next.pass(.seconds(10))
    #expect(next.toServer.contains("<resume ") && !next.toServer.contains("<presence"))
    let last = try Harness(on: next.storage, server: next.server, now: next.now, seed: 3)
    last.pass(.seconds(1))
    #expect(last.toServer.contains("<resume ") && last.toServer.contains("jabber:iq:roster"))
    #expect(last.toServer.components("<presence").count == 2)
  }

  @Test("what takes the old places of messages that go again leaves when the log has their new ones")
  func manyAgain() throws {
    var server = ReceiptTests.server(resumption: "max='600'")
    server.acknowledges = false
    let harness = try Harness(server: server)
    harness.pass(.seconds(1))
    let client = harness.connect()
    let others = harness.server.handled
    // More than goes out at once; when there is room again, as much once more.
    for number in 0..<40 {
      _ = harness.ask(client, "send bob@example.org \(String(repeating: "x", count: 50_000)) \(number)")
    }
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(others + 2)'/>")
    harness.pass(.seconds(1))
    #expect(harness.server.handled > others + 30)
    harness.server.lost = harness.server.handled - others - 2
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    next.pass(.seconds(1))
    next.server.acknowledges = true
    let last = try Harness(on: next.storage, server: next.server, now: next.now, seed: 3)
    last.pass(.minutes(2))
    #expect(Set(last.server.heard).count == 40)
  }
}
