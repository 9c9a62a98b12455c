import AddressPreparation
/// Names whose mention in a text counts, each with the JID or nick that it means; without regard to case.
package struct MentionTable: Sendable {
  let phrases: PhraseTable
  /// The bytes that names begin with, in either case.
  let starters: ByteSet

  package init(_ names: [(name: String, target: String)] = []) {
    let names = names.filter { !$0.name.isEmpty }
    guard !names.isEmpty else {
      (phrases, starters) = (PhraseTable(), ByteSet())
      return
    }
    phrases = PhraseTable(names.map { (Self.fold($0.name), $0.target) })
    starters = ByteSet(names.flatMap { Self.firstBytes(of: $0.name) })
  }

  var isEmpty: Bool { phrases.isEmpty }

  private static func firstBytes(of name: String) -> [UInt8] {
    guard let first = name.unicodeScalars.first else { return [] }
    let forms = [fold(first), first.properties.uppercaseMapping, first.properties.titlecaseMapping, String(first)]
    return forms.compactMap(\.utf8.first)
  }

  static func fold(_ scalar: Unicode.Scalar) -> String {
    scalar.isASCII ? String(scalar).lowercased() : scalar.properties.lowercaseMapping
  }

  private static func fold(_ name: String) -> String { name.unicodeScalars.map(fold).joined() }

  /// The longest name that stands in a text from here, as a word; its end and its target.
  func match(in text: TextBytes, at start: Int) -> (end: Int, target: String)? {
    var search = PhraseSearch()
    var longest: (end: Int, target: String)?
    var index = start
    while let (scalar, end) = text.scalar(at: index) {
      guard Self.fold(scalar).utf8.allSatisfy({ search.advance($0, in: phrases) }) else { break }
      if let match = search.match(in: phrases), Self.endsWord(scalar, before: text.scalar(at: end)?.scalar) {
        longest = (end, phrases.target(match))
      }
      index = end
    }
    return longest
  }
}

extension MentionTable {
  /// Particles of Korean follow names without a space.
  private static func endsWord(_ last: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
    guard let next else { return true }
    return !WordBreaks.joins(last, next) || (last.isHangulSyllable && next.isHangulSyllable)
  }
}

extension Unicode.Scalar {
  fileprivate var isHangulSyllable: Bool { (0xAC00...0xD7A3).contains(value) }
}
