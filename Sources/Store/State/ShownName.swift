package import JSON
import Records

/// The name by which a contact is shown, and whether it can mislead.
package struct ShownName {
  package var text: QuotedText
  /// Why the name does not tell who it is; nil: the user gave it, and it is nobody else's.
  package var warning: NameWarning?

  /// A name that the contact chose.
  init(claimed name: String) { (text, warning) = (QuotedText(name), .claimed) }

  /// A name that the user gave.
  ///
  /// - Parameters:
  ///   - own: the account's JID.
  ///   - nickname: the account's own nickname.
  init(_ name: String, own: String, nickname: String?) {
    let plain = Self.plain(name)
    let mine = ["me", own, String(own.prefix { $0 != "@" }), nickname ?? "me"]
    let isAlike = plain.isEmpty || mine.contains { Self.plain($0) == plain } || Self.isLikeAddress(plain)
    (text, warning) = (QuotedText(name), isAlike ? .alike : nil)
  }

  private static func isLikeAddress(_ plain: String) -> Bool {
    plain.contains("@") || !plain.contains(" ") && plain.dropLast().dropFirst().contains(".")
  }

  /// In lower case, with plain letters for wide ones, without what is not seen.
  private static func plain(_ name: String) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in name.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
      let isWide = (0xFF01...0xFF5E).contains(scalar.value)
      plain.append(isWide ? Unicode.Scalar(UInt8(scalar.value - 0xFEE0)) : scalar)
    }
    return String(plain).lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

/// How the name of a contact can mislead.
package enum NameWarning: String {
  /// The contact chose it (XEP-0172), perhaps as somebody else's.
  case claimed
  /// It is `me`, a name of mine, or an address, however it is written.
  case alike
}
