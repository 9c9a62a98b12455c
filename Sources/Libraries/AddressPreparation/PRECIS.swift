/// The PRECIS framework (RFC 8264): texts that people type for names, brought into the one form in which they are kept
/// and compared.
///
/// Each profile takes anything, throws what is wrong, and leaves alone what it gave itself.
package enum PRECIS {
  /// A user's name where case does not count (RFC 8265, section 3.3): an address's local part.
  package static func usernameCaseMapped(_ text: String) throws(PRECISError) -> String {
    let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    return isPlain && !text.isEmpty ? text.lowercased() : try username.enforce(text)
  }

  /// Any text that is compared as it is (RFC 8265, section 4.2): an address's resource, a password.
  package static func opaqueString(_ text: String) throws(PRECISError) -> String {
    let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    return isPlain && !text.isEmpty ? text : try opaque.enforce(text)
  }

  private static let username = Profile(
    stringClass: .identifier, mapsWidth: true, lowercases: true, obeysBidiRule: true)
  private static let opaque = Profile(stringClass: .freeform, mapsSpaces: true)
}

/// The rules of one profile, applied in the order of RFC 8264, section 7.
private struct Profile {
  var stringClass: StringClass
  var mapsWidth = false
  /// Every space becomes U+0020.
  var mapsSpaces = false
  var lowercases = false
  var obeysBidiRule = false

  /// Applies the rules until nothing changes any more, at most four times.
  func enforce(_ text: String) throws(PRECISError) -> String {
    var scalars = Array(text.unicodeScalars)
    for _ in 0..<4 {
      let once = try applied(to: scalars)
      if once == scalars { return String(String.UnicodeScalarView(once)) }
      scalars = once
    }
    throw .unstable
  }

  private func applied(to text: [Unicode.Scalar]) throws(PRECISError) -> [Unicode.Scalar] {
    var result = mapsWidth ? text.map(\.withoutWidth) : text
    if mapsSpaces { result = result.map { $0.isIn(.spaces) ? " " : $0 } }
    if lowercases { result = try mapped(Characters.lowercase(result)) }
    result = try mapped(Characters.normalize(result, compatibly: false))
    if obeysBidiRule, !BidiRule.allows(result) { throw .bidirectional }
    guard !result.isEmpty else { throw .empty }
    do {
      try stringClass.check(result)
    } catch {
      // An error about the typed text says more than one about its mapped form.
      try stringClass.check(text)
      throw error
    }
    return result
  }

  private func mapped(_ result: [Unicode.Scalar]?) throws(PRECISError) -> [Unicode.Scalar] {
    guard let result else { throw .failed }
    return result
  }
}
