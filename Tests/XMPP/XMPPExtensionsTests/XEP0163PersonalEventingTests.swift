import Testing
import XML
import XMPPExtensions

@Suite struct XEP0163PersonalEventingTests {
  private func event(_ content: String) throws -> PersonalEvent? {
    try PersonalEvent(element("<event xmlns='http://jabber.org/protocol/pubsub#event'>\(content)</event>"))
  }

  @Test func publishedAndRetractedItemsAreRead() throws {
    let event = try #require(
      try event("<items node='n'><item id='1'><a xmlns='urn:a'/></item><item/><retract id='2'/><retract/></items>"))
    #expect(event.node == "n" && !event.isEmptied)
    #expect(event.items.map(\.id) == ["1", nil])
    #expect(event.items.first?.payload?.local == "a")
    #expect(event.retracted == ["2"])
  }

  @Test(arguments: ["purge", "delete"]) func aNodeThatIsPurgedOrDeletedHasNoItems(_ name: String) throws {
    let event = try #require(try event("<\(name) node='n'/>"))
    #expect(event.isEmptied && event.items.isEmpty && event.node == "n")
  }

  @Test(arguments: [
    "", "<items/>", "<items xmlns='urn:x' node='n'/>", "<configuration node='n'/>", "<subscription node='n'/>", "text",
  ])
  func otherEventsSayNothing(_ content: String) throws { #expect(try event(content) == nil) }

  @Test func anEventIsAPayloadOfItsOwn() throws {
    let event = "<event xmlns='http://jabber.org/protocol/pubsub#event'><purge node='n'/></event>"
    let message = try element("<message>\(event)</message>")
    #expect(MessageParts(of: message).event(of: message)?.node == "n")
    let two = try element("<message>\(event)\(event)</message>")
    #expect(MessageParts(of: two).event(of: two) == nil)
  }
}
