import Testing
import XML

@testable import XMPPExtensions

@Suite struct XEP0066OutOfBandDataTests {
  @Test("Addresses are read, and what is none is left out")
  func reading() throws {
    var writer = XMLWriter()
    OutOfBandData.write("https://example.org/?a&b", into: &writer)
    let message = try element(
      "<message>\(String(decoding: writer.bytes, as: UTF8.self))<x xmlns='jabber:x:oob'/>"
        + "<x xmlns='jabber:x:oob'><url>not one</url></x><x xmlns='other'><url>https://example.org/</url></x></message>"
    )
    #expect(OutOfBandData.urls(in: message) == ["https://example.org/?a&b"])
  }
}
