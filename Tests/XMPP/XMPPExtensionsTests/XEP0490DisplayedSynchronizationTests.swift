import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0490DisplayedSynchronizationTests {
  private func displayed(_ item: String) throws -> (conversation: JID, stanzaID: String)? {
    let node = DisplayedSynchronization.node
    let iq = try element(
      "<iq type='result' id='1'><pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='\(node)'>\(item)</items>"
        + "</pubsub></iq>")
    let found = try #require(PubSub.items(in: iq, of: node)?.first)
    return DisplayedSynchronization.displayed(in: found, of: try JID("juliet@capulet.lit")) { $0.domain == "rooms.lit" }
  }

  private static func payload(by: String = "juliet@capulet.lit", id: String = "a1") -> String {
    "<displayed xmlns='urn:xmpp:mds:displayed:0'><stanza-id xmlns='urn:xmpp:sid:0' by='\(by)' id='\(id)'/></displayed>"
  }

  @Test func anItemNamesItsConversationAndTheMessageInOurArchive() throws {
    let found = try #require(try displayed("<item id='romeo@montague.lit'>\(Self.payload())</item>"))
    #expect(found.conversation.description == "romeo@montague.lit" && found.stanzaID == "a1")
  }

  @Test func anItemOfARoomNamesTheRoomsID() throws {
    let found = try #require(try displayed("<item id='team@rooms.lit'>\(Self.payload(by: "team@rooms.lit"))</item>"))
    #expect(found.conversation.description == "team@rooms.lit" && found.stanzaID == "a1")
  }

  @Test(arguments: [
    "<item>\(payload())</item>", "<item id='romeo@montague.lit/x'>\(payload())</item>",
    "<item id='@@'>\(payload())</item>",
    "<item id='a@b'>\(payload(by: "romeo@montague.lit"))</item>", "<item id='a@b'>\(payload(id: ""))</item>",
    "<item id='team@rooms.lit'>\(payload())</item>", "<item id='a@b'/>", "<item id='a@b'>\(payload())<x/></item>",
    "<item id='a@b'><displayed xmlns='urn:xmpp:chat-markers:0' id='a1'/></item>",
  ])
  func otherItemsSayNothing(_ item: String) throws { #expect(try displayed(item) == nil) }

  @Test func anItemIsWrittenAsItIsRead() throws {
    var writer = XMLWriter()
    DisplayedSynchronization.write("a1", by: try JID("juliet@capulet.lit"), into: &writer)
    #expect(try element(writer.bytes) == element(Self.payload()))
  }
}
