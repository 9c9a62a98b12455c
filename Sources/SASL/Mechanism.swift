package import Crypto

/// The SASL mechanisms that Confab speaks, strongest first. Each proves the password without telling it and makes the
/// server prove itself. PLAIN is not among them.
package enum Mechanism: String, CaseIterable, Hashable, Sendable {
  case scramSHA512 = "SCRAM-SHA-512"
  case scramSHA256 = "SCRAM-SHA-256"
  case scramSHA1 = "SCRAM-SHA-1"

  /// The hash function that the mechanism is built on.
  package var hash: HashAlgorithm {
    switch self {
    case .scramSHA512: .sha512
    case .scramSHA256: .sha256
    case .scramSHA1: .sha1
    }
  }

  /// The strongest of ours among what a server offers, whatever the order it offers them in; nil where there is none.
  /// Names are compared exactly: RFC 4422, section 3.1, writes them in capitals.
  package static func choose(from offered: [String]) -> Mechanism? {
    allCases.first { mechanism in offered.contains { $0.utf8.elementsEqual(mechanism.rawValue.utf8) } }
  }
}
