import State
import Testing
import XMPPStream

@testable import ConfabAccounts

@Suite("Receipts that are sent")
struct ReceiptsTests {
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
