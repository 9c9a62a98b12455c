import Bytes

/// Sequences written to the terminal that have no name in terminfo, each with its source; modes are in `TerminalMode`.
/// Only terminals that know ECMA-48 get any of them.
///
/// Texts within a sequence are stripped of control characters here, so that none can end it early.
package enum TerminalSequences {
  // MARK: Questions

  /// Primary device attributes: each terminal answers, so it is asked last (DA1, ECMA-48 §8.3.24).
  package static let attributesQuestion = "\u{1B}[c"
  /// Asks for the cursor's position (DSR 6, ECMA-48 §8.3.35).
  package static let cursorQuestion = "\u{1B}[6n"
  /// Name and version (XTVERSION, xterm's ctlseqs).
  package static let versionQuestion = "\u{1B}[>q"
  /// Flags of the keyboard (https://sw.kovidgoyal.net/kitty/keyboard-protocol/).
  package static let keyboardQuestion = "\u{1B}[?u"
  /// The colours of text and background (OSC 10 and 11, xterm's ctlseqs).
  package static let foregroundQuestion = "\u{1B}]10;?\u{1B}\\"
  package static let backgroundQuestion = "\u{1B}]11;?\u{1B}\\"

  /// Asks if a picture of one pixel, number 31, could be shown (https://sw.kovidgoyal.net/kitty/graphics-protocol/).
  package static let graphicsQuestion = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
  /// The size of a cell in pixels (XTWINOPS 16, xterm's ctlseqs).
  package static let cellQuestion = "\u{1B}[16t"

  // MARK: Keyboard

  /// Esc, and keys with modifiers, become sequences that are nothing else (kitty's keyboard protocol, flag 1).
  package static let keyboardPush = "\u{1B}[>1u"
  package static let keyboardPop = "\u{1B}[<u"
  /// Keys with modifiers that have no sequence get one (modifyOtherKeys 1, xterm's ctlseqs).
  package static let modifiedKeysOn = "\u{1B}[>4;1m"
  package static let modifiedKeysOff = "\u{1B}[>4m"

  // MARK: Cursor and screen

  /// No colours and no attributes (SGR 0, ECMA-48 §8.3.117).
  package static let plainPen = "\u{1B}[m"
  /// Ends a string that was cut off; nothing anywhere else (ST, ECMA-48 §8.3.143).
  package static let stringEnd = "\u{1B}\\"
  /// Text that takes its columns and is not seen (SGR 8, ECMA-48 §8.3.117).
  package static let concealedPen = "\u{1B}[8m"

  /// Moves the cursor to a column and a line, both from 0 (CUP, ECMA-48 §8.3.21).
  package static func move(to column: Int, _ line: Int) -> String { "\u{1B}[\(line + 1);\(column + 1)H" }
  /// Blanks the cursor's line (EL 2, ECMA-48 §8.3.41).
  package static let eraseLine = "\u{1B}[2K"

  /// Moves the cursor within its line, to a column from 0 (CHA, ECMA-48 §8.3.9).
  package static func move(toColumn column: Int) -> String { "\u{1B}[\(column + 1)G" }
  /// Blanks the line from the cursor on (EL 0, ECMA-48 §8.3.41).
  package static let eraseToLineEnd = "\u{1B}[K"
  /// Blanks the screen (ED 2, ECMA-48 §8.3.39).
  package static let eraseScreen = "\u{1B}[2J"
  /// Blanks the screen and goes to its begin. Without an alternate screen (the Linux console, GNU screen by default), a
  /// shell continues there.
  package static let emptyScreen = move(to: 0, 0) + eraseScreen
  /// Resets modes that another program may have left: plain pen; ASCII as G0, and G0 in use (ECMA-35); letters replace
  /// the text under them (IRM, ECMA-48 §7.2.10); no margins (DECSTBM, VT100).
  package static let restoredWriting = plainPen + "\u{1B}(B\u{0F}\u{1B}[4l\u{1B}[r"

  /// Letters are in the order in which they are written, or the terminal orders those from right to left (BDSM, ECMA-48
  /// §7.2.1, https://terminal-wg.pages.freedesktop.org/bidi/). The layout has ordered them already.
  package static let explicitOrder = "\u{1B}[8l"
  package static let implicitOrder = "\u{1B}[8h"

  /// Ends a link (OSC 8, https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda).
  package static let hyperlinkEnd = "\u{1B}]8;;\u{1B}\\"

  // MARK: Clipboard

  /// Puts a text into the clipboard (OSC 52, xterm's ctlseqs).
  package static func clipboard(_ text: String) -> String {
    "\u{1B}]52;c;\(Base64.encode(Array(text.utf8)))\u{1B}\\"
  }

  // MARK: Programs in between

  /// Strings (OSC) for the terminal outside of GNU screen, which passes on what is in control strings (DCS) of at most 768
  /// bytes. These end at ST, so the strings within end at BEL.
  package static func throughScreen(_ strings: String) -> String {
    let scalars = Array(strings.replacing("\u{1B}\\", with: "\u{7}").unicodeScalars)
    return stride(from: 0, to: scalars.count, by: longestPassed).map { start in
      let part = scalars[start..<min(scalars.count, start + longestPassed)]
      return "\u{1B}P" + String(String.UnicodeScalarView(part)) + "\u{1B}\\"
    }.joined()
  }

  /// Wraps sequences for the terminal outside of tmux. tmux passes them on if its option `allow-passthrough` is on, and
  /// drops them otherwise (https://github.com/tmux/tmux/wiki/FAQ).
  package static func throughTmux(_ strings: String) -> String {
    "\u{1B}Ptmux;" + strings.replacing("\u{1B}", with: "\u{1B}\u{1B}") + "\u{1B}\\"
  }

  /// In scalars, of up to four bytes.
  private static let longestPassed = 190

  // MARK: Notices

  /// One line (OSC 9, iTerm2: https://iterm2.com/documentation-escape-codes.html). A text that begins with a digit would be
  /// a command of ConEmu's, so a space is before it.
  package static func notice9(_ text: String) -> String {
    let text = shown(text)
    return "\u{1B}]9;\(text.first?.isNumber == true ? " " : "")\(text)\u{1B}\\"
  }

  /// Title and text (OSC 777, rxvt-unicode's extension `notify`); a semicolon would end the title.
  package static func notice777(title: String, _ text: String) -> String {
    "\u{1B}]777;notify;\(shown(title).replacing(";", with: ","));\(shown(text))\u{1B}\\"
  }

  /// Title and text (OSC 99, https://sw.kovidgoyal.net/kitty/desktop-notifications/): two parts of one notice, shown if the
  /// window has no focus.
  package static func notice99(id: Int, title: String, _ text: String) -> String {
    "\u{1B}]99;i=\(id):d=0:o=unfocused:e=1;\(Base64.encode(Array(shown(title).utf8)))\u{1B}\\"
      + "\u{1B}]99;i=\(id):d=1:p=body:e=1;\(Base64.encode(Array(shown(text).utf8)))\u{1B}\\"
  }

  package static let bell = "\u{7}"

  // MARK: Titles

  /// The title of the window (OSC 2, xterm's ctlseqs).
  package static func title(_ text: String) -> String { "\u{1B}]2;\(shown(text))\u{1B}\\" }

  /// Puts the window's title on the terminal's stack, and takes it back (XTWINOPS 22 and 23, xterm's ctlseqs).
  package static let titlePush = "\u{1B}[22;2t"
  package static let titlePop = "\u{1B}[23;2t"

  /// Without control characters, the C1 ones included.
  private static func shown(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
  }
}
