/// A private mode of the terminal (DECSET, xterm's ctlseqs).
package struct TerminalMode: Hashable, Sendable {
  package let number: Int

  package init(_ number: Int) { self.number = number }

  /// Wraps at the right edge (DECAWM, VT100).
  package static let wrapping = TerminalMode(7)
  /// Shows the cursor (DECTCEM, VT220).
  package static let cursor = TerminalMode(25)
  /// Reports the mouse's buttons and the wheel, and its way while a button is down (xterm).
  package static let mouse = TerminalMode(1002)
  /// Reports the keyboard's focus (xterm).
  package static let focus = TerminalMode(1004)
  /// Reports of the mouse are numbers, so that they reach beyond column 223 (xterm).
  package static let mouseNumbers = TerminalMode(1006)
  /// Marks pastes (xterm, "Bracketed Paste Mode").
  package static let paste = TerminalMode(2004)
  /// Synchronised output: the terminal shows everything between set and reset at once
  /// (https://gist.github.com/christianparpart/d8a62cc1ab659194337d73e399004036).
  package static let synchronisedOutput = TerminalMode(2026)
  /// Columns are counted by cluster (https://github.com/contour-terminal/terminal-unicode-core).
  package static let clusters = TerminalMode(2027)

  package var set: String { "\u{1B}[?\(number)h" }
  package var reset: String { "\u{1B}[?\(number)l" }
  /// Asks whether it is set (DECRQM); the reply is `TerminalReply.mode`.
  package var question: String { "\u{1B}[?\(number)$p" }
}
