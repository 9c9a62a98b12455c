package import Crypto

/// The SASL mechanisms that Confab speaks, strongest first. Mechanisms bound to the connection come before all others,
/// whatever the hash function: only they detect an attacker in the middle with a certificate of the server's name. All
/// SCRAMs prove the password without sending it and make the server prove itself; PLAIN sends it.
package enum Mechanism: String, CaseIterable, Hashable, Sendable {
  case scramSHA512Plus = "SCRAM-SHA-512-PLUS"
  case scramSHA256Plus = "SCRAM-SHA-256-PLUS"
  case scramSHA1Plus = "SCRAM-SHA-1-PLUS"
  case scramSHA512 = "SCRAM-SHA-512"
  case scramSHA256 = "SCRAM-SHA-256"
  case scramSHA1 = "SCRAM-SHA-1"
  case plain = "PLAIN"

  /// The mechanism of this name; nil for one that is not ours. Names are compared exactly: RFC 4422, section 3.1, writes
  /// them in capitals.
  package init?(named name: String) {
    guard let known = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name.utf8) }) else { return nil }
    self = known
  }

  /// The hash function that a SCRAM is built on; nil for PLAIN.
  package var hash: HashAlgorithm? {
    switch self {
    case .scramSHA512Plus, .scramSHA512: .sha512
    case .scramSHA256Plus, .scramSHA256: .sha256
    case .scramSHA1Plus, .scramSHA1: .sha1
    case .plain: nil
    }
  }

  /// True if it binds the login to the connection: the name's `-PLUS` (RFC 5802, section 6).
  package var isBound: Bool {
    switch self {
    case .scramSHA512Plus, .scramSHA256Plus, .scramSHA1Plus: true
    case .scramSHA512, .scramSHA256, .scramSHA1, .plain: false
    }
  }
}

extension Mechanism: Comparable {
  /// The weaker one is less.
  package static func < (a: Self, b: Self) -> Bool { a.weakness > b.weakness }

  private var weakness: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.endIndex }
}
