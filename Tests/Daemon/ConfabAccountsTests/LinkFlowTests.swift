import Testing

@testable import ConfabAccounts

@Suite("The flow of a link")
struct LinkFlowTests {
  private func changes(_ flow: inout LinkFlow, backlog: Int) -> Bool {
    flow.changes(backlog: backlog, unsent: 0, mustPause: false)
  }

  @Test("A link that fills the disk's queue is paused, and read again when it is nearly empty")
  func pauses() {
    var flow = LinkFlow()
    flow.received(1 << 20)
    let changed = [LinkFlow.pauseAt + 1, LinkFlow.pauseAt / 2, 0].map { changes(&flow, backlog: $0) }
    #expect(changed == [true, false, true] && !flow.isPaused)
  }

  @Test("A link that brought little is not paused for others")
  func share() {
    var flow = LinkFlow()
    flow.received(100)
    let changed = changes(&flow, backlog: LinkFlow.pauseAt + 1)
    #expect(!changed)
  }
}
