import ConfabCLI
import ConfabClient
import JSON
import Testing

@Suite("Nothing steers the terminal")
struct TerminalTextTests {
  static let forbidden: [ClosedRange<UInt32>] = [
    0x00...0x08, 0x0B...0x1F, 0x7F...0x9F, 0x061C...0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
  ]

  @Test("each forbidden scalar becomes U+FFFD, in both forms of output", arguments: forbidden.flatMap { $0 })
  func each(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    let text = "a" + String(scalar) + "b"
    #expect(TerminalText.clean(text, .shown).unicodeScalars.elementsEqual("a\u{FFFD}b".unicodeScalars))
    #expect(TerminalText.clean(text, .kept(indent: 2)).unicodeScalars.elementsEqual("a\u{FFFD}b".unicodeScalars))
    guard value >= 0x7F else { return }
    let json = TerminalText.cleanJSON(Array("{\"t\":\"\(text)\"}".utf8))
    #expect(!String(decoding: json, as: UTF8.self).unicodeScalars.contains(scalar))
    #expect(try JSONParser.parse(json)["t"]?.string?.utf8.elementsEqual(text.utf8) == true)
  }

  @Test("everything else stays as it is")
  func kept() {
    var text = String.UnicodeScalarView()
    for value in UInt32(0x20)..<0x30000 {
      guard let scalar = Unicode.Scalar(value), !TerminalText.isForbidden(scalar),
        !scalar.properties.isDefaultIgnorableCodePoint, value != 0x2800, !(0xFFF9...0xFFFB).contains(value)
      else { continue }
      text.append(scalar)
    }
    #expect(text.count > 0x2F000 - 0x800 - 0x100)
    #expect(TerminalText.clean(String(text)).utf8.elementsEqual(String(text).utf8))
    let bytes = Array("{\"t\":\"שלום 你好 \u{1F600}\"}".utf8)
    #expect(TerminalText.cleanJSON(bytes) == bytes)
  }

  @Test("a shortened text has at most `limit` characters, and four scalars for each")
  func shortened() {
    let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}"
    #expect(TerminalText.shortened("abcd", to: 3) == "abc")
    #expect(TerminalText.shortened("abc" + family, to: 4) == "abc" + family)
    #expect(TerminalText.shortened(String(repeating: "e\u{301}", count: 99), to: 60).unicodeScalars.count == 120)
    let pile = "e" + String(repeating: "\u{301}", count: 20_000)
    #expect(TerminalText.shortened(pile, to: 60).utf8.count == 1 + 2 * 239)
  }

  @Test("line breaks are kept and indented, or shown; tabs are spaces; escape sequences lose their teeth")
  func lineBreaks() {
    #expect(TerminalText.clean("a\r\nb\n\nc", .kept(indent: 2)) == "a\n  b\n  \n  c")
    #expect(TerminalText.clean("a\r\nb\n", .shown) == "a↵b↵")
    #expect(TerminalText.clean("a\rb\r", .shown) == "a\u{FFFD}b\u{FFFD}")
    #expect(TerminalText.clean("a\tb", .shown) == "a    b")
    #expect(TerminalText.clean("\u{1B}]0;title\u{7}\u{9B}31m") == "\u{FFFD}]0;title\u{FFFD}\u{FFFD}31m")
  }

  @Test("colour only where the terminal has it and nobody said no")
  func colour() {
    #expect(TextStyle(isTerminal: true, environment: ["TERM": "xterm"]).hasColour)
    #expect(TextStyle(isTerminal: true, environment: ["TERM": "xterm", "NO_COLOR": ""]).hasColour)
    #expect(!TextStyle(isTerminal: true, environment: ["TERM": "xterm", "NO_COLOR": "1"]).hasColour)
    #expect(!TextStyle(isTerminal: true, environment: ["TERM": "dumb"]).hasColour)
    #expect(!TextStyle(isTerminal: true, environment: [:]).hasColour)
    #expect(!TextStyle(isTerminal: false, environment: ["TERM": "xterm"]).hasColour)
    #expect(TextStyle(hasColour: false).paint("x", .red) == "x")
    #expect(TextStyle(hasColour: true).paint("x", .red) == "\u{1B}[31mx\u{1B}[0m")
  }
}
