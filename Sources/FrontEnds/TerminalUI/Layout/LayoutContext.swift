package import Screen

/// Everything that a layout depends on beside the row itself. Two equal contexts give equal lines.
package struct LayoutContext: Hashable, Sendable {
  /// Columns of the pane.
  package var width: Int
  /// Compact lines instead of bubbles (a setting, and always below 60 columns of the terminal).
  package var isCompact: Bool
  package var widths: WidthModel
  package var emoji: EmojiForm
  package var scheme: ColourScheme
  package var words: DateWords
  package var symbols: Symbols
  /// The key that opens a folded message, for people; empty: it is not named.
  package var unfoldKey: String
  /// The key that takes a message back.
  package var takeBackKey: String
  /// True if there is room for avatars of two rows.
  package var hasAvatars: Bool

  package init(
    width: Int, isCompact: Bool, widths: WidthModel, emoji: EmojiForm, scheme: ColourScheme, words: DateWords,
    symbols: Symbols = .unicode, unfoldKey: String = "", takeBackKey: String = "",
    hasAvatars: Bool = false
  ) {
    self.width = width
    self.isCompact = isCompact
    self.widths = widths
    self.emoji = emoji
    self.scheme = scheme
    self.words = words
    self.symbols = symbols
    self.unfoldKey = unfoldKey
    self.takeBackKey = takeBackKey
    self.hasAvatars = hasAvatars
  }
}
