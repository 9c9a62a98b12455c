import AddressPreparation
import Testing

/// Local parts as servers spell them.
@Suite struct LocalPartTests {
  /// RFC 3491, appendix B.2 and RFC 6122, appendix A: mapped, in form KC; what nothing is left of, and what is prohibited.
  @Test(arguments: [
    ("stra\u{DF}e", "strasse"), ("\u{3BD}\u{3C2}", "\u{3BD}\u{3C3}"), ("\u{FF21}\u{2163}\u{FB01}", "aivfi"),
    ("a\u{2605}b", "a\u{2605}b"), ("so\u{AD}ft", "soft"), ("E\u{301}", "\u{E9}"), ("\u{1F600}", "\u{1F600}"),
    ("\u{AD}", nil), ("", nil), ("a b", nil), ("a\u{A0}b", nil), ("a&b", nil), ("a\u{FF20}b", nil), ("a\0b", nil),
    ("\u{7}", nil), ("\u{E000}", nil), ("\u{202E}a", nil), ("\u{5D0}a", nil), ("\u{5D0}1", nil),
    (String(repeating: "a", count: 5000), nil),
  ])
  func nodeprep(_ text: String, _ expected: String?) {
    #expect(Nodeprep.prepare(text).map { Array($0.utf8) } == expected.map { Array($0.utf8) })
  }

  @Test(arguments: [
    ("Bob", "bob"), ("Stra\u{DF}e", "strasse"), ("stra\u{1E9E}e", "strasse"), ("a\u{2605}b", "a\u{2605}b"),
    ("\u{5D0}1", "\u{5D0}1"), ("\u{1E08}", "\u{1E09}"),
  ])
  func isPreparedOnceAndForAll(_ text: String, _ expected: String) throws {
    #expect(try Array(LocalPart.prepare(text).utf8) == Array(expected.utf8))
    #expect(try Array(LocalPart.prepare(expected).utf8) == Array(expected.utf8))
  }

  @Test(
    arguments: [
      ("", .empty), ("\u{AD}", .disallowed("\u{AD}")), ("\u{2605} ", .disallowed(" ")), ("\u{5D0}a", .bidirectional),
      ("\u{2605}\u{5D0}a", .bidirectional), ("\u{2605}\u{3164}", .disallowed("\u{1160}")),
      ("\u{2605}\u{E0FFF}", .unassigned("\u{E0FFF}")), ("\u{378}", .unassigned("\u{378}")),
    ] as [(String, PRECISError)])
  func isRefused(_ text: String, _ error: PRECISError) {
    #expect(throws: error) { try LocalPart.prepare(text) }
  }
}
