import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0428FallbackIndicationTests {
  private func shown(_ body: String, _ fallback: String, reply: Bool = true) throws -> String {
    let message = try element(
      "<message><body>x</body>" + (reply ? "<reply xmlns='urn:xmpp:reply:0' id='1'/>" : "")
        + "<fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:reply:0'>\(fallback)</fallback></message>")
    return MessageParts(of: message).shown(body, of: message, besides: [.reply])
  }

  @Test("A range is left out, in Unicode scalars")
  func range() throws {
    #expect(try shown("> 👩‍👧 e\u{301}\nyes", "<body start='0' end='9'/>") == "yes")
    #expect(try shown("yes <3", "<body start='3' end='6'/>") == "yes")
    #expect(try shown("abcdef", "<body start='4' end='5'/><body start='0' end='2'/><body start='1' end='3'/>") == "df")
  }

  @Test("Without a range all of the body is left out")
  func whole() throws {
    #expect(try shown("all", "") == "")
    #expect(try shown("all", "<body/>") == "")
    #expect(try shown("all", "<subject/>") == "all")
  }

  @Test(
    "A range that does not lie within the body is none",
    arguments: [
      "<body start='0' end='7'/>", "<body start='-1' end='2'/>", "<body start='4' end='3'/>",
      "<body start='x' end='3'/>",
      "<body start='99999999999999999999' end='3'/>", "<body start='7'/>",
    ])
  func beyond(fallback: String) throws {
    #expect(try shown("abcdef", fallback) == "abcdef")
  }

  @Test("Nothing is left out for what is not there, or not known")
  func others() throws {
    #expect(try shown("abc", "<body start='0' end='1'/>", reply: false) == "abc")
    let message = try element(
      "<message><body>abc</body><fallback xmlns='urn:xmpp:fallback:0' for='urn:xmpp:other:0'/></message>")
    #expect(MessageParts(of: message).shown("abc", of: message, besides: [.reply, .retract, .reactions]) == "abc")
  }
}
