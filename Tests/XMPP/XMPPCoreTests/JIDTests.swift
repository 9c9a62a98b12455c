import Testing

@testable import XMPPCore

@Suite struct JIDTests {
  struct Good: Sendable {
    var text: String
    var local: String?
    var domain: String
    var resource: String?
    init(_ text: String, _ local: String?, _ domain: String, _ resource: String? = nil) {
      (self.text, self.local, self.domain, self.resource) = (text, local, domain, resource)
    }
  }

  static let long = String(repeating: "a", count: 1023)

  @Test(arguments: [
    Good("bob@example.org", "bob", "example.org"),
    Good("example.org", nil, "example.org"),
    Good("Bob@Example.ORG/Phone", "bob", "example.org", "Phone"),
    Good("bob@example.org.", "bob", "example.org"),
    Good("bob@example.org./r", "bob", "example.org", "r"),
    Good("bob@example.org/a/b@c/", "bob", "example.org", "a/b@c/"),
    Good("example.org/only@resource", nil, "example.org", "only@resource"),
    Good("bob@example.org/with space ", "bob", "example.org", "with space "),
    Good("bob@[2001:db8::1]/x", "bob", "[2001:db8::1]", "x"),
    Good("bob@192.0.2.1", "bob", "192.0.2.1"),
    Good("bob@a_b.example", "bob", "a_b.example"),
    Good("b+o%2f=b!#$*?{}|~^`;,()\\5@example.org", "b+o%2f=b!#$*?{}|~^`;,()\\5", "example.org"),
    Good("e\u{301}ve@example.org", "\u{E9}ve", "example.org"),
    Good("\u{C9}ve@example.org", "\u{C9}ve", "example.org"),
    Good("\u{212A}im@\u{212A}.example", "kim", "k.example"),
    Good("H\u{331}@example.org", "\u{1E96}", "example.org"),
    Good("王小明@例え.jp/電話", "王小明", "例え.jp", "電話"),
    Good("bob@example.org/e\u{301}\u{1F600}", "bob", "example.org", "\u{E9}\u{1F600}"),
    Good("bob@example.org/\u{3000}wide", "bob", "example.org", "\u{3000}wide"),
    Good("\(long)@\(long)/\(long)", long, long, long),
    Good("bob@example.org/\u{202E}gnol", "bob", "example.org", "\u{202E}gnol"),
  ])
  func good(_ row: Good) throws {
    let jid = try JID(row.text)
    #expect(jid.local.map { Array($0.utf8) } == row.local.map { Array($0.utf8) })
    #expect(Array(jid.domain.utf8) == Array(row.domain.utf8))
    #expect(jid.resource.map { Array($0.utf8) } == row.resource.map { Array($0.utf8) })
    #expect(jid.isBare == (row.resource == nil))
    #expect(try JID(jid.description) == jid, "reading what is written changes nothing")
    #expect(try JID(jid.bare.description) == jid.bare)
    #expect(jid.bare.resource == nil && jid.bare.isBare && jid.hasSameBare(as: jid.bare))
    #expect(jid.server.description == row.domain && jid.server.local == nil)
  }

  @Test(arguments: [
    ("", JIDError.empty(.domain)), ("@", .empty(.local)), ("/", .empty(.domain)), ("@example.org", .empty(.local)),
    ("bob@", .empty(.domain)), ("bob@/r", .empty(.domain)), ("bob@example.org/", .empty(.resource)),
    ("bob@.", .empty(.domain)), ("bob@a..b", .empty(.domain)), ("bob@.a", .empty(.domain)),
    ("bob@a..", .empty(.domain)), ("a@b@c", .forbiddenCharacter(.domain)),
    ("bob@exa mple.org", .forbiddenCharacter(.domain)), (" bob@example.org", .forbiddenCharacter(.local)),
    ("bob@example.org ", .forbiddenCharacter(.domain)), ("b\"ob@example.org", .forbiddenCharacter(.local)),
    ("b&b@example.org", .forbiddenCharacter(.local)), ("b'b@example.org", .forbiddenCharacter(.local)),
    ("b:b@example.org", .forbiddenCharacter(.local)), ("<b@example.org", .forbiddenCharacter(.local)),
    ("b>@example.org", .forbiddenCharacter(.local)), ("b\u{0}@example.org", .forbiddenCharacter(.local)),
    ("bob@exam\u{0}ple.org", .forbiddenCharacter(.domain)), ("bob@example.org/\u{0}", .forbiddenCharacter(.resource)),
    ("bob@example.org/\u{1B}[31m", .forbiddenCharacter(.resource)),
    ("b\u{A0}b@example.org", .forbiddenCharacter(.local)),
    ("bob@example.org/\n", .forbiddenCharacter(.resource)), ("bob@example.org/\u{7F}", .forbiddenCharacter(.resource)),
    ("bob@example.org/\u{85}", .forbiddenCharacter(.resource)),
    ("bob@example.org/\u{2028}", .forbiddenCharacter(.resource)),
    ("bob@example.org/\u{FFFE}", .forbiddenCharacter(.resource)),
    ("b\u{1FFFF}b@example.org", .forbiddenCharacter(.local)), ("bob@ex\u{2003}ample.org", .forbiddenCharacter(.domain)),
    ("bob@-<script>", .forbiddenCharacter(.domain)), ("xmpp:bob@example.org", .forbiddenCharacter(.local)),
    ("\(long)a@example.org", .tooLong(.local)), ("bob@\(long)a", .tooLong(.domain)),
    ("bob@example.org/\(long)a", .tooLong(.resource)),
    // Grows when composed: 400 of 2 UTF-16 units each become three scalars of four bytes.
    (String(repeating: "\u{1D160}", count: 255) + "@example.org", .tooLong(.local)),
  ])
  func bad(_ text: String, _ error: JIDError) {
    #expect(throws: error) { try JID(text) }
    #expect(!error.sentence.isEmpty)
  }

  @Test func equalityIsByBytesOfWhatIsNormalised() throws {
    #expect(try JID("BOB@example.ORG./R") == JID("bob@example.org/R"))
    #expect(try JID("bob@example.org/R") != JID("bob@example.org/r"))
    #expect(try JID("bob@example.org") != JID("example.org/bob"))
    #expect(try JID("e\u{301}@example.org") == JID("\u{E9}@example.org"))
    #expect(try Set([JID("A@b"), JID("a@B"), JID("a@b.")]).count == 1)
    #expect(try JID("a@b/c") < JID("a@b/d"))
  }

  @Test func aResourceCanBeSetAndIsChecked() throws {
    let jid = try JID("bob@example.org/old")
    #expect(try jid.with(resource: "new/er").description == "bob@example.org/new/er")
    #expect(try JID("example.org").with(resource: "x").description == "example.org/x")
    #expect(throws: JIDError.empty(.resource)) { try jid.with(resource: "") }
    #expect(throws: JIDError.forbiddenCharacter(.resource)) { try jid.with(resource: "a\u{0}") }
  }

  @Test func bareAddressesAreComparedWhole() throws {
    let bob = try JID("bob@example.org")
    #expect(try bob.hasSameBare(as: JID("bob@example.org/x")))
    #expect(try !bob.hasSameBare(as: JID("bob@example.org.evil.example")))
    #expect(try !bob.hasSameBare(as: JID("bo@bexample.org")))
    #expect(try !bob.hasSameBare(as: JID("example.org")))
  }
}

/// The quick way gives what the slow one gives.
@Suite struct JIDShapeTests {
  static let pieces = [
    "", "a", "0", "-", ".", "..", "_", "@", "/", "A", "\u{E9}", " ", "'", "a.b", "[", ":", "\u{7F}",
  ]
  static let long = [1_022, 1_023, 1_024].map { String(repeating: "x", count: $0) }

  @Test func agreesWithTheSlowWay() {
    for first in Self.pieces + Self.long {
      for second in Self.pieces {
        for third in Self.pieces { agrees(first, second, third) }
      }
    }
  }

  private func agrees(_ first: String, _ second: String, _ third: String) {
    for text in ["\(first)\(second)\(third)", "\(first)@\(second)/\(third)", "a@b\(second)\(third)\(first)"] {
      let quick = try? JID(text)
      let slow = try? JIDParts(text.utf8).normalised()
      if quick != slow || quick?.bare.description != slow?.bare.description || quick?.local != slow?.local {
        Issue.record("\(text.debugDescription): \(String(describing: quick)) is not \(String(describing: slow))")
      }
    }
  }
}
