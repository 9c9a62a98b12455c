import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct SubscriptionTests {
  @Test func requestsGoToAccounts() throws {
    let jid = try JID("bob@example.org/phone")
    for (bytes, type) in [
      (SubscriptionRequest.ask(jid, nickname: nil), "subscribe"), (SubscriptionRequest.accept(jid), "subscribed"),
      (SubscriptionRequest.deny(jid), "unsubscribed"),
    ] { #expect(try element(bytes) == element("<presence type='\(type)' to='bob@example.org'/>")) }
  }
}
