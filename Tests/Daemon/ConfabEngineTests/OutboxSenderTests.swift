import Records
import State
import Testing
import XMPPStream

@testable import ConfabAccounts

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
