/// A decoded event from the terminal.
package enum InputEvent: Equatable, Sendable {
  case key(Key)
  /// The text of a bracketed paste, as it came; in it nothing is a key.
  case paste([UInt8])
  case mouse(MouseEvent)
  /// The terminal has the keyboard's focus, or lost it (mode 1004).
  case focus(Bool)
  /// The answer to a question of ours, however late.
  case reply(TerminalReply)
}

/// A key press.
package struct Key: Hashable, Sendable {
  /// The key itself, without its modifiers.
  package enum Code: Hashable, Sendable {
    /// The text that the key gives: one cluster of what was typed. Control characters are letters with `.control`.
    case character(Character)
    case enter, tab, backspace, delete, insert, escape
    case up, down, left, right, home, end, pageUp, pageDown
    /// F1 is 1.
    case function(Int)
  }

  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Shift with a key that gives no text; a capital letter is its own character.
    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }

  package var code: Code
  package var modifiers: Modifiers

  package init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }
}

/// A report of the mouse (mode 1006); positions from 0.
package struct MouseEvent: Equatable, Sendable {
  package enum Action: Equatable, Sendable {
    /// 0 is the left button, 1 the middle one, 2 the right one.
    case press(Int)
    case release(Int)
    case drag(Int)
    case scrollUp, scrollDown
  }

  package var action: Action
  package var position: Frame.Position
  package var modifiers: Key.Modifiers

  package init(_ action: Action, at position: Frame.Position, _ modifiers: Key.Modifiers = []) {
    self.action = action
    self.position = position
    self.modifiers = modifiers
  }
}

/// An answer of the terminal about itself.
package enum TerminalReply: Equatable, Sendable {
  /// Primary device attributes: every terminal answers, so it ends a round of questions.
  case attributes([Int])
  /// The cursor's position, from 0 (CPR).
  case cursor(Frame.Position)
  /// A private mode: 0 unknown, 1 set, 2 reset, 3 always set, 4 never (DECRPM).
  case mode(Int, Int)
  /// The colour of the background, or of the text (OSC 11, OSC 10), each of 0 to 255.
  case background(UInt8, UInt8, UInt8)
  case foreground(UInt8, UInt8, UInt8)
  /// Flags of the kitty keyboard protocol.
  case keyboard(Int)
  /// The terminal's name and version (XTVERSION).
  case version(String)
  /// True if the terminal knows kitty's graphics protocol.
  case graphics(Bool)
  /// The size of a cell in pixels (XTWINOPS 6).
  case cellSize(Capabilities.CellSize)
  /// An answer that nobody knows; it is no text either.
  case other
}
