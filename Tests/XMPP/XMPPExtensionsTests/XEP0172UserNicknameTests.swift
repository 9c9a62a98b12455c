import Testing
import XML
import XMPPExtensions

@Suite struct XEP0172UserNicknameTests {
  @Test(arguments: [
    ("Ishmael", "Ishmael"), ("  two  words ", "two  words"), ("李雷 😀", "李雷 😀"),
    ("mallory@example.org", nil), ("me @ home", "me @ home"), ("\u{200B}\u{2060}", nil), ("👩\u{200D}🚀", "👩\u{200D}🚀"),
    ("a\u{202E}b\u{2066}c\u{200F}\u{061C}", "abc"), ("a\nb\t\u{7F}\u{85}\u{2028}c", "abc"), ("", nil),
    (" \u{202E} ", nil),
  ])
  func aNicknameIsCleaned(_ text: String, _ clean: String?) { #expect(Nickname.clean(text) == clean) }

  @Test func aNicknameIsShort() {
    let long = String(repeating: "é", count: 10_000)
    #expect(Nickname.clean(long)?.unicodeScalars.count == Nickname.longest)
  }

  @Test func aNicknameIsReadAndWritten() throws {
    var writer = XMLWriter()
    Nickname.write("<Bob>", into: &writer)
    let nick = try element(writer.bytes)
    #expect(Nickname.of(nick) == "<Bob>")
    let request = "<presence type='subscribe'><nick xmlns='http://jabber.org/protocol/nick'> Bob </nick></presence>"
    #expect(try Nickname.inside(element(request)) == "Bob")
    #expect(try Nickname.inside(element("<presence/>")) == nil)
    #expect(try Nickname.of(element("<nick xmlns='urn:x'>Bob</nick>")) == nil)
  }
}
