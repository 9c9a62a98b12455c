/// Why a text is no name. The words follow what it is a name of: `the local part holds U+265A, …`.
package enum PRECISError: Error, Hashable, Sendable {
  /// Nothing is there, or nothing is left.
  case empty
  /// This character stands in no such name.
  case disallowed(Unicode.Scalar)
  /// This character is younger than our tables: who knows what it will be.
  case unassigned(Unicode.Scalar)
  /// This character may stand elsewhere, but not here (RFC 5892, appendix A).
  case misplaced(Unicode.Scalar)
  /// Right-to-left and left-to-right writing are mixed in a way that misleads (RFC 5893, section 2).
  case bidirectional
  /// It changes each time that it is prepared.
  case unstable
  /// There is no memory for it.
  case failed
}

extension PRECISError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "is empty"
    case .disallowed(let scalar): "contains \(Self.name(scalar)), which is not allowed"
    case .unassigned(let scalar): "contains \(Self.name(scalar)), an unassigned character"
    case .misplaced(let scalar): "contains \(Self.name(scalar)) where it is not allowed"
    case .bidirectional: "mixes right-to-left and left-to-right text in a way that is not allowed"
    case .unstable: "has no stable normal form"
    case .failed: "could not be prepared"
    }
  }

  /// `U+265A`
  private static func name(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
