import State
import Testing
import XMPPStream

@testable import ConfabAccounts

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
