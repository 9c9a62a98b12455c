/// Keys that no description of a terminal needs to name: what xterm, rxvt, the Linux console and kitty send.
enum KeySequences {
  /// By the final byte of `ESC [` and of `ESC O` (xterm's ctlseqs, "PC-Style Function Keys").
  static let finals: [UInt8: Key.Code] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end, UInt8(ascii: "P"): .function(1), UInt8(ascii: "Q"): .function(2),
    UInt8(ascii: "R"): .function(3), UInt8(ascii: "S"): .function(4),
  ]

  /// By the number before `~`; rxvt ends them with `^`, `$` or `@` for Control, Shift and both.
  static let numbers: [Int: Key.Code] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
    23: .function(11), 24: .function(12), 25: .function(13), 26: .function(14), 28: .function(15), 29: .function(16),
    31: .function(17), 32: .function(18), 33: .function(19), 34: .function(20),
  ]

  /// rxvt's arrows: with Shift behind `ESC [`, with Control behind `ESC O`.
  static let smallArrows: [UInt8: Key.Code] = [
    UInt8(ascii: "a"): .up, UInt8(ascii: "b"): .down, UInt8(ascii: "c"): .right, UInt8(ascii: "d"): .left,
  ]

  /// The keypad's keys behind `ESC O` (xterm's ctlseqs, "VT220-Style Function Keys").
  static let keypad: [UInt8: Key.Code] = [
    UInt8(ascii: "M"): .enter, UInt8(ascii: "I"): .tab, UInt8(ascii: " "): .character(" "),
    UInt8(ascii: "X"): .character("="), UInt8(ascii: "j"): .character("*"), UInt8(ascii: "k"): .character("+"),
    UInt8(ascii: "l"): .character(","), UInt8(ascii: "m"): .character("-"), UInt8(ascii: "n"): .character("."),
    UInt8(ascii: "o"): .character("/"), UInt8(ascii: "p"): .character("0"), UInt8(ascii: "q"): .character("1"),
    UInt8(ascii: "r"): .character("2"), UInt8(ascii: "s"): .character("3"), UInt8(ascii: "t"): .character("4"),
    UInt8(ascii: "u"): .character("5"), UInt8(ascii: "v"): .character("6"), UInt8(ascii: "w"): .character("7"),
    UInt8(ascii: "x"): .character("8"), UInt8(ascii: "y"): .character("9"),
  ]

  /// Keys without a character, from 57399 on (https://sw.kovidgoyal.net/kitty/keyboard-protocol/#functional-key-definitions).
  static let kittyKeypad: [Key.Code] =
    "0123456789./*-+".map { .character($0) } + [
      .enter, .character("="), .character(","), .left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .insert,
      .delete,
    ]
}

extension Key.Modifiers {
  /// The number that a sequence has for modifiers: 1 and the sum of Shift 1, Alt 2, Control 4; nil: another one is among
  /// them (Super, Hyper, Meta), so that it is nobody's key. Caps Lock and Num Lock do not count.
  init?(parameter: Int) {
    let bits = max(0, parameter - 1)
    guard bits < 256, bits & 0b11_1000 == 0 else { return nil }
    self.init(rawValue: UInt8(bits & 0b111))
  }
}

extension ControlSequence {
  /// The key behind `ESC [`.
  var keyMeaning: Meaning? {
    switch final {
    case UInt8(ascii: "u"): return codeMeaning(number(0), modifiers: number(1, else: 1))
    case UInt8(ascii: "~") where number(0) == 27: return codeMeaning(number(2), modifiers: number(1, else: 1))
    case UInt8(ascii: "~"): return pressed(KeySequences.numbers[number(0)])
    case UInt8(ascii: "^"): return plain(KeySequences.numbers[number(0)], .control)
    case UInt8(ascii: "$"): return plain(KeySequences.numbers[number(0)], .shift)
    case UInt8(ascii: "@"): return plain(KeySequences.numbers[number(0)], [.control, .shift])
    case UInt8(ascii: "Z"): return plain(.tab, .shift)
    case UInt8(ascii: "a")...UInt8(ascii: "d"): return plain(KeySequences.smallArrows[final], .shift)
    default: return pressed(KeySequences.finals[final])
    }
  }

  /// The key behind `ESC O`; numbers before the final byte are modifiers.
  var singleShiftKey: Key? {
    let modifiers = Key.Modifiers(parameter: number(parameters.count - 1, else: 1)) ?? []
    if let code = KeySequences.finals[final] { return Key(code, modifiers) }
    if let code = KeySequences.smallArrows[final] { return Key(code, .control) }
    return KeySequences.keypad[final].map { Key($0, modifiers) }
  }

  private func plain(_ code: Key.Code?, _ modifiers: Key.Modifiers) -> Meaning? {
    code.map { .key(Key($0, modifiers)) }
  }

  /// A key with modifiers as its second number, and, behind a colon, whether it was released.
  private func pressed(_ code: Key.Code?) -> Meaning? {
    guard let code else { return nil }
    guard !isRelease, let modifiers = Key.Modifiers(parameter: number(1, else: 1)) else { return .nothing }
    return .key(Key(code, modifiers))
  }

  private var isRelease: Bool { parameters.count > 1 && parameters[1].count > 1 && parameters[1][1] == 3 }

  /// A key by the code of its character (kitty's keyboard protocol, xterm's modifyOtherKeys).
  private func codeMeaning(_ code: Int, modifiers: Int) -> Meaning? {
    guard code > 0 else { return nil }
    guard !isRelease, let modifiers = Key.Modifiers(parameter: modifiers), let key = Self.key(code, modifiers) else {
      return .nothing
    }
    return .key(key)
  }

  private static func key(_ code: Int, _ modifiers: Key.Modifiers) -> Key? {
    switch code {
    case 8: return Key(.backspace, modifiers)
    case 1..<32, 127: return Key(ascii: UInt8(code))?.adding(modifiers)
    case 57376...57398: return Key(.function(code - 57363), modifiers)
    case 57399..<57399 + KeySequences.kittyKeypad.count: return Key(KeySequences.kittyKeypad[code - 57399], modifiers)
    case 0x80..<0xA0, 57344...63743: return nil
    default: return UnicodeScalar(UInt32(code)).map { character($0, modifiers) }
    }
  }

  /// Shift is part of a capital letter; with Control the letter is the small one, as its control character says.
  private static func character(_ scalar: UnicodeScalar, _ modifiers: Key.Modifiers) -> Key {
    let given = String(Character(scalar))
    let isLetter = given.lowercased() != given.uppercased()
    guard isLetter else { return Key(.character(Character(scalar)), modifiers) }
    if modifiers.contains(.control) { return Key(single(given.lowercased(), given), modifiers) }
    let text = modifiers.contains(.shift) ? given.uppercased() : given
    return Key(single(text, given), modifiers.subtracting(.shift))
  }

  /// A changed case may have several letters (`ß`): then the one that came.
  private static func single(_ text: String, _ given: String) -> Key.Code {
    .character(text.unicodeScalars.count == 1 ? Character(text) : Character(given))
  }
}
