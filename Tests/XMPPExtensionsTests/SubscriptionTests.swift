import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct SubscriptionTests {
  @Test func requestsGoToAccounts() throws {
    let jid = try JID("bob@example.org/phone")
    for (bytes, type) in [
      (SubscriptionRequest.ask(jid, nickname: nil), "subscribe"), (SubscriptionRequest.accept(jid), "subscribed"),
      (SubscriptionRequest.deny(jid), "unsubscribed"), (SubscriptionRequest.leave(jid), "unsubscribe"),
    ] { #expect(try element(bytes) == element("<presence type='\(type)' to='bob@example.org'/>")) }
  }

  @Test func whoAsksIsAnAccount() throws {
    func asker(_ xml: String) throws -> JID? { try Presence(element(xml)).flatMap { SubscriptionRequest.asker($0) } }
    #expect(try asker("<presence type='subscribe' from='bob@example.org/x'/>") == JID("bob@example.org"))
    #expect(try asker("<presence type='subscribe'/>") == nil)
    #expect(try asker("<presence type='subscribed' from='bob@example.org'/>") == nil)
    #expect(try asker("<presence from='bob@example.org'/>") == nil)
  }
}
