import AddressPreparation
import Testing

@Suite struct SASLprepTests {
  private func prepared(_ text: String) throws(SASLprepError) -> [UInt8] {
    try SASLprep.prepare(Array(text.utf8))
  }

  /// RFC 4013, section 3; then what its section 2 says.
  @Test(arguments: [
    ("I\u{AD}X", "IX"), ("user", "user"), ("USER", "USER"), ("\u{AA}", "a"), ("\u{2168}", "IX"),
    (" ~", " ~"), ("a\u{A0}b", "a b"), ("a\u{3000}b", "a b"), ("e\u{301}", "\u{E9}"), ("\u{E9}", "\u{E9}"),
    ("\u{FF41}\u{FF21}", "aA"), ("\u{FB01}", "fi"), ("\u{FEFF}a\u{200B}", "a "), ("\u{627}\u{628}", "\u{627}\u{628}"),
    // Younger than Unicode 3.2.
    ("\u{1F511}", "\u{1F511}"), ("\u{1F511}\u{AA}", "\u{1F511}a"),
  ])
  func isPrepared(_ text: String, _ expected: String) throws {
    #expect(try prepared(text) == Array(expected.utf8))
  }

  @Test(
    arguments: [
      ("\u{7}", .prohibited), ("\u{627}1", .bidirectional),
      ("", .empty), ("\u{AD}", .empty), ("a\0b", .prohibited), ("\u{E9}\0b", .prohibited), ("a\tb", .prohibited),
      ("\u{7F}", .prohibited), ("\u{85}", .prohibited), ("\u{E000}", .prohibited), ("\u{FFFE}", .prohibited),
      ("\u{FFFD}", .prohibited), ("\u{2FF0}", .prohibited), ("\u{340}\u{202E}", .prohibited),
      ("\u{E0001}", .prohibited),
      ("\u{627}a\u{628}", .bidirectional),
    ] as [(String, SASLprepError)])
  func isRefused(_ text: String, _ error: SASLprepError) {
    #expect(throws: error) { try prepared(text) }
    #expect(!"\(error)".contains(text) || text.isEmpty)
  }

  @Test func bytesThatAreNoTextAreRefused() {
    for bytes: [UInt8] in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [UInt8](repeating: 0xC3, count: 70_000)] {
      #expect(throws: SASLprepError.notText) { try SASLprep.prepare(bytes) }
    }
  }

  @Test func whatGrowsMostFits() throws {
    let longest = try prepared(String(repeating: "\u{FDFA}", count: 2_000))
    #expect(longest.count == 2_000 * 33)
    #expect(try prepared(String(repeating: "e\u{301}", count: 2_000)).count == 4_000)
  }

  /// Nothing that is let through changes when it is prepared again.
  @Test func oneCodePointEach() throws {
    for value in UInt32(0)...0x2FFFF {
      guard let scalar = Unicode.Scalar(value), let once = try? prepared(String(scalar)) else { continue }
      #expect((try? SASLprep.prepare(once)) == once, "U+\(String(value, radix: 16))")
    }
  }
}
