import CUnistring

/// The scripts of a text, by libunistring's tables.
package enum Scripts {
  /// True if the letters of a text are of scripts that no language writes together, such as Latin with one letter of
  /// Cyrillic that looks like it (UTS #39 §5.2, "Highly Restrictive").
  package static func areMixed(_ text: String) -> Bool {
    guard !ShownText.isPlain(text) else { return false }
    let scripts = Set(text.unicodeScalars.compactMap { name(of: $0.value) }).subtracting(["Common", "Inherited"])
    return scripts.count > 1 && !together.contains { scripts.isSubset(of: $0) }
  }

  private static let together: [Set<String>] = [
    ["Latin", "Han", "Hiragana", "Katakana"], ["Latin", "Han", "Bopomofo"], ["Latin", "Han", "Hangul"],
  ]

  private static func name(of scalar: UInt32) -> String? {
    unsafe uc_script(scalar).map { unsafe String(cString: $0.pointee.name) }
  }
}
