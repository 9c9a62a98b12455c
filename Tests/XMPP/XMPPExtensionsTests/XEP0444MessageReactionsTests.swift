import Testing
import XML
import XMPPExtensions

@Suite struct XEP0444MessageReactionsTests {
  private func reactions(_ inside: String) throws -> ChangeRequest? {
    let message = try element("<message><reactions xmlns='urn:xmpp:reactions:0' id='1'>\(inside)</reactions></message>")
    return MessageParts(of: message).change(of: message)
  }

  @Test func areWrittenAndRead() throws {
    var writer = XMLWriter()
    MessageReactions.write(["👋", "🐢"], to: "m1", into: &writer)
    let message = try element("<message>\(String(decoding: writer.bytes, as: UTF8.self))</message>")
    #expect(MessageParts(of: message).change(of: message) == ChangeRequest(.reactions(["👋", "🐢"]), of: "m1"))
    #expect(message.child("store", "urn:xmpp:hints") != nil)
  }

  @Test func noneTakeBack() throws { #expect(try reactions("") == ChangeRequest(.reactions([]), of: "1")) }

  @Test("Each counts once, what is no emoji does not count, and of very many the first ones do")
  func bounds() throws {
    let some = "<reaction>👋</reaction><reaction>👋</reaction><reaction>hello</reaction><reaction>1</reaction><other/>"
    #expect(try reactions(some) == ChangeRequest(.reactions(["👋"]), of: "1"))
    let many = (0x1F400..<0x1F400 + 60).compactMap(Unicode.Scalar.init).map { "<reaction>\($0)</reaction>" }.joined()
    guard case .reactions(let emoji)? = try reactions(many)?.kind else { return #expect(Bool(false)) }
    #expect(emoji.count == MessageReactions.most)
  }

  @Test("An emoji is a single one", arguments: ["👍", "👍🏽", "❤️", "❤", "👩‍👩‍👧‍👦", "🇩🇪", "1️⃣", "☺️", "🏳️‍🌈", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"])
  func isEmoji(text: String) { #expect(MessageReactions.isEmoji(text)) }

  @Test("Anything else is none", arguments: ["", "a", "1", "#", "👍👍", "👍 ", "©", "hello", "\u{202E}", "中"])
  func isNone(text: String) { #expect(!MessageReactions.isEmoji(text)) }

  @Test("A letter with thousands of marks costs nothing")
  func long() { #expect(!MessageReactions.isEmoji("👍" + String(repeating: "\u{200D}👍", count: 10_000))) }
}
