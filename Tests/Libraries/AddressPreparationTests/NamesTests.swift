import AddressPreparation
import Testing

@Suite struct NormalizationTests {
  @Test(arguments: [
    ("", ""), ("plain", "plain"), ("e\u{301}", "\u{E9}"), ("\u{E9}", "\u{E9}"), ("\u{212A}", "K"),
    ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"), ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("\u{FB01}", "\u{FB01}"),
    ("\u{1F600}a\u{30A}", "\u{1F600}\u{E5}"), ("\u{958}", "\u{915}\u{93C}"),
    ("\u{1D160}", "\u{1D158}\u{1D165}\u{1D16E}"),
  ])
  func formC(_ text: String, _ expected: String) {
    // String's own == does not see the difference.
    #expect(Array(Normalization.nfc(text).utf8) == Array(expected.utf8))
  }

  @Test func manyMarksOnOneLetterStayAllThere() {
    let text = "a" + String(repeating: "\u{316}\u{301}", count: 2_000)
    let normal = Normalization.nfc(text)
    #expect(normal.unicodeScalars.first == "\u{E1}")
    #expect(normal.unicodeScalars.count == 4_000)
    #expect(Array(Normalization.nfc(normal).utf8) == Array(normal.utf8))
  }

  @Test func whatGrowsMostFits() {
    let text = String(repeating: "\u{1D160}", count: 1_000)
    #expect(Normalization.nfc(text).utf8.count == 12_000)
  }

  @Test func bytesThatAreNoTextAreReplaced() {
    #expect(Normalization.nfc([0xC3, 0x28]) == Array("\u{FFFD}(".utf8))
    #expect(Normalization.nfc([0x65, 0xCC, 0x81]) == [0xC3, 0xA9])
  }
}
