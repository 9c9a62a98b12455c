import Screen

/// Bytes that terminals send, and what they are.
struct InputSample: CustomStringConvertible, Sendable {
  let bytes: String
  let events: [InputEvent]

  init(_ bytes: String, _ events: InputEvent...) { (self.bytes, self.events) = (bytes, events) }

  var description: String { bytes.debugDescription }

  static func key(_ bytes: String, _ code: Key.Code, _ modifiers: Key.Modifiers = []) -> InputSample {
    InputSample(bytes, .key(Key(code, modifiers)))
  }

  static func letter(_ bytes: String, _ letter: Character, _ modifiers: Key.Modifiers = []) -> InputSample {
    key(bytes, .character(letter), modifiers)
  }

  static func mouse(
    _ bytes: String, _ action: MouseEvent.Action, _ column: Int, _ line: Int, _ modifiers: Key.Modifiers = []
  ) -> InputSample {
    InputSample(bytes, .mouse(MouseEvent(action, at: .init(column: column, line: line), modifiers)))
  }

  static func reply(_ bytes: String, _ reply: TerminalReply) -> InputSample { InputSample(bytes, .reply(reply)) }

  static let all = text + control + xterm + otherTerminals + codes + mice + replies

  static let text: [InputSample] = [
    letter("a", "a"), letter("Z", "Z"), letter(" ", " "), letter("ß", "ß"), letter("語", "語"), letter("😀", "😀"),
    letter("\u{1B}x", "x", .alt), letter("\u{1B}X", "X", .alt), letter("\u{1B}é", "é", .alt),
    InputSample("hé", .key(Key(.character("h"))), .key(Key(.character("é")))),
    InputSample("\u{85}"), InputSample("\u{1B}\u{1B}x", .key(Key(.escape)), .key(Key(.character("x"), .alt))),
  ]

  static let control: [InputSample] = [
    key("\r", .enter), key("\t", .tab), key("\u{7F}", .backspace), letter("\n", "j", .control),
    letter("\u{0}", " ", .control), letter("\u{1}", "a", .control), letter("\u{8}", "h", .control),
    letter("\u{1F}", "_", .control), letter("\u{1C}", "\\", .control),
    key("\u{1B}\r", .enter, .alt), key("\u{1B}\u{7F}", .backspace, .alt), letter("\u{1B}\u{1}", "a", [.alt, .control]),
  ]

  static let xterm: [InputSample] = [
    key("\u{1B}[A", .up), key("\u{1B}OA", .up), key("\u{1B}[1;5A", .up, .control), key("\u{1B}[1;2H", .home, .shift),
    key("\u{1B}[1;8F", .end, [.shift, .alt, .control]), key("\u{1B}[3~", .delete), key("\u{1B}[5;3~", .pageUp, .alt),
    key("\u{1B}OP", .function(1)), key("\u{1B}[15~", .function(5)), key("\u{1B}[24;2~", .function(12), .shift),
    key("\u{1B}[1;2P", .function(1), .shift), key("\u{1B}[1;2R", .function(3), .shift), key("\u{1B}[R", .function(3)),
    key("\u{1B}[Z", .tab, .shift), key("\u{1B}OM", .enter), letter("\u{1B}Oq", "1"),
    key("\u{1B}O5P", .function(1), .control),
    key("\u{1B}[1;133A", .up, .control),
    InputSample("\u{1B}[1;9A"),
  ]

  static let otherTerminals: [InputSample] = [
    key("\u{1B}[[A", .function(1)), key("\u{1B}[[E", .function(5)), key("\u{1B}[7~", .home), key("\u{1B}[8~", .end),
    key("\u{1B}[a", .up, .shift), key("\u{1B}Oa", .up, .control), key("\u{1B}[5$", .pageUp, .shift),
    key("\u{1B}[5^", .pageUp, .control), key("\u{1B}[6@", .pageDown, [.shift, .control]),
    key("\u{1B}\u{1B}[A", .up, .alt), key("\u{1B}\u{1B}OA", .up, .alt), key("\u{1B}[23$", .function(11), .shift),
  ]

  static let codes: [InputSample] = [
    key("\u{1B}[13;2u", .enter, .shift), key("\u{1B}[27u", .escape), key("\u{1B}[27;2;13~", .enter, .shift),
    letter("\u{1B}[97;5u", "a", .control), letter("\u{1B}[97;6u", "a", [.control, .shift]),
    letter("\u{1B}[27;6;65~", "a", [.control, .shift]), letter("\u{1B}[97;4u", "A", .alt),
    letter("\u{1B}[32;5u", " ", .control), letter("\u{1B}[228;2u", "Ä"), key("\u{1B}[127;3u", .backspace, .alt),
    key("\u{1B}[57414u", .enter), letter("\u{1B}[57400u", "1"), key("\u{1B}[57376u", .function(13)),
    letter("\u{1B}[97:65;5:1u", "a", .control), InputSample("\u{1B}[97;5:3u"), InputSample("\u{1B}[57441;2u"),
    InputSample("\u{1B}[128;5u"),
  ]

  static let mice: [InputSample] = [
    mouse("\u{1B}[<0;1;1M", .press(0), 0, 0), mouse("\u{1B}[<0;200;50m", .release(0), 199, 49),
    mouse("\u{1B}[<32;3;4M", .drag(0), 2, 3), mouse("\u{1B}[<64;3;4M", .scrollUp, 2, 3),
    mouse("\u{1B}[<65;3;4M", .scrollDown, 2, 3), mouse("\u{1B}[<18;3;4M", .press(2), 2, 3, .control),
    InputSample("\u{1B}[<35;3;4M"), mouse("\u{1B}[M !!", .press(0), 0, 0), mouse("\u{1B}[M#!!", .release(0), 0, 0),
  ]

  static let replies: [InputSample] = [
    InputSample("\u{1B}[I", .focus(true)), InputSample("\u{1B}[O", .focus(false)),
    reply("\u{1B}[?64;1;22c", .attributes([64, 1, 22])), reply("\u{1B}[?2026;2$y", .mode(2026, 2)),
    reply("\u{1B}[24;7R", .cursor(.init(column: 6, line: 23))), reply("\u{1B}[?1u", .keyboard(1)),
    reply("\u{1B}]11;rgb:ffff/8080/0000\u{1B}\\", .background(255, 128, 0)),
    reply("\u{1B}]10;rgb:f/8/0\u{7}", .foreground(255, 136, 0)),
    reply("\u{1B}]11;rgba:00/00/00/ff\u{7}", .background(0, 0, 0)),
    reply("\u{1B}P>|tmux 3.3a\u{1B}\\", .version("tmux 3.3a")),
    reply("\u{1B}P>|kitty(0.26.5)\u{1B}\\", .version("kitty(0.26.5)")),
    reply("\u{1B}_Gi=31;OK\u{1B}\\", .graphics(true)),
    reply("\u{1B}_Gi=31;ENODATA:Insufficient image data: 3 < 4\u{1B}\\", .graphics(false)),
    reply("\u{1B}_Gi=7;OK\u{1B}\\", .other),
    reply("\u{1B}]52;c;Zm9v\u{7}", .other), reply("\u{1B}P1$r0m\u{1B}\\", .other),
    reply("\u{1B}_Gi=1;OK\u{1B}\\", .other),
    reply("\u{1B}[>41;354;0c", .other), reply("\u{1B}[8;24;80t", .other),
    // Text between the marks of a paste is text, whatever it looks like.
    InputSample("\u{1B}[200~a\rb\u{1B}[A\u{1B}[201~", .paste(Array("a\rb\u{1B}[A".utf8))),
    InputSample("\u{1B}[200~\u{1B}]11;rgb:0/0/0\u{7}\u{1B}[201~", .paste(Array("\u{1B}]11;rgb:0/0/0\u{7}".utf8))),
    // An answer ends where another sequence begins in it.
    InputSample("\u{1B}]11;x\u{1B}[200~y\u{1B}[201~", .reply(.other), .paste(Array("y".utf8))),
    InputSample("\u{1B}[201~"),
  ]
}
