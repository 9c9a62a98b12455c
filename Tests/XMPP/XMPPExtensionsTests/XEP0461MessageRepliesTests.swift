import Testing
import XML
import XMPPExtensions

@Suite struct XEP0461MessageRepliesTests {
  @Test func areWrittenAndRead() throws {
    var writer = XMLWriter()
    MessageReplies.write("m1", author: "anna@example.com/tablet", quotation: 8, into: &writer)
    let xml = String(decoding: writer.bytes, as: UTF8.self)
    #expect(
      xml == "<reply xmlns='urn:xmpp:reply:0' to='anna@example.com/tablet' id='m1'/>"
        + "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'><body start='0' end='8'/></fallback>")
    let message = try element("<message>\(xml)</message>")
    let reply = try #require(message.child("reply", MessageReplies.namespace))
    #expect(MessageReplies.target(reply)?.id == "m1")
    #expect(MessageReplies.target(reply)?.author == "anna@example.com/tablet")
  }

  @Test("The first lines of a message are quoted, and read back")
  func quotation() {
    #expect(MessageReplies.quotation(of: "one\n\ntwo") == "> one\n> \n> two\n")
    #expect(MessageReplies.quoted("> one\n> \n>two\n") == "one\n\ntwo")
    let long = MessageReplies.quotation(of: String(repeating: "line\n", count: 100))
    #expect(long.split(separator: "\n").count == 5 && long.hasSuffix("…\n"))
    #expect(MessageReplies.quotation(of: String(repeating: "x", count: 10_000)).unicodeScalars.count == 504)
  }
}
