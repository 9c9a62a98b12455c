/// How a terminal counts the columns of a cluster.
package enum WidthModel: Hashable, Sendable {
  /// Each code point for itself, like wcwidth(3): the guess where nothing is known.
  case codePoints
  /// By cluster (mode 2027, https://github.com/contour-terminal/terminal-unicode-core).
  case clusters
  /// Widths of emoji as the terminal answered to six probes.
  case measured(EmojiWidths)
}

/// Columns of the six kinds of cluster in which terminals differ, measured by where the cursor was afterwards.
package struct EmojiWidths: Hashable, Sendable {
  /// A text symbol with the variation selector 16: `☺️`.
  package var variation: UInt8
  /// With a skin tone: `👍🏽`.
  package var skinTone: UInt8
  /// Joined by ZWJ: `👩‍🚀`.
  package var joined: UInt8
  /// A flag of two regional indicators: `🇩🇪`.
  package var flag: UInt8
  /// An emoji of the newest Unicode that we know; 0: the terminal does not draw it at all.
  package var newest: UInt8
  /// A letter with a vowel sign that has a column of its own: `कि`. Terminals that join emoji need not join these (tmux).
  package var vowelSign: UInt8

  package init(
    variation: UInt8, skinTone: UInt8, joined: UInt8, flag: UInt8, newest: UInt8, vowelSign: UInt8 = 2
  ) {
    self.variation = variation
    self.skinTone = skinTone
    self.joined = joined
    self.flag = flag
    self.newest = newest
    self.vowelSign = vowelSign
  }
}
