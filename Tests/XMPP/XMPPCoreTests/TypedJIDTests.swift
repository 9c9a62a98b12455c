import Testing
import XMPPCore

/// Addresses that people type.
@Suite struct TypedJIDTests {
  private func prepared(_ text: String) -> [UInt8]? { (try? JID(typed: text)).map { Array($0.description.utf8) } }

  /// RFC 7622, section 3.5, table 1, but for what servers spell in another way.
  @Test(arguments: [
    "juliet@example.com", "juliet@example.com/foo", "juliet@example.com/foo bar", "juliet@example.com/foo@bar",
    "foo\\20bar@example.com", "fussball@example.com", "\u{3C0}@example.com",
    "\u{3C3}@example.com/foo", "king@example.com/\u{265A}", "example.com",
    "example.com/foobar", "a.example.com/b@example.net",
  ])
  func valid(_ text: String) throws {
    #expect(prepared(text) == Array(text.utf8))
    #expect(try JID(text) == JID(typed: text), "what servers send is read as the same")
  }

  /// Table 2, then one of each thing that can be wrong.
  @Test(arguments: [
    ("\"juliet\"@example.com", "The local part of the address contains U+0022, which is not allowed."),
    ("foo bar@example.com", "The local part of the address contains U+0020, which is not allowed."),
    ("juliet@example.com/ foo", "The resource of the address begins with a space."),
    ("@example.com/", "The local part of the address is empty."),
    ("\u{265A} \u{2605}@example.com", "The local part of the address contains U+0020, which is not allowed."),
    ("\u{265A}\u{A0}@example.com", "The local part of the address contains U+00A0, which is not allowed."),
    ("\u{265A}\u{2028}@example.com", "The local part of the address contains U+2028, which is not allowed."),
    ("\u{265A}&@example.com", "The local part of the address contains U+0026, which is not allowed."),
    ("\u{265A}\u{FF20}@example.com", "The local part of the address contains U+FF20, which is not allowed."),
    ("\u{265A}\u{E000}@example.com", "The local part of the address contains U+E000, which is not allowed."),
    ("\u{265A}\u{3164}@example.com", "The local part of the address contains U+1160, which is not allowed."),
    ("\u{265A}\u{E0FFF}@example.com", "The local part of the address contains U+E0FFF, an unassigned character."),
    ("\u{AD}@example.com", "The local part of the address contains U+00AD, which is not allowed."),
    ("juliet@", "The domain of the address is empty."), ("/foobar", "The domain of the address is empty."),
    ("", "The domain of the address is empty."), ("a@b/", "The resource of the address is empty."),
    ("a\u{FF20}b@c", "The local part of the address contains U+0040, which is not allowed."),
    (
      "\u{5D0}a@b",
      "The local part of the address mixes right-to-left and left-to-right text in a way that is not allowed."
    ),
    ("a@b/\u{7}", "The resource of the address contains U+0007, which is not allowed."),
    ("a@b/\u{2003}x", "The resource of the address begins with a space."),
    ("a@b..c", "The domain of the address is empty."),
    ("a@b c", "The domain of the address contains U+0020, which is not allowed."),
    ("a@[::g]", "The domain of the address is no IPv6 address."),
    ("a@[::1", "The domain of the address is no IPv6 address."),
    ("a@[::1\0]x]", "The domain of the address is no IPv6 address."),
    ("a@::1", "The domain of the address contains U+003A, which is not allowed."),
    ("a@\u{2603}.de", "The domain of the address is no domain's name: string contains a disallowed character."),
    ("a@xn--.de", "The domain of the address is no domain's name: string contains invalid punycode data."),
    (String(repeating: "a", count: 1024) + "@b", "The local part of the address is longer than 1023 bytes."),
    ("a@b/" + String(repeating: "\u{1F600}", count: 256), "The resource of the address is longer than 1023 bytes."),
    (String(repeating: "\u{130}", count: 511) + "@b", "The local part of the address is longer than 1023 bytes."),
  ])
  func invalid(_ text: String, _ sentence: String) {
    do throws(JIDError) {
      Issue.record("\(try JID(typed: text)) is one")
    } catch { #expect(error.sentence == sentence) }
  }

  @Test(arguments: [
    ("Juliet@Example.ORG./Balcony", "juliet@example.org/Balcony"),
    ("\u{3A3}@example.com/foo", "\u{3C3}@example.com/foo"),
    ("\u{416}\u{443}\u{43A}@example.org", "\u{436}\u{443}\u{43A}@example.org"),
    ("\u{FF42}\u{FF4F}\u{FF42}@\u{FF45}x.org", "bob@ex.org"),
    ("a@B\u{DC}CHER.example", "a@b\u{FC}cher.example"), ("a@xn--bcher-kva.example", "a@b\u{FC}cher.example"),
    ("a@XN--BCHER-KVA.example", "a@b\u{FC}cher.example"), ("a@bu\u{308}cher\u{3002}de", "a@b\u{FC}cher.de"),
    ("a@[2001:DB8::1]", "a@[2001:db8::1]"), ("a@192.0.2.1", "a@192.0.2.1"), ("a@_x.b--c.de", "a@_x.b--c.de"),
    ("a@b/e\u{301}\u{A0}", "a@b/\u{E9} "), ("E\u{301}@b", "\u{E9}@b"),
    // As servers spell them.
    ("Fu\u{DF}ball@example.com", "fussball@example.com"), ("STRA\u{1E9E}E@b", "strasse@b"),
    ("\u{393}\u{3B9}\u{3CE}\u{3C1}\u{3B3}\u{3BF}\u{3C2}@b", "\u{3B3}\u{3B9}\u{3CE}\u{3C1}\u{3B3}\u{3BF}\u{3C3}@b"),
    ("henry\u{2163}@b", "henryiv@b"), ("a\u{B7}b@c", "a\u{B7}b@c"), ("so\u{AD}ft@b", "soft@b"),
    // What only nodeprep allows, and what only PRECIS does.
    ("A\u{2605}b@c", "a\u{2605}b@c"), ("\u{265A}@b", "\u{265A}@b"), ("\u{1F600}@b", "\u{1F600}@b"),
    ("\u{5D0}1@b", "\u{5D0}1@b"),
  ])
  func prepares(_ text: String, _ expected: String) throws {
    #expect(prepared(text) == Array(expected.utf8))
    #expect(prepared(expected) == Array(expected.utf8))
    #expect(try JID(expected) == JID(typed: text))
  }

  @Test(arguments: [
    ("stra\u{DF}e@b", "strasse@b/x", true), ("\u{3BD}\u{3C2}@b/y", "\u{3BD}\u{3C3}@b", true), ("a@b", "a@b/x", true),
    ("stra\u{DF}e@b", "strase@b", false), ("stra\u{DF}e@b", "strasse@c", false), ("a@b", "b@b", false),
    ("stra\u{DF}e@b", "b", false), ("\u{5D0}1@b", "\u{5D0}1@b", true), ("\u{5D0}1@b", "\u{5D0}2@b", false),
    ("\u{FF46}@b", "f@b", true), ("\u{E9}@b", "e@b", false),
  ])
  func isOneAccountToServers(_ one: String, _ other: String, _ expected: Bool) throws {
    #expect(try JID(one).isSpelling(of: JID(other)) == expected)
    #expect(try JID(other).isSpelling(of: JID(one)) == expected)
  }

  @Test func isSpelledAsLogsOfBeforeMayHaveIt() throws {
    let sigma = "\u{393}\u{3C2}@b"
    #expect(try JID(typed: sigma, spelling: .precis).description == "\u{3B3}\u{3C2}@b")
    let others = try JID.otherSpellings(ofTyped: sigma, than: JID(typed: sigma))
    #expect(others.map(\.description) == ["\u{393}\u{3C2}@b", "\u{3B3}\u{3C2}@b"])
    #expect(try JID.otherSpellings(ofTyped: "a@b/c", than: JID(typed: "a@b/c")).isEmpty)
  }

  @Test func aResourceIsPreparedToo() throws {
    let jid = try JID("a@b")
    #expect(try jid.with(typedResource: "e\u{301}\u{3000}").description == "a@b/\u{E9} ")
    #expect(throws: JIDError.unprepared(.resource, "contains U+0009, which is not allowed")) {
      try jid.with(typedResource: "\t")
    }
  }
}
