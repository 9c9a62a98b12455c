import Bytes
import Testing
import XML

@testable import XMPPExtensions

@Suite struct XEP0103URLDataTests {
  @Test(
    "What is no address is left out",
    arguments: [
      "", "example.org", ":x", "https://exa mple.org", "https://example.org/\u{202E}", "https://example.org/ü", "a/b:c",
      "https://example.org/`", "https://e/" + String(repeating: "x", count: 5_000),
    ])
  func noAddress(_ text: String) { #expect(FileURL.read(text) == nil) }

  @Test("An address is read as it stands there", arguments: ["https://example.org/%C3%BC?a=b&c#d", "aesgcm://h/x#00"])
  func address(_ text: String) throws {
    var writer = XMLWriter()
    URLData.write(text, into: &writer)
    #expect(URLData.url(try element(String(decoding: writer.bytes, as: UTF8.self))) == text)
  }
}
