import CIdn
import Glibc

/// SASLprep (RFC 4013): the form in which servers hash passwords and compare the user names of a login, by libidn.
package enum SASLprep {
  /// The text prepared as a query (RFC 3454, section 7). Printable ASCII stays as it is and costs one look.
  ///
  /// Code points that Unicode 3.2 does not assign are let through, although RFC 5802, section 2.2, prepares a password
  /// as a stored string: a server that forbids it has no such password, and one that allows it has.
  ///
  /// - Parameter utf8: at most 64 KiB; the result is memory of its own, and its owner wipes it.
  /// - Throws: why there is none. It shows nothing of the text.
  package static func prepare(_ utf8: [UInt8]) throws(SASLprepError) -> [UInt8] {
    guard !utf8.isEmpty else { throw .empty }
    if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return utf8.map(\.self) }
    guard utf8.count <= 1 << 16, String(validating: utf8, as: UTF8.self) != nil else { throw .notText }
    // The library would take what stands before it for the whole.
    guard !utf8.contains(0) else { throw .prohibited }
    let prepared = try prepareByLibrary(utf8)
    guard !prepared.isEmpty else { throw .empty }
    return prepared
  }

  private static func prepareByLibrary(_ utf8: [UInt8]) throws(SASLprepError) -> [UInt8] {
    // Nothing grows to more than eleven times its size in form KC (U+FDFA).
    var text = utf8 + [UInt8](repeating: 0, count: utf8.count * 10 + 1)
    defer {
      unsafe text.withUnsafeMutableBytes { if let start = $0.baseAddress { unsafe explicit_bzero(start, $0.count) } }
    }
    let status = unsafe text.withUnsafeMutableBytes {
      unsafe confab_saslprep($0.assumingMemoryBound(to: CChar.self).baseAddress, $0.count)
    }
    if let error = SASLprepError(status: status) { throw error }
    return Array(text.prefix { $0 != 0 })
  }
}

/// Why SASLprep refuses a text, in words that follow its name: `the password holds a character …`.
package enum SASLprepError: Error, Equatable, Sendable {
  /// Nothing is left of it (RFC 5802, section 5.1, asks to abort then).
  case empty
  /// It is no UTF-8, or absurdly long.
  case notText
  /// A control character or another that RFC 4013, section 2.3, prohibits.
  case prohibited
  /// It mixes right-to-left with left-to-right in a way that RFC 3454, section 6, forbids.
  case bidirectional
  /// The library failed, most likely for want of memory.
  case failed

  /// The library's answer; nil if all is well.
  fileprivate init?(status: CInt) {
    switch UInt32(bitPattern: status) {
    case STRINGPREP_OK.rawValue: return nil
    case STRINGPREP_CONTAINS_PROHIBITED.rawValue: self = .prohibited
    case STRINGPREP_BIDI_BOTH_L_AND_RAL.rawValue, STRINGPREP_BIDI_LEADTRAIL_NOT_RAL.rawValue,
      STRINGPREP_BIDI_CONTAINS_PROHIBITED.rawValue:
      self = .bidirectional
    default: self = .failed
    }
  }
}

extension SASLprepError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "is empty after removal of invisible characters"
    case .notText: "is not UTF-8"
    case .prohibited: "contains a character that SASLprep prohibits, such as a control character"
    case .bidirectional: "mixes right-to-left and left-to-right text in a way that SASLprep prohibits"
    case .failed: "could not be prepared for a login"
    }
  }
}
