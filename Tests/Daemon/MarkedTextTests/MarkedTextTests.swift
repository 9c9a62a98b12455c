import JSON
import Testing

@testable import MarkedText

/// Spans as words: their kinds, what of the text they cover, and their targets.
private func words(
  _ text: String, codes: [(String, String)] = [(":smile:", "😄"), ("[微笑]", "🙂"), ("[微", "x")],
  names: [(String, String)] = []
) -> [String] {
  let names = MentionTable(names.map { (name: $0.0, target: $0.1) })
  let table = PhraseTable(codes.map { (phrase: $0.0, target: $0.1) })
  let scalars = Array(text.unicodeScalars)
  return MarkedText.spans(of: text, emoticons: table, names: names).map { span in
    let part = String(String.UnicodeScalarView(scalars[span.range]))
    let target = span.target.map { $0 == part ? "" : " = \($0)" } ?? ""
    return "\(span.kind) \(part)\(target)"
  }
}

@Suite("Spans of a text") struct MarkedTextTests {
  @Test(
    "Links end where prose goes on",
    arguments: [
      ("see https://example.org/a_b.", ["link https://example.org/a_b"]),
      ("(see https://example.org/a_(b)).", ["link https://example.org/a_(b)"]),
      ("看https://例え.jp/パス，好", ["link https://例え.jp/パス"]),
      ("「http://example.org」", ["link http://example.org"]),
      ("HTTPS://EXAMPLE.org/?q=1&r=[2]!", ["link HTTPS://EXAMPLE.org/?q=1&r=[2]"]),
      ("<mailto:bob@example.org>", ["link mailto:bob@example.org"]),
      ("xmpp:bob@example.org?message; geo:48.2,16.4", ["link xmpp:bob@example.org?message", "link geo:48.2,16.4"]),
      ("\"https://xn--e1afmkfd.example/путь\"", ["link https://xn--e1afmkfd.example/путь"]),
      ("https://example.org/a)b(c)", ["link https://example.org/a)b(c)"]),
      ("http:// https: xhttp://x geo:. ahttps://y", []),
      ("http://[::1]/ http://a.org...", ["link http://[::1]/", "link http://a.org"]),
      ("http://a.org/#top http://a.org/[微笑]", ["link http://a.org/#top", "link http://a.org/[微笑]"]),
      ("*https://a.org*", ["strong *https://a.org*", "link https://a.org"]),
      ("_https://a.org/a_b", ["emphasis _https://a.org/a_", "link https://a.org/a_b"]),
      ("https://a.org/*", ["link https://a.org/*"]),
      ("https://a.org\u{3000}x https://b.org\u{85}x", ["link https://a.org", "link https://b.org"]),
    ])
  func links(_ text: String, _ expected: [String]) { #expect(words(text) == expected) }

  @Test(
    "Topics are words, or words between marks",
    arguments: [
      ("#swift is #great!", ["topic #swift = swift", "topic #great = great"]),
      ("#今天 天气#很好", ["topic #今天 天气# = 今天 天气"]), ("好#话题#好", ["topic #话题# = 话题"]),
      ("#話題 です", ["topic #話題 = 話題"]), ("#یک‌شنبه", ["topic #یک‌شنبه = یک‌شنبه"]),
      ("C# and F# at #12, ## title, &#39; #️⃣ #", []), ("#a1 #1a", ["topic #a1 = a1", "topic #1a = 1a"]),
      ("#one (#two)", ["topic #one = one", "topic #two = two"]),
      ("#one\n#two", ["topic #one = one", "topic #two = two"]),
      ("#one http://a.org/x#y", ["topic #one = one", "link http://a.org/x#y"]), ("`#include`", ["code `#include`"]),
      ("#हिन्दी", ["topic #हिन्दी = हिन्दी"]), ("#a#b#c#", ["topic #a# = a"]),
    ])
  func topics(_ text: String, _ expected: [String]) { #expect(words(text) == expected) }

  @Test(
    "Emoticons are known codes, the longest first, except in links and code",
    arguments: [
      ("hi:smile:[微笑]!", ["emoticon :smile: = 😄", "emoticon [微笑] = 🙂"]), ("[微]:smil:", ["emoticon [微 = x"]),
      ("[微笑:smile:", ["emoticon [微 = x", "emoticon :smile: = 😄"]), ("`:smile:`", ["code `:smile:`"]),
      ("```\n:smile:\n```\n:smile:", ["preformatted ```\n:smile:\n```", "emoticon :smile: = 😄"]),
      ("*:smile:*", ["strong *:smile:*", "emoticon :smile: = 😄"]), (":smile:smile:", ["emoticon :smile: = 😄"]),
      ("#话题[微笑]#", ["topic #话题[微笑]# = 话题[微笑]", "emoticon [微笑] = 🙂"]),
    ])
  func emoticons(_ text: String, _ expected: [String]) { #expect(words(text) == expected) }

  @Test(
    "No emoticon reaches into a link or code, and one beside a link stays",
    arguments: [
      ("https://a.org/:smile:/x", ["link https://a.org/:smile:/x"]),
      ("https://a.org/:smile:", ["link https://a.org/:smile"]),
      ("https://a.org:8)", ["link https://a.org:8"]),
      ("https://a.org?q=:smile:&r=1", ["link https://a.org?q=:smile:&r=1"]),
      ("https://a.org :smile:", ["link https://a.org", "emoticon :smile: = 😄"]),
      (":smile:https://a.org", ["emoticon :smile: = 😄", "link https://a.org"]),
      ("https://a.org:)", ["link https://a.org", "emoticon :) = 🙂"]),
      ("(https://a.org:smile:)", ["link https://a.org:smile", "emoticon :) = 🙂"]),
      ("bob@example.org:smile:", ["mention bob@example.org", "emoticon :smile: = 😄"]),
      ("geo:1,2:smile:", ["link geo:1,2:smile"]), ("mailto::)", ["emoticon :) = 🙂"]),
      (":http://a.org", ["link http://a.org"]), ("http://a.org", ["link http://a.org"]),
      ("http: http://a.org", ["emoticon http: = h", "link http://a.org"]), ("x://a", ["emoticon :/ = 😕"]),
      (
        "😀👩‍🚀:)é https://a.org/é:) :)", ["emoticon :) = 🙂", "link https://a.org/é", "emoticon :) = 🙂", "emoticon :) = 🙂"]
      ),
      ("`https://a.org/:)` :)", ["code `https://a.org/:)`", "link https://a.org/", "emoticon :) = 🙂"]),
      ("*`a`*", ["strong *`a`*", "code `a`"]), ("*`a", ["emoticon *` = ✨"]),
    ])
  func emoticonsAndLinks(_ text: String, _ expected: [String]) {
    let codes = [
      (":smile:", "😄"), (":)", "🙂"), ("8)", "😎"), (":http", "h"), ("http:", "h"), (":/", "😕"), ("*`", "✨"),
    ]
    #expect(words(text, codes: codes) == expected)
  }

  @Test(
    "No mention reaches into a link or an address, and one beside a link stays",
    arguments: [
      ("https://a.org/@bob bob", ["link https://a.org/@bob", "mention bob = b@x.org"]),
      ("https://a.org/bob@example.org", ["link https://a.org/bob@example.org"]),
      ("bob https://a.org @bob", ["mention bob = b@x.org", "link https://a.org", "mention @bob = b@x.org"]),
      ("bob，https://a.org，bob", ["mention bob = b@x.org", "link https://a.org", "mention bob = b@x.org"]),
      ("bob@example.org https://a.org", ["mention bob@example.org", "link https://a.org"]),
      ("<https://a.org>bob@example.org", ["link https://a.org", "mention bob@example.org"]),
      ("mailto:bob@example.org,bob@example.org", ["link mailto:bob@example.org,bob@example.org"]),
      ("Geo: geo:1,2", ["mention Geo = g", "link geo:1,2"]), ("#a geo:1,2", ["topic #a = a", "link geo:1,2"]),
      ("@bob@example.org", ["mention bob@example.org"]),
      ("bob.)s@example.org", ["mention bob = b@x.org", "mention s@example.org"]),
      ("bob.smith@example.org", ["mention bob.smith@example.org", "emoticon .s = s"]),
    ])
  func mentionsAndLinks(_ text: String, _ expected: [String]) {
    #expect(words(text, codes: [(".s", "s")], names: [("Bob", "b@x.org"), ("Geo", "g")]) == expected)
  }

  @Test(
    "Mentions are addresses and known names, as words",
    arguments: [
      ("ask bob@example.org.", ["mention bob@example.org"]), ("请联系bob@example.org的", ["mention bob@example.org"]),
      ("小明@例子.中国", ["mention 小明@例子.中国"]), ("Bob@Example.ORG/x", ["mention Bob@Example.ORG = bob@example.org"]),
      ("bob@host a@b @ @x @@", []), ("Bob, BOB's, bobby, ebob", ["mention Bob = b@x.org", "mention BOB = b@x.org"]),
      ("@bob hi @Anna Maria", ["mention @bob = b@x.org", "mention @Anna Maria = am"]), ("x@bob bob@y", []),
      ("你好@小明，小明在", ["mention @小明 = 小明", "mention 小明"]), ("@철수님, 철수가 김철수", ["mention @철수 = 철수", "mention 철수"]),
      ("ÉMILE émile", ["mention ÉMILE = e", "mention émile = e"]),
      ("bob.smith@example.org", ["mention bob.smith@example.org"]),
      ("xmpp:bob@example.org", ["link xmpp:bob@example.org"]), ("สวัสดีมานีจ้ะ", ["mention มานี = m"]),
    ])
  func mentions(_ text: String, _ expected: [String]) {
    let names = [
      ("Bob", "b@x.org"), ("Anna", "a"), ("Anna Maria", "am"), ("小明", "小明"), ("철수", "철수"), ("Émile", "e"), ("มานี", "m"),
    ]
    #expect(words(text, names: names) == expected)
  }

  @Test(
    "Styling is XEP-0393's",
    arguments: [
      ("*strong* plain", ["strong *strong*"]), ("plain _emphasis_ plain", ["emphasis _emphasis_"]),
      ("`pre` plain *strong*", ["code `pre`", "strong *strong*"]), ("*strong*plain*", ["strong *strong*"]),
      ("* plain *strong*", ["strong *strong*"]), ("not strong*", []), ("*not strong", []), ("*not \n strong*", []),
      ("*not *strong", []), ("**", []), ("***", []), ("****", []), ("Everyone ~dis~likes cake.", ["strike ~dis~"]),
      ("`*monospace*`", ["code `*monospace*`"]),
      ("*`monospace and bold`*", ["strong *`monospace and bold`*", "code `monospace and bold`"]),
      ("*_~a~_*", ["strong *_~a~_*", "emphasis _~a~_", "strike ~a~"]), ("*a _b* c_", ["strong *a _b*"]),
      ("**a*", []), ("a*b*", []), ("\u{3000}*a*", ["strong *a*"]),
      ("```ignored\n(println)\n```\n\n*a*", ["preformatted ```ignored\n(println)\n```", "strong *a*"]),
      ("> ```\n> (println)\n\n*a*", ["quote > ```\n> (println)", "preformatted ```\n> (println)", "strong *a*"]),
      ("> That\n\nSaid", ["quote > That"]), (">> That\n> Said\n\nWho?", ["quote >> That\n> Said", "quote > That"]),
      ("> > a\nb > c", ["quote > > a", "quote > a"]), ("```\n``` \nx", ["preformatted ```\n``` \nx"]),
      (">*a*\n>", ["quote >*a*\n>", "strong *a*"]), (" > a", []), ("```", ["preformatted ```"]),
      ("> ```\n> a\n> ```\n> *b*", ["quote > ```\n> a\n> ```\n> *b*", "preformatted ```\n> a\n> ```", "strong *b*"]),
    ])
  func styling(_ text: String, _ expected: [String]) { #expect(words(text) == expected) }

  @Test("An unstyled text has links, topics and emoticons wherever they stand, and no styling")
  func unstyled() {
    let text = "> *a* `#b` _http://a.org/_\n```\n:smile:"
    let table = PhraseTable([(phrase: ":smile:", target: "😄")])
    let kinds = MarkedText.spans(of: text, emoticons: table, isStyled: false).map(\.kind)
    #expect(kinds == [.topic, .link, .emoticon])
    #expect(MarkedText.spans(of: text, emoticons: table).map(\.kind).contains(.quote))
  }

  @Test("Positions are Unicode scalars, and the JSON has them")
  func encoding() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member(spans: [])
    writer.member(
      spans: MarkedText.spans(of: "👩‍🚀é *a* https://a.org", emoticons: PhraseTable(), names: MentionTable()))
    writer.endObject()
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == """
        {"spans":[{"start":5,"end":8,"kind":"strong"},\
        {"start":9,"end":22,"kind":"link","target":"https://a.org"}]}
        """)
  }
}
