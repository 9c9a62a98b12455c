import Testing
import XMPPCore
import XMPPStream

@Suite("what each stream error means")
struct StreamErrorMeaningTests {
  /// RFC 6120, sections 4.9.3.1 to 4.9.3.25: what is done, and whether a stanza of ours may be at fault.
  static let expected: [(String, Remedy, Bool)] = [
    ("bad-format", .again, true), ("bad-namespace-prefix", .again, true), ("conflict", .otherResource, false),
    ("connection-timeout", .again, false), ("host-gone", .rarely, false), ("host-unknown", .rarely, false),
    ("improper-addressing", .again, true), ("internal-server-error", .again, true), ("invalid-from", .again, true),
    ("invalid-namespace", .again, true), ("invalid-xml", .again, true), ("not-authorized", .later, true),
    ("not-well-formed", .again, true), ("policy-violation", .later, true),
    ("remote-connection-failed", .later, false), ("reset", .again, false), ("resource-constraint", .later, false),
    ("restricted-xml", .again, true), ("see-other-host", .again, false), ("system-shutdown", .soon, false),
    ("undefined-condition", .again, true), ("unsupported-encoding", .rarely, false),
    ("unsupported-feature", .rarely, false), ("unsupported-stanza-type", .again, true),
    ("unsupported-version", .rarely, false),
  ]

  @Test("there is a row for each, in the order of the RFC, and no other")
  func complete() {
    #expect(StreamErrorMeaning.table.map(\.condition) == Self.expected.map(\.0))
  }

  @Test("each has its remedy, its blame, and words of its own", arguments: expected)
  func rows(condition: String, remedy: Remedy, blamesStanza: Bool) {
    let meaning = StreamErrorMeaning.of(condition)
    #expect(meaning.remedy == remedy && meaning.blamesStanza == blamesStanza)
    let failure = StreamFailure.stream(StreamError(condition: condition, text: "why"))
    #expect(failure.remedy == remedy && !failure.isPermanent)
    #expect(failure.sentence.hasPrefix("the server") || failure.sentence.hasPrefix("another session"))
    #expect(failure.sentence.hasSuffix(" (\(condition): why)"))
  }

  @Test("what nobody knows is an undefined condition; a redirect is one only by its host")
  func others() {
    #expect(StreamErrorMeaning.of("nonsense").condition == "undefined-condition")
    #expect(StreamFailure.redirected(to: "[::1]:5222").remedy == .elsewhere("[::1]:5222"))
    #expect(StreamFailure.resourceConflict.remedy == .otherResource)
    #expect(StreamFailure.serverNotVerified.remedy == .never)
    #expect(StreamFailure.closed.remedy == .again)
  }
}
