/// Local parts that people type, in the one spelling that a server keeps of them.
package enum LocalPart {
  /// Prepares a local part that either profile allows, spelled as nodeprep does where it can; it leaves alone what it gave itself.
  ///
  /// PRECIS (RFC 7622, section 3.3) comes first: it maps what is younger than the tables of nodeprep.
  package static func prepare(_ typed: String) throws(PRECISError) -> String {
    if typed.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return try PRECIS.usernameCaseMapped(typed) }
    var text = typed
    for _ in 0..<4 {
      let once = try applied(to: text)
      if once.utf8.elementsEqual(text.utf8) { return once }
      text = once
    }
    throw .unstable
  }

  private static func applied(to text: String) throws(PRECISError) -> String {
    do throws(PRECISError) {
      let precise = try PRECIS.usernameCaseMapped(text)
      return try Nodeprep.prepare(precise).map(composed) ?? precise
    } catch {
      guard let folded = Nodeprep.prepare(text) else {
        if let scalar = Nodeprep.prohibited(in: text) { throw .disallowed(scalar) }
        throw Nodeprep.map(text)?.isEmpty == true ? error : .bidirectional
      }
      try check(folded)
      return try composed(folded)
    }
  }

  /// Nodeprep lets through what it does not know, and what cannot be seen.
  private static func check(_ folded: String) throws(PRECISError) {
    for scalar in folded.unicodeScalars {
      if scalar.isIn(.unassigned) { throw .unassigned(scalar) }
      if scalar.isDefaultIgnorable || scalar.isIn(.controls) { throw .disallowed(scalar) }
    }
  }

  private static func composed(_ text: String) throws(PRECISError) -> String {
    guard let bytes = Normalization.nfc(Array(text.utf8)) else { throw .failed }
    return String(decoding: bytes, as: UTF8.self)
  }
}
