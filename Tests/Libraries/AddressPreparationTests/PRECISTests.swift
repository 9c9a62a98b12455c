import Testing

@testable import AddressPreparation
@Suite struct StringClassTests {
  private typealias Both = (identifier: StringClass.Derived, freeform: StringClass.Derived)

  private func derived(_ scalar: Unicode.Scalar) -> Both {
    (StringClass.identifier.derived(scalar), StringClass.freeform.derived(scalar))
  }

  /// One of each category of RFC 8264, section 9.
  @Test func everyCategory() {
    let both = { (derived: StringClass.Derived) in (derived, derived) }
    for scalar in "!~a\u{E9}\u{436}\u{5D0}\u{4E00}\u{AC00}\u{300}\u{903}\u{661F}\u{2BC}\u{967}\u{DF}\u{3C2}"
      .unicodeScalars
    {
      #expect(derived(scalar) == both(.valid), "\(scalar.escaped(asASCII: true))")
    }
    for scalar in "\u{B7}\u{375}\u{5F3}\u{30FB}\u{660}\u{6F9}\u{200C}\u{200D}".unicodeScalars {
      #expect(derived(scalar) == both(.contextual), "\(scalar.escaped(asASCII: true))")
    }
    for scalar
      in "\0\u{7F}\u{85}\u{AD}\u{1100}\u{11A8}\u{D7B0}\u{640}\u{302E}\u{303B}\u{200B}\u{2028}\u{FFFE}\u{E000}\u{FEFF}"
      .unicodeScalars
    {
      #expect(derived(scalar) == both(.disallowed), "\(scalar.escaped(asASCII: true))")
    }
    for scalar in " \u{A0}\u{3000}\u{2163}\u{265A}\u{1F600}\u{AB}\u{1C5}\u{BD}\u{20DD}\u{FF41}\u{FB01}\u{2126}\u{5BE}"
      .unicodeScalars
    {
      #expect(derived(scalar) == (.disallowed, .valid), "\(scalar.escaped(asASCII: true))")
    }
    #expect(derived("\u{378}") == both(.unassigned) && derived("\u{E0080}") == both(.unassigned))
  }

  /// How many of Unicode 14 are what, which is the version of Debian's libunistring.
  @Test func everyCodePoint() {
    var counts: [[StringClass.Derived]: Int] = [:]
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let both = derived(scalar)
      counts[[both.identifier, both.freeform], default: 0] += 1
    }
    #expect(counts.values.reduce(0, +) == 0x110000 - 0x800)
    #expect(counts.count == 5)
  }
}

@Suite struct ContextRuleTests {
  @Test(arguments: [
    ("l\u{B7}l", true), ("a\u{B7}l", false), ("l\u{B7}", false), ("\u{B7}", false),
    ("\u{375}\u{3B1}", true), ("\u{375}a", false), ("\u{375}", false),
    ("\u{5D0}\u{5F3}", true), ("a\u{5F4}", false), ("\u{5F4}\u{5D0}", false),
    ("\u{30FB}\u{30A2}", true), ("\u{3042}a\u{30FB}", true), ("\u{30FB}\u{4E00}", true), ("a\u{30FB}b", false),
    ("\u{660}\u{669}", true), ("\u{6F0}\u{6F9}", true), ("\u{660}\u{6F0}", false), ("\u{6F0}a\u{660}", false),
    ("\u{915}\u{94D}\u{200D}", true), ("\u{915}\u{200D}", false), ("\u{200D}", false),
    ("\u{915}\u{94D}\u{200C}", true), ("\u{628}\u{200C}\u{628}", true), ("\u{628}\u{64B}\u{200C}\u{64B}\u{628}", true),
    ("a\u{200C}b", false), ("\u{628}\u{200C}", false), ("\u{200C}\u{628}", false), ("\u{627}\u{200C}\u{628}", false),
  ])
  func appendixA(_ text: String, _ isAllowed: Bool) {
    let isFine = (try? StringClass.freeform.check(Array(text.unicodeScalars))) != nil
    #expect(isFine == isAllowed)
  }
}

@Suite struct BidiRuleTests {
  @Test(arguments: [
    ("", true), ("abc", true), ("a1", true), ("1", true), ("\u{5D0}", true), ("\u{5D0}1", true),
    ("\u{627}\u{661}", true),
    ("\u{5D0}\u{5B0}", true), ("\u{5D0}-\u{5D1}", true), ("\u{5D0}a", false), ("a\u{5D0}", false), ("1\u{5D0}", false),
    ("\u{5D0}-", false), ("\u{627}1\u{661}", false), ("\u{5B0}\u{5D0}", false), ("a\u{661}", false),
    ("\u{5D0}\u{5B0}\u{5B0}", true), ("\u{5B0}", true), ("\u{661}", false),
  ])
  func section2(_ text: String, _ isAllowed: Bool) {
    #expect(BidiRule.allows(Array(text.unicodeScalars)) == isAllowed)
  }
}

@Suite struct ProfileTests {
  private typealias Enforce = (String) throws(PRECISError) -> String

  private func expect(_ enforce: Enforce, _ text: String, _ expected: String?) {
    let result = try? enforce(text)
    #expect(result.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(text.debugDescription)")
    if let result { #expect((try? enforce(result))?.utf8.elementsEqual(result.utf8) == true, "not stable") }
  }

  /// RFC 8265, section 3.6, then what its section 3.3 says.
  @Test(arguments: [
    ("juliet@example.com", "juliet@example.com"), ("fussball", "fussball"), ("fu\u{DF}ball", "fu\u{DF}ball"),
    ("\u{3C0}", "\u{3C0}"), ("\u{3A3}", "\u{3C3}"), ("\u{3C3}", "\u{3C3}"), ("\u{3C2}", "\u{3C2}"),
    ("foo bar", nil), ("", nil), ("henry\u{2163}", nil), ("\u{265A}", nil), ("\u{221E}", nil),
    ("Juliet", "juliet"), ("\u{FF2A}\u{FF55}\u{FF4C}\u{FF49}\u{FF45}\u{FF54}", "juliet"), ("\u{FF76}", "\u{30AB}"),
    ("\u{416}\u{423}\u{41A}", "\u{436}\u{443}\u{43A}"), ("E\u{301}", "\u{E9}"), ("\u{391}\u{3A3}", "\u{3B1}\u{3C2}"),
    ("\u{130}", "i\u{307}"), ("\u{1E9E}", "\u{DF}"), ("\u{212B}", "\u{E5}"), ("\u{5D0}a", nil), ("a\u{AD}b", nil),
    ("\u{3000}", nil), ("a\u{378}", nil),
  ])
  func usernames(_ text: String, _ expected: String?) { expect(PRECIS.usernameCaseMapped, text, expected) }

  /// RFC 8265, section 4.3, then what its section 4.2 says.
  @Test(arguments: [
    ("correct horse battery staple", "correct horse battery staple"),
    ("Correct Horse Battery Staple", "Correct Horse Battery Staple"),
    ("\u{3C0}\u{DF}\u{E5}", "\u{3C0}\u{DF}\u{E5}"), ("Jack of \u{2666}s", "Jack of \u{2666}s"),
    ("foo\u{1680}bar", "foo bar"), ("", nil), ("my cat is a \tby", nil),
    ("a\u{A0}\u{3000}", "a  "), ("e\u{301}", "\u{E9}"), ("\u{FF41}", "\u{FF41}"), ("\u{FB01}", "\u{FB01}"),
    ("\u{5D0}a", "\u{5D0}a"), ("\u{202E}x", nil), ("\u{1F600}", "\u{1F600}"),
  ])
  func opaque(_ text: String, _ expected: String?) { expect(PRECIS.opaqueString, text, expected) }

  @Test(arguments: [
    ("", "is empty"), ("a\u{265A}\u{7}", "contains U+0007, which is not allowed"),
    ("\u{378}", "contains U+0378, an unassigned character"),
    ("a\u{B7}b", "contains U+00B7 where it is not allowed"),
  ])
  func words(_ text: String, _ words: String) {
    let error = #expect(throws: PRECISError.self) { try PRECIS.opaqueString(text) }
    #expect(error?.description == words)
  }

  @Test func theBidiRuleInWords() {
    #expect(throws: PRECISError.disallowed("\u{2163}")) { try PRECIS.usernameCaseMapped("a\u{2163}") }
    #expect(throws: PRECISError.bidirectional) { try PRECIS.usernameCaseMapped("\u{5D0}a") }
    #expect(PRECISError.bidirectional.description.contains("right-to-left"))
  }
}
