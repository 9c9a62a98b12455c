import Screen

/// The marks of the layout, for terminals with and without letters beyond ASCII. All are one column wide in every width model.
package struct Symbols: Hashable, Sendable {
  package var sent = "✓"
  package var delivered = "✓✓"
  package var failed = "✗"
  package var waiting = "…"
  package var more = "…"
  package var rule = "─"
  package var bar = "│"
  /// In front of what is quoted.
  package var quote = "┆"
  package var selected = "▸"
  /// In front of a message that names me.
  package var mention = "┃"
  package var available = "●"
  package var away = "◐"
  package var busy = "⊖"
  package var offline = "○"
  package var blocked = "⊘"
  package var pinned = "▴"
  package var below = "↓"
  package var prompt = "›"
  /// The conversation is encrypted.
  package var lock = "⚿"
  /// The lower half of a cell; a space where fonts may lack it.
  package var lowerHalf = "▄"
  package var topLeft = "┌"
  package var topRight = "┐"
  package var bottomLeft = "└"
  package var bottomRight = "┘"

  package static let unicode = Symbols()

  package static let ascii = Symbols(
    sent: "v", delivered: "vv", failed: "x", waiting: "..", more: "...", rule: "-", bar: "|", quote: ">", selected: ">",
    mention: "@",
    available: "*",
    away: "~", busy: "!", offline: ".", blocked: "#", pinned: "^", below: "v", prompt: ">", lock: "&", lowerHalf: " ",
    topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+")

  /// Symbols that the fonts of the Linux console have.
  package static let console = {
    var symbols = ascii
    (symbols.rule, symbols.bar, symbols.more) = (unicode.rule, unicode.bar, unicode.more)
    (symbols.topLeft, symbols.topRight) = (unicode.topLeft, unicode.topRight)
    (symbols.bottomLeft, symbols.bottomRight) = (unicode.bottomLeft, unicode.bottomRight)
    return symbols
  }()

  static func of(_ capabilities: Capabilities) -> Symbols {
    !capabilities.isUTF8 ? .ascii : capabilities.isConsole ? .console : .unicode
  }

  var topCorners: (left: String, right: String) { (topLeft, topRight) }
  var bottomCorners: (left: String, right: String) { (bottomLeft, bottomRight) }
}
