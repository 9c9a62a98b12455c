import Bytes
import Testing

@Suite("Addresses as URIs")
struct AddressURITests {
  @Test(
    "A URI gives its address; all else stays",
    arguments: [
      ("xmpp:bob@example.org", "bob@example.org"), ("XMPP:bob@example.org/desk", "bob@example.org/desk"),
      ("xmpp:bob@example.org?message;body=hi", "bob@example.org"), ("xmpp:bob@example.org#x", "bob@example.org"),
      ("xmpp:nasty%25r%C3%A9@example.org", "nasty%ré@example.org"), ("xmpp:example.org", "example.org"),
      ("xmpp://alice@example.net/bob@example.org?message", "bob@example.org"), ("bob@example.org", "bob@example.org"),
      ("xmpp:", "xmpp:"), ("xmpp:?message", "xmpp:?message"), ("xmpp://alice@example.net", "xmpp://alice@example.net"),
      ("xmpp:a%2@b", "xmpp:a%2@b"), ("xmpp:a%+1@b", "xmpp:a%+1@b"), ("xmpp:a%FF@b", "xmpp:a%FF@b"), ("", ""),
      ("bob?x", "bob?x"), ("mailto:bob@example.org", "mailto:bob@example.org"),
    ])
  func address(_ text: String, _ address: String) { #expect(AddressURI.address(in: text) == address) }
}
