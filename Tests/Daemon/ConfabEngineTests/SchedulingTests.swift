import Clocks
import JSON
import State
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

/// `send at=`, `scheduled` and `reschedule`.
@Suite("messages that leave later")
struct SchedulingTests {
  private func texts(_ harness: Harness) -> [String] {
    harness.toServer.components("<body>").dropFirst().compactMap { $0.components("<").first }
  }

  private func messages(_ harness: Harness, _ request: String = "history bob@example.org") -> [JSONValue] {
    harness.ask(harness.connect(77), request).compactMap { $0["message"] }
  }

  private func shown(_ harness: Harness) -> [String?] { messages(harness).map { $0["text"]?.string } }

  private func schedule(
    _ text: String, in interval: Interval, _ harness: Harness, options: String = ""
  ) throws -> (id: Int64, at: String) {
    let at = harness.now.wall.advanced(by: interval).rfc3339
    let answer = harness.ask(harness.connect(5), "send \(options)at=\(at) bob@example.org \(text)").last
    return (try #require(answer?["id"]?.integer), at)
  }

  private func receive(_ text: String, _ harness: Harness) {
    harness.say("<message type='chat' from='bob@example.org/x' id='\(text)'><body>\(text)</body></message>")
  }

  private func restarted(_ harness: Harness) throws -> Harness {
    try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
  }

  @Test("A message leaves at its time, once, without a delay stamp, and stands there among the others")
  func leaves() throws {
    let harness = try ReceiptTests.online()
    let (_, at) = try schedule("later", in: .hours(2), harness)
    receive("before", harness)
    harness.pass(.minutes(119))
    #expect(shown(harness) == ["before", "later"])
    #expect(messages(harness).last?["held_until"]?.string == at)
    let conversation = harness.ask(harness.connect(6), "conversations").first?["conversation"]
    #expect(conversation?["last"]?["text"]?.string == "before")
    #expect(texts(harness).isEmpty)
    harness.pass(.minutes(2))
    receive("after", harness)
    #expect(texts(harness) == ["later"])
    #expect(!harness.toServer.contains("<delay "))
    #expect(shown(harness) == ["before", "later", "after"])
    #expect(messages(harness).map { $0["time"]?.string }[1] == at)
    #expect(messages(harness, "scheduled").isEmpty)
  }

  @Test("A message whose time comes while nobody is online leaves at the next login, with that time as its stamp")
  func offline() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    let (_, at) = try schedule("later", in: .minutes(10), harness)
    _ = harness.ask(client, "disconnect")
    let next = try restarted(harness)
    next.pass(.hours(1))
    #expect(texts(next).isEmpty)
    _ = next.ask(next.connect(), "connect")
    next.pass(.seconds(5))
    #expect(texts(next) == ["later"])
    #expect(
      next.toServer.contains("stamp='\(at.replacing(".000Z", with: "Z"))'") || next.toServer.contains("stamp='\(at)'"))
  }

  @Test("scheduled lists what is kept back for a time, by when it leaves, of one conversation or of all")
  func list() throws {
    let harness = try ReceiptTests.online()
    _ = try schedule("second", in: .hours(2), harness)
    _ = try schedule("first", in: .hours(1), harness)
    _ = harness.ask(harness.connect(6), "send hold=30m carol@example.org held")
    #expect(messages(harness, "scheduled").map { $0["text"]?.string } == ["held", "first", "second"])
    #expect(messages(harness, "scheduled bob@example.org").map { $0["text"]?.string } == ["first", "second"])
    #expect(messages(harness, "scheduled dan@example.org").isEmpty)
  }

  @Test("A rescheduled message keeps its id and moves; only its last text leaves, once, at its last time")
  func rescheduled() throws {
    let harness = try ReceiptTests.online()
    let (client, watcher) = (harness.connect(), harness.connect(2))
    _ = harness.ask(watcher, "watch kinds=edit")
    let (id, _) = try schedule("draft", in: .hours(1), harness)
    _ = try schedule("other", in: .hours(2), harness)
    let at = harness.now.wall.advanced(by: .hours(3)).rfc3339
    let answer = harness.ask(client, "reschedule at=\(at) \(id) the final text").last
    #expect(answer?["ok"]?.bool == true && answer?["id"]?.integer == id && answer?["state"]?.string == "queued")
    #expect(harness.takeLines(watcher).last?["message"]?["text"]?.string == "the final text")
    #expect(shown(harness) == ["other", "the final text"])
    #expect(messages(harness).last?["time"]?.string == at)
    #expect(messages(harness).last?["edited"] == nil)
    let next = try restarted(harness)
    next.pass(.minutes(150))
    #expect(texts(next) == ["other"])
    next.pass(.minutes(31))
    #expect(texts(next) == ["other", "the final text"])
    #expect(!next.toServer.contains("<delay ") && !next.toServer.contains("<replace "))
    #expect(messages(next).last?["state"]?.string == "sent")
  }

  @Test("A new text alone keeps the time, also before the change is durable")
  func text() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    let (id, at) = try schedule("one", in: .minutes(1), harness)
    harness.syncsAtOnce = false
    harness.send(client, "reschedule \(id) two\nreschedule \(id) three\n")
    harness.pass(.minutes(1))
    #expect(texts(harness).isEmpty)
    harness.syncsAtOnce = true
    while harness.hasBatch { harness.sync() }
    harness.pass(.seconds(1))
    #expect(texts(harness) == ["three"])
    #expect(messages(harness).last?["time"]?.string == at)
  }

  @Test("expires= counts from the time at which the message leaves, and moves with it")
  func expiry() throws {
    for isMoved in [false, true] {
      let harness = try ReceiptTests.online()
      let client = harness.connect()
      let (id, _) = try schedule("later", in: .hours(1), harness, options: "expires=10m ")
      if isMoved {
        let at = harness.now.wall.advanced(by: .hours(2)).rfc3339
        #expect(harness.ask(client, "reschedule at=\(at) \(id)").last?["ok"]?.bool == true)
      }
      _ = harness.ask(client, "disconnect")
      harness.pass(.minutes(isMoved ? 129 : 69))
      #expect(messages(harness).last?["state"]?.string == "queued")
      harness.pass(.minutes(2))
      #expect(messages(harness).last?["failure"]?["condition"]?.string == "expired")
    }
  }

  @Test(
    "A message that is taken back, or sent before its time, does not stand in the future any more",
    arguments: ["cancel", "release"])
  func early(verb: String) throws {
    let harness = try ReceiptTests.online()
    let (id, _) = try schedule("later", in: .hours(24), harness)
    harness.pass(.minutes(1))
    #expect(harness.ask(harness.connect(3), "\(verb) \(id)").last?["ok"]?.bool == true)
    harness.pass(.seconds(1))
    receive("after", harness)
    #expect(texts(harness) == (verb == "release" ? ["later"] : []))
    #expect(shown(harness) == ["later", "after"])
    #expect(messages(harness).first?["state"]?.string == (verb == "release" ? "sent" : "cancelled"))
    let next = try restarted(harness)
    next.pass(.hours(25))
    #expect(texts(next).isEmpty)
    #expect(shown(next) == ["later", "after"])
  }

  @Test("A time that is over, two times, and what is not kept back are refused")
  func refused() throws {
    let harness = try ReceiptTests.online()
    let client = harness.connect()
    func error(_ request: String) -> String? { harness.ask(client, request).last?["error"]?.string }
    let (past, future) = (harness.now.wall.rfc3339, harness.now.wall.advanced(by: .hours(1)).rfc3339)
    #expect(error("send at=\(past) bob@example.org x") == "bad-argument")
    #expect(error("send at=tomorrow bob@example.org x") == "bad-argument")
    #expect(error("send at=\(future) hold=1h bob@example.org x") == "bad-argument")
    let sent = harness.ask(client, "send bob@example.org now").last?["id"]?.integer ?? 0
    #expect(error("reschedule at=\(future) \(sent)") == "not-found")
    let (id, _) = try schedule("later", in: .hours(1), harness)
    #expect(error("reschedule \(id)") == "bad-argument")
    #expect(error("forward \(id) carol@example.org") == "bad-argument")
    #expect(error("reschedule at=\(past) \(id)") == "bad-argument")
    #expect(error(#"{"verb":"reschedule","id":\#(id),"text":""}"#) == "bad-argument")
    _ = harness.ask(client, "cancel \(id)")
    #expect(error("reschedule at=\(future) \(id)") == "not-found")
    #expect(shown(harness) == ["now", "later"])
  }

  @Test("A checkpoint has a message that was rescheduled")
  func checkpoint() throws {
    let harness = try ReceiptTests.online()
    let (id, _) = try schedule("later", in: .hours(1), harness)
    let at = harness.now.wall.advanced(by: .hours(3)).rfc3339
    _ = harness.ask(harness.connect(3), "reschedule at=\(at) \(id)")
    let state = try State.restored(from: harness.engine.state.checkpointBody, sequence: 1_000, gap: .hours(24))
    #expect(state.accounts[1]?.outbox.held == harness.engine.state.accounts[1]?.outbox.held)
    #expect(state.accounts[1]?.outbox.held[UInt64(id)]?.standsAt.rfc3339 == at)
  }
}
