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

  @Test(
    "A query has a type and values",
    arguments: [
      ("xmpp:a@b?join", "join", [:]),
      ("XMPP:a@b?join;password=a%3Bb;nick=x=y#;z=1", "join", ["password": "a;b", "nick": "x=y"]),
      ("xmpp:a@b?message;body=1;body=2;;x;%=1;y=%zz", "message", ["body": "1"]),
      ("xmpp:a@b?join;k=", "join", ["k": ""]),
    ])
  func query(_ text: String, _ type: String, _ values: [String: String]) throws {
    let query = try #require(AddressURI.query(in: text))
    #expect(query.type == type && query.values == values)
  }

  @Test(
    "Other texts have no query", arguments: ["a@b?join", "xmpp:a@b", "xmpp:a@b?", "xmpp:a@b#?join", "xmpp:a@b?%2", ""])
  func noQuery(_ text: String) { #expect(AddressURI.query(in: text) == nil) }
}
