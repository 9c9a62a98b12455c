import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite("References")
struct XEP0372ReferencesTests {
  private func mentions(_ marks: String) throws -> [String] {
    MessageReferences.mentions(in: try element("<message>\(marks)</message>")).map(\.description)
  }

  private func mark(_ uri: String, type: String = "mention") -> String {
    "<reference xmlns='urn:xmpp:reference:0' type='\(type)' begin='0' end='5' uri='\(uri)'/>"
  }

  @Test("A mark of a person names its address, escapes decoded")
  func reading() throws {
    #expect(try mentions(mark("xmpp:juliet@capulet.lit")) == ["juliet@capulet.lit"])
    #expect(
      try mentions(mark("xmpp:team@rooms.example.org/Ann%20B") + mark("xmpp:b@c")) == [
        "team@rooms.example.org/Ann B", "b@c",
      ])
  }

  @Test("Marks of data, of other schemes, of no address and without end name nobody")
  func others() throws {
    #expect(try mentions(mark("xmpp:b@c", type: "data")) == [])
    #expect(try mentions(mark("https://b@c") + mark("xmpp:") + mark("xmpp:@") + mark("b@c")) == [])
    #expect(try mentions("<reference xmlns='urn:xmpp:reference:0' type='mention'/>") == [])
    #expect(try mentions("<reference xmlns='urn:xmpp:reference:1' type='mention' uri='xmpp:b@c'/>") == [])
    #expect(try mentions(mark("xmpp:b@c/" + String(repeating: "x", count: 5_000))) == [])
    #expect(try mentions(String(repeating: mark("xmpp:b@c"), count: 1_000)).count == 100)
  }
}
