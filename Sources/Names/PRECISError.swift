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
    case .disallowed(let scalar): "holds \(Self.name(scalar)), which it must not"
    case .unassigned(let scalar): "holds \(Self.name(scalar)), a character that is not known"
    case .misplaced(let scalar): "holds \(Self.name(scalar)) in a place where it must not be"
    case .bidirectional: "mixes right-to-left and left-to-right writing in a way that it must not"
    case .unstable: "has no form that stays the same"
    case .failed: "could not be prepared"
    }
  }

  /// `U+265A`
  private static func name(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
