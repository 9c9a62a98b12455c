import Testing
import XML
import XMPPExtensions

@Suite struct XEP0334MessageHintsTests {
  @Test func storeIsWritten() {
    var writer = XMLWriter()
    MessageHints.writeStore(into: &writer)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "<store xmlns='urn:xmpp:hints'/>")
  }

  @Test("A message of hints alone says nothing", arguments: ["store", "no-copy", "no-store", "no-permanent-store"])
  func hintsAlone(hint: String) throws {
    #expect(!MessageParts(of: try element("<message><\(hint) xmlns='urn:xmpp:hints'/></message>")).hasContent)
  }
}
