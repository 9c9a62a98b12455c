package import JSON
import Records

/// The name by which a contact is shown, and whether it can mislead.
package struct ShownName {
  package var text: QuotedText
  /// Why the name does not tell who it is; nil: the user gave it, and it is nobody else's.
  package var warning: NameWarning?
}

/// How the name of a contact can mislead.
package enum NameWarning: String {
  /// The contact chose it (XEP-0172), perhaps as somebody else's.
  case claimed
  /// It is `me`, a name of mine, or an address.
  case alike
}

extension AccountState {
  /// The name of a contact to show: that of the roster, else the nickname; nil: there is neither.
  package func shownName(of jid: String) -> ShownName? {
    if let name = contacts[jid]?.name {
      return ShownName(text: QuotedText(name), warning: isAlike(name) ? .alike : nil)
    }
    return nicknames[jid].map { ShownName(text: QuotedText($0), warning: .claimed) }
  }

  /// Whether a name is `me`, one of mine, or an address, however it is written.
  private func isAlike(_ name: String) -> Bool {
    let plain = Self.plain(name)
    let own = record.jid
    let mine = ["me", own, String(own.prefix { $0 != "@" }), nicknames[own] ?? "me"]
    return plain.isEmpty || mine.contains { Self.plain($0) == plain } || Self.isLikeAddress(plain)
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
