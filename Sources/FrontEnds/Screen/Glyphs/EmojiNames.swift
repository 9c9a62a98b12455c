/// Names of emoji in ASCII, from the tables of Swift's library.
enum EmojiNames {
  /// `:woman+rocket:`, without skin tones; of a flag `:flag DE:`.
  static func name(of cluster: String) -> String {
    let cluster = cluster.unicodeScalars
    let flag = cluster.compactMap(regionalLetter)
    if !flag.isEmpty { return ":flag \(String(String.UnicodeScalarView(flag))):" }
    return ":" + cluster.compactMap(name).joined(separator: "+") + ":"
  }

  private static func regionalLetter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard (0x1F1E6...0x1F1FF).contains(scalar.value) else { return nil }
    return Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value - 0x1F1E6 + 0x41))
  }

  /// nil for what only changes others.
  private static func name(of scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0x200D, 0xFE0F, 0x1F3FB...0x1F3FF, 0xE0020...0xE007F: nil
    case 0x20E3: "keycap"
    case ..<0x80: String(Character(scalar))
    default: scalar.properties.name?.lowercased() ?? "U+" + String(scalar.value, radix: 16, uppercase: true)
    }
  }
}
