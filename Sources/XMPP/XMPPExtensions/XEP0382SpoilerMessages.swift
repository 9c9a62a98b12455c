package import XML

/// XEP-0382: a text that its reader opens.
package enum Spoilers {
  static let namespace: StaticString = "urn:xmpp:spoiler:0"

  /// The longest hint that is shown, in characters.
  private static let longestHint = 200

  /// Hint of a text, on one line and cut if it is long; empty if there is none.
  package static func hint(in spoiler: Element) -> String {
    String(spoiler.text.prefix(longestHint).map { $0.isNewline ? " " : $0 })
  }
}
