import Clocks
import Records
import Testing

@testable import State

@Suite("Messages of mine to a room")
struct RoomMessagesTests {
  private static let room = "r@x"

  /// A state with records that were applied one after the other, and a room's message as the first of them.
  private final class Log {
    let state = State(gap: .hours(1))
    private var last: UInt64 = 0

    init(transmitted: Bool = false) {
      var message = MessageRecord(account: 1, jid: RoomMessagesTests.room, peer: RoomMessagesTests.room, time: 1)
      (message.author, message.isOfRoom, message.transmitted) = (.thisDevice, true, transmitted)
      message.stanzaID = "i"
      apply(.message(message))
    }

    func apply(_ record: Record) {
      last += 1
      state.apply(record, sequence: last, location: last)
    }

    func advance(_ to: DeliveryState) {
      apply(.delivery(DeliveryRecord(account: 1, jid: RoomMessagesTests.room, time: 1, id: 1, state: to)))
    }

    func beginStream() {
      var stream = StreamRecord(account: 1)
      stream.beginning = .init(jid: "a@x/r")
      apply(.stream(stream))
    }

    /// Where the message waits: `held`, `goes out`, `unreflected`, or `done`.
    var place: String {
      guard let outbox = state.accounts[1]?.outbox else { return "" }
      if outbox.held[1] != nil { return "held" }
      if outbox.unreflected[1] != nil { return "unreflected" }
      return outbox.entries.isEmpty ? "done" : "goes out"
    }
  }

  @Test("is kept back until it is let go, stays until the room has shown it, and is done then")
  func way() {
    let log = Log()
    #expect(log.place == "held")
    log.apply(.release(.init(account: 1, id: 1)))
    log.apply(.transmission(.init(account: 1, ids: [1])))
    #expect(log.place == "goes out")
    log.advance(.sent)
    #expect(log.place == "unreflected")
    log.advance(.delivered)
    #expect(log.place == "done")
  }

  @Test("that may have left waits for its room on another stream; one that has not is kept back")
  func streams() {
    let left = Log(transmitted: true)
    #expect(left.place == "goes out")
    left.beginStream()
    #expect(left.place == "unreflected")
    let kept = Log()
    kept.apply(.release(.init(account: 1, id: 1)))
    kept.beginStream()
    #expect(kept.place == "held")
  }

  @Test("goes again behind all that waits, and knows how often because of its room")
  func again() {
    let log = Log(transmitted: true)
    log.advance(.sent)
    log.apply(.release(.init(account: 1, id: 1)))
    #expect(log.place == "goes out")
    #expect(log.state.accounts[1]?.outbox.entries.map(\.repeats) == [0])
    log.apply(.transmission(.init(account: 1, ids: [1])))
    log.advance(.sent)
    log.apply(.release(.init(account: 1, id: 1, isRepeat: true)))
    #expect(log.state.accounts[1]?.outbox.entries.map(\.repeats) == [1])
  }

  @Test("waits in a checkpoint as it does in the log")
  func checkpoint() throws {
    for log in [Log(), Log(transmitted: true)] {
      if log.place == "goes out" { log.advance(.sent) }
      let copy = try State.restored(from: log.state.checkpointBody, sequence: 9, gap: .hours(1))
      let (one, other) = (try #require(log.state.accounts[1]?.outbox), try #require(copy.accounts[1]?.outbox))
      #expect(one.held == other.held && one.unreflected == other.unreflected)
      #expect(!one.held.isEmpty || !one.unreflected.isEmpty)
    }
  }
}
