import Records
import Testing

@testable import State

@Suite("Pending records")
struct PendingTests {
  @Test("Each subject has its newest record until that is durable")
  func newest() {
    let pending = Pending()
    pending.note(.wish(AccountWish(account: 1, show: "away")), 1)
    pending.note(.wish(AccountWish(account: 1, show: "dnd")), 2)
    pending.note(.cursor(CursorRecord(name: CursorName("a"), position: nil)), 3)
    #expect(pending.wish(of: 1)?.show == "dnd" && pending.wish(of: 2) == nil)
    #expect(pending.cursor(CursorName("a")).map { $0.position == nil } == true)
    #expect(pending.cursorCount(of: nil) == 1 && pending.cursorCount(of: 1) == 0)
    pending.durable(upTo: 1)
    #expect(pending.wish(of: 1)?.show == "dnd" && pending.isRequested)
    pending.durable(upTo: 3)
    #expect(pending.wish(of: 1) == nil && pending.cursor(CursorName("a")) == nil && !pending.isRequested)
  }

  @Test("Messages of mine are counted by whether they have a place")
  func outgoing() {
    let pending = Pending()
    var message = MessageRecord(account: 1, jid: "b@x", peer: "b@x", time: 0)
    message.author = .thisDevice
    pending.note(.message(message), 1)
    message.transmitted = true
    pending.note(.message(message), 2)
    #expect(pending.hasWaiting(of: 1) && pending.transmittedCount(of: 1) == 1 && !pending.hasWaiting(of: 2))
    pending.durable(upTo: 1)
    #expect(!pending.hasWaiting(of: 1) && pending.transmittedCount(of: 1) == 1)
    pending.discard()
    #expect(pending.transmittedCount(of: 1) == 0)
  }
}
