import AddressPreparation
import SASL
import Testing
import XML
import XMPPCore
import XMPPStream

/// What people are told, and whether to try again.
@Suite struct StreamFailureTests {
  /// Whatever is said of the account or by a server that proves nothing is not tried again; what anybody on the way
  /// can cause is.
  @Test(
    arguments: [
      (StreamFailure.serverNotVerified, true), (.login(.refused("invalid-proof")), true),
      (.login(.emptyUsername), true), (.login(.unusableUsername(.prohibited)), true),
      (.login(.offerChanged), true), (.weakened(from: .scramSHA1, to: .plain), true),
      (.tlsNotOffered, false), (.tlsRefused, false), (.noMechanism(offered: []), false), (.resourceConflict, false),
      (.login(.nonceMismatch), false), (.login(.tooFewIterations(1)), false), (.closed, false),
      (.stream(.init(condition: "host-unknown")), false), (.redirected(to: "x"), false), (.xml(.badEncoding), false),
      (.protocolViolation("x"), false), (.timeout(.opening), false),
    ])
  func permanence(failure: StreamFailure, expected: Bool) {
    #expect(failure.isPermanent == expected)
    #expect(failure.sentence.contains("server") || expected)
  }

  /// What a server writes cannot start a new line of the journal or run on for ever.
  @Test func sentencesAreOneShortLine() {
    let text = String(repeating: "a\n\u{1b}[31m\u{2028}\u{202e}", count: 5_000)
    let failures: [StreamFailure] = [
      .authentication(condition: text, text: text), .noMechanism(offered: [text, text]), .login(.malformed(text)),
      .stream(.init(condition: text, text: text)), .redirected(to: text), .protocolViolation(text),
      .xml(.notWellFormed(text)), .login(.refused(text)),
    ]
    for failure in failures {
      #expect(failure.sentence.unicodeScalars.count < 600)
      #expect(failure.sentence.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
      #expect(!failure.sentence.unicodeScalars.contains("\u{2028}"))
    }
  }
}
