import Clocks
import State
import Records
import Testing
import XMPPStream

@testable import ConfabEngine

@Suite("A reliable stream")
struct ReliableStreamTests {
  @Test("A stanza of the server's is acknowledged once it is durable")
  func acknowledges() throws {
    let parts = try Parts()
    try parts.begin()
    try parts.receive("<message from='bob@example.org/x' id='1' type='chat'><body>hi</body></message>")
    _ = parts.output()
    try parts.receive("<r xmlns='urn:xmpp:sm:3'/>")
    #expect(!parts.output().contains("<a "))
    try parts.sync()
    #expect(parts.output().contains("<a xmlns='urn:xmpp:sm:3' h='4'/>"))
  }

  @Test("What the server had not handled is sent again on the resumed stream, in order")
  func resumes() throws {
    let parts = try Parts()
    try parts.begin()
    _ = parts.messaging.outbox.submit(parts.message("one"))
    _ = parts.messaging.outbox.submit(parts.message("two"))
    try parts.sync()
    let sent = parts.output()
    #expect(sent.contains("one") && sent.contains("two"))
    let stream = parts.core.stream
    let had = stream.counters.sentCount - 1
    parts.lifecycle.linkLost()
    let counters = stream.suspended()
    let log = try #require(parts.account.stream)
    let (done, again) = try stream.resume(counters, h: had, from: log)
    #expect(done.count == 1 && again.count == 1)
    #expect(stream.isResumed && !stream.responsiveness.isProven && stream.mode == .on)
  }

  @Test("An impossible acknowledgement ends the stream")
  func impossible() throws {
    let parts = try Parts()
    try parts.begin()
    let end = try parts.receive("<a xmlns='urn:xmpp:sm:3' h='4000'/>")
    guard case .failed(.impossibleAcknowledgement) = end else {
      Issue.record("the stream went on")
      return
    }
  }
}

@Suite("The sender of the outbox")
struct OutboxSenderTests {
  @Test("A message leaves once its own record is durable, and is sent once it is acknowledged")
  func leaves() throws {
    let parts = try Parts()
    try parts.begin()
    _ = parts.output()
    let id = parts.messaging.outbox.submit(parts.message("hello"))
    #expect(!parts.output().contains("hello") && parts.messaging.outbox.unacknowledgedCount == 1)
    try parts.sync()
    #expect(parts.output().contains("hello"))
    try parts.receive("<a xmlns='urn:xmpp:sm:3' h='\(parts.core.stream.counters.sentCount)'/>")
    #expect(parts.storage.pending.delivery(of: id)?.state == .sent)
    try parts.sync()
    #expect(parts.account.outbox.count == 0)
  }

  @Test("Messages beyond the window wait for acknowledgements")
  func window() throws {
    let parts = try Parts()
    try parts.begin()
    for number in 0...OutboxSender.window { _ = parts.messaging.outbox.submit(parts.message("m\(number)")) }
    try parts.sync()
    #expect(parts.messaging.outbox.unacknowledgedCount == OutboxSender.window)
    try parts.receive("<a xmlns='urn:xmpp:sm:3' h='\(parts.core.stream.counters.sentCount)'/>")
    try parts.sync()
    #expect(parts.messaging.outbox.unacknowledgedCount == 1)
  }

  @Test("A stopped stream takes nothing more")
  func stopped() throws {
    let parts = try Parts()
    try parts.begin()
    parts.messaging.outbox.stop()
    _ = parts.output()
    _ = parts.messaging.outbox.submit(parts.message("late"))
    try parts.sync()
    #expect(!parts.output().contains("late") && parts.account.outbox.count == 1)
  }
}

@Suite("Receipts that are sent")
struct ReceiptsPartTests {
  private let question =
    "<message from='bob@example.org/x' id='q1' type='chat'><body>hi</body><request xmlns='urn:xmpp:receipts'/></message>"

  @Test("A pending receipt is sent to a contact, and settled once the server has it")
  func sent() throws {
    let parts = try Parts()
    try parts.begin()
    try parts.receive(question)
    try parts.sync()
    #expect(parts.output().contains("<received xmlns='urn:xmpp:receipts' id='q1'/>"))
    #expect(parts.messaging.receipts.sent.count == 1 && parts.account.pendingReceipts.entries.count == 1)
    try parts.receive("<a xmlns='urn:xmpp:sm:3' h='\(parts.core.stream.counters.sentCount)'/>")
    parts.lifecycle.recordProgress()
    try parts.sync()
    #expect(parts.messaging.receipts.sent.isEmpty && parts.account.pendingReceipts.entries.isEmpty)
  }

  @Test("People who do not see our presence get none")
  func strangers() throws {
    let parts = try Parts()
    try parts.begin()
    try parts.receive(question.replacing("bob@example.org", with: "eve@example.org"))
    try parts.sync()
    #expect(!parts.output().contains("urn:xmpp:receipts"))
  }
}

@Suite("The inbox")
struct InboxTests {
  private func carbon(_ id: String, _ text: String) -> String {
    """
    <message from='alice@example.org'><received xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>\
    <message xmlns='jabber:client' from='bob@example.org/x' to='alice@example.org/y' id='\(id)' type='chat'>\
    <body>\(text)</body></message></forwarded></received></message>
    """
  }

  @Test("A carbon of a live message is the same message, pending or stored")
  func copies() throws {
    let parts = try Parts()
    try parts.begin(features: ["urn:xmpp:mam:2"])
    for isStored in [false, true] {
      let id = "c\(isStored)"
      try parts.receive("<message from='bob@example.org/x' id='\(id)' type='chat'><body>\(id)</body></message>")
      if isStored { try parts.sync() }
      try parts.receive(carbon(id, id))
      try parts.sync()
    }
    #expect(parts.texts() == ["cfalse", "ctrue"])
  }

  @Test("Nobody but our own account brings carbons")
  func forged() throws {
    let parts = try Parts()
    try parts.begin()
    try parts.receive(
      carbon("1", "forged").replacing("<message from='alice@example.org'>", with: "<message from='eve@x'>"))
    try parts.sync()
    #expect(parts.texts().isEmpty)
  }
}

@Suite("The synchronisation with the archive")
struct ArchiveSyncTests {
  private let features = ["urn:xmpp:mam:2", "urn:xmpp:sid:0"]

  @Test("The first time it fetches backwards from the newest message; the last page is the anchor")
  func first() throws {
    let parts = try Parts()
    try parts.begin(features: features)
    let query = parts.output()
    #expect(query.contains("urn:xmpp:mam:2") && query.contains("<before"))
    let (progress, archive) = (parts.messaging.archive.progress, parts.messaging.archive)
    let token = try #require(progress.run?.token)
    try parts.receive(
      "<message from='alice@example.org'><result xmlns='urn:xmpp:mam:2' queryid='\(token)' id='a1'>"
        + "<forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='2025-01-01T00:00:00Z'/>"
        + "<message xmlns='jabber:client' from='bob@example.org/x' to='alice@example.org' id='1' type='chat'>"
        + "<body>old</body></message></forwarded></result></message>")
    try parts.receive(
      "<iq type='result' id='\(archive.question.id)'><fin xmlns='urn:xmpp:mam:2' complete='true'>"
        + "<set xmlns='http://jabber.org/protocol/rsm'><first>a1</first><last>a1</last></set></fin></iq>")
    #expect(progress.phase == .complete && progress.record?.anchor?.id == "a1" && progress.taken == 1)
    try parts.sync()
    #expect(parts.texts() == ["old"])
  }

  @Test("A result that was not requested is dropped")
  func unrequested() throws {
    let parts = try Parts()
    try parts.begin(features: features)
    try parts.receive(
      "<message from='alice@example.org'><result xmlns='urn:xmpp:mam:2' queryid='guessed' id='a1'>"
        + "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' from='bob@example.org/x' id='1'>"
        + "<body>forged</body></message></forwarded></result></message>")
    try parts.sync()
    #expect(parts.texts().isEmpty && parts.messaging.archive.progress.taken == 0)
  }
}

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
