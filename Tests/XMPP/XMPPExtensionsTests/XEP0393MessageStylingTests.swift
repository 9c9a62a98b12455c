import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite struct XEP0393MessageStylingTests {
  @Test func anUnstyledMessageSaysSoInAnElementThatIsUnderstood() throws {
    var writer = XMLWriter()
    MessageStyling.writeUnstyled(into: &writer)
    let unstyled = String(decoding: writer.bytes, as: UTF8.self)
    #expect(unstyled == "<unstyled xmlns='urn:xmpp:styling:0'/>")
    let parts = MessageParts(of: try element("<message><body>&gt; _ &lt;</body>\(unstyled)\(unstyled)</message>"))
    #expect(parts.has(.unstyled) && !parts.hasUnstored)
  }

  @Test func itIsNoContentByItself() throws {
    let alone = MessageParts(of: try element("<message><unstyled xmlns='urn:xmpp:styling:0'/></message>"))
    #expect(alone.has(.unstyled) && !alone.hasContent)
    #expect(!MessageParts(of: try element("<message><unstyled xmlns='urn:x'/></message>")).has(.unstyled))
  }

  @Test func supportIsAnnounced() { #expect(Registry.info(.test()).features.contains("urn:xmpp:styling:0")) }
}
