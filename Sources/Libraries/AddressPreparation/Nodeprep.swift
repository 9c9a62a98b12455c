import CIdn

/// Nodeprep (RFC 6122, appendix A): the form in which servers of today keep and compare the local parts of addresses, by
/// libidn. It folds more than PRECIS (`ß` is `ss`, a final `ς` is `σ`) and forbids less (symbols pass).
package enum Nodeprep {
  /// The local part as a server spells it; nil: it is none, or nothing is left of it.
  ///
  /// Code points that Unicode 3.2 does not assign are let through, as Prosody does.
  package static func prepare(_ text: String) -> String? {
    guard let prepared = map(text), !prepared.isEmpty else { return nil }
    return prepared
  }

  /// The first character that stands in no local part.
  static func prohibited(in text: String) -> Unicode.Scalar? {
    text.unicodeScalars.first { map(String($0)) == nil }
  }

  /// Maps a local part as `prepare` does; the result may be empty.
  static func map(_ text: String) -> String? {
    let utf8 = Array(text.utf8)
    // The library would take what stands before a NUL for the whole.
    guard utf8.count <= 1 << 12, !utf8.contains(0) else { return nil }
    // Nothing grows to more than eleven times its size in form KC (U+FDFA).
    var buffer = utf8 + [UInt8](repeating: 0, count: utf8.count * 10 + 1)
    let status = unsafe buffer.withUnsafeMutableBytes {
      unsafe confab_nodeprep($0.assumingMemoryBound(to: CChar.self).baseAddress, $0.count)
    }
    guard UInt32(bitPattern: status) == STRINGPREP_OK.rawValue else { return nil }
    return String(validating: buffer.prefix { $0 != 0 }, as: UTF8.self)
  }
}
