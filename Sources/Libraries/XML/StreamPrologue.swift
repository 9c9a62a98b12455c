/// Looks at the first bytes of a stream before libxml2 does: the library would transcode what is not UTF-8.
///
/// Bytes are held back until it is clear that there is no byte order mark, and no XML declaration of another encoding.
struct StreamPrologue {
  enum Verdict {
    /// More bytes are needed.
    case undecided
    /// Parse these, and all that follow.
    case accepted([UInt8])
    case refused(XMLFailure)
  }

  private var held: [UInt8] = []

  /// A declaration has a version, an encoding and `standalone`: far fewer bytes than this.
  private static let longestDeclaration = 256
  private static let opening = Array("<?xml".utf8)

  mutating func feed(_ bytes: ArraySlice<UInt8>) -> Verdict {
    held.append(contentsOf: bytes)
    guard let first = held.first else { return .undecided }
    guard first == UInt8(ascii: "<") || Self.isSpace(first) else { return .refused(Self.verdict(onStart: first)) }
    if held.count > 1, held[1] == 0 { return .refused(.badEncoding) }
    guard held.count > Self.opening.count else {
      return Self.opening.starts(with: held) ? .undecided : .accepted(held)
    }
    guard held.starts(with: Self.opening), Self.isSpace(held[Self.opening.count]) else { return .accepted(held) }
    return judgeDeclaration()
  }

  private func judgeDeclaration() -> Verdict {
    let searched = held.prefix(Self.longestDeclaration)
    guard let end = searched.indices.first(where: { held[$0...].starts(with: "?>".utf8) }) else {
      return held.count < Self.longestDeclaration ? .undecided : .refused(.notWellFormed("a long XML declaration"))
    }
    return Self.declaresOtherEncoding(held[..<end]) ? .refused(.badEncoding) : .accepted(held)
  }

  /// UTF-8's and UTF-16's byte order marks, and UTF-16 or UTF-32 without one, are of another encoding; anything else
  /// is no XML in any.
  private static func verdict(onStart byte: UInt8) -> XMLFailure {
    switch byte {
    case 0x00, 0xEF, 0xFE, 0xFF: .badEncoding
    default: .notWellFormed("a stream that begins with no tag")
    }
  }

  /// True if a declaration names an encoding other than UTF-8. The library rejects otherwise broken ones.
  private static func declaresOtherEncoding(_ declaration: ArraySlice<UInt8>) -> Bool {
    let word = Array("encoding".utf8)
    guard let start = declaration.indices.first(where: { declaration[$0...].starts(with: word) }) else { return false }
    let value = declaration[(start + word.count)...].drop { isSpace($0) || $0 == UInt8(ascii: "=") }
    guard let quote = value.first else { return false }
    let name = value.dropFirst().prefix { $0 != quote }
    return !name.elementsEqual("utf-8".utf8) { ($0 | 0x20) == $1 || $0 == $1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
