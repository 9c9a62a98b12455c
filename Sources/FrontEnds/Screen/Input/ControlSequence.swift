/// A control sequence in parts: `ESC [`, a private mark, numbers, intermediate bytes, a final byte (ECMA-48 §5.4); or what
/// is behind `ESC O`.
struct ControlSequence {
  /// `<`, `=`, `>` or `?` before the numbers; nil: none.
  let mark: UInt8?
  /// The numbers between semicolons, each with those behind colons; a missing one is 0.
  let parameters: [[Int]]
  let intermediates: [UInt8]
  let final: UInt8

  /// The result of looking a sequence up.
  enum Meaning: Equatable {
    case key(Key)
    case event(InputEvent)
    case pasteStart
    /// A sequence that gives no event: the end of a key press, a key of modifiers alone.
    case nothing
  }

  /// Numbers above are cut, as no sequence has them.
  private static let largestNumber = 1 << 24

  /// - Parameter bytes: all of it; nil if it is not as a sequence is.
  init?(_ bytes: [UInt8]) {
    guard bytes.count > 2, let final = bytes.last else { return nil }
    var rest = bytes[2..<(bytes.count - 1)]
    mark = rest.first.flatMap { (0x3C...0x3F).contains($0) ? $0 : nil }
    if mark != nil { rest.removeFirst() }
    let body = rest.prefix { (0x30...0x3B).contains($0) }
    intermediates = Array(rest[body.endIndex...])
    guard intermediates.allSatisfy({ (0x20...0x2F).contains($0) }), final == UInt8(ascii: "$") || final >= 0x40 else {
      return nil
    }
    parameters = Self.numbers(body)
    self.final = final
  }

  /// True if a sequence that ends in `$` is `ESC [`, one number and `$`: a key of rxvt, not a reply.
  static func isOfNumber(_ bytes: [UInt8]) -> Bool {
    bytes.count > 3 && bytes[2..<(bytes.count - 1)].allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func numbers(_ bytes: ArraySlice<UInt8>) -> [[Int]] {
    var numbers = [[0]]
    for byte in bytes {
      let last = numbers.count - 1
      switch byte {
      case UInt8(ascii: ";"): numbers.append([0])
      case UInt8(ascii: ":"): numbers[last].append(0)
      default:
        let part = numbers[last].count - 1
        numbers[last][part] = min(largestNumber, numbers[last][part] * 10 + Int(byte & 0x0F))
      }
    }
    return numbers
  }

  /// The parameter at an index; `fallback` where it is missing or 0.
  func number(_ index: Int, else fallback: Int = 0) -> Int {
    guard index < parameters.count, parameters[index][0] != 0 else { return fallback }
    return parameters[index][0]
  }
}

// MARK: - Meaning

extension ControlSequence {
  /// The meaning of the sequence behind `ESC [`; nil if it is unknown.
  func meaning(awaitsCursor: Bool) -> Meaning? {
    switch (mark, final) {
    case (UInt8(ascii: "<"), UInt8(ascii: "M")), (UInt8(ascii: "<"), UInt8(ascii: "m")):
      return MouseEvent(report: self).map { .event(.mouse($0)) } ?? .nothing
    case (nil, UInt8(ascii: "R")) where intermediates.isEmpty && parameters.count == 2:
      return cursorReport(awaitsCursor)
    case (nil, UInt8(ascii: "t")): return .event(.reply(cellSize.map(TerminalReply.cellSize) ?? .other))
    case (nil, _) where intermediates.isEmpty: return plainMeaning
    default: return reply.map { .event(.reply($0)) }
    }
  }

  /// A report of the cursor, or F3 with modifiers, which looks like the first line.
  private func cursorReport(_ awaitsCursor: Bool) -> Meaning {
    let (line, column) = (number(0, else: 1), number(1, else: 1))
    if !awaitsCursor, line == 1, let modifiers = Key.Modifiers(parameter: column), column > 1 {
      return .key(Key(.function(3), modifiers))
    }
    return .event(.reply(.cursor(Frame.Position(column: column - 1, line: line - 1))))
  }

  /// `6 ; HEIGHT ; WIDTH`; nil if it is no size that letters have.
  private var cellSize: Capabilities.CellSize? {
    number(0) == 6 ? Capabilities.CellSize(plausible: number(2), number(1)) : nil
  }

  private var plainMeaning: Meaning? {
    switch (final, number(0)) {
    case (UInt8(ascii: "I"), 0): .event(.focus(true))
    case (UInt8(ascii: "O"), 0): .event(.focus(false))
    case (UInt8(ascii: "~"), 200): .pasteStart
    case (UInt8(ascii: "~"), 201): .nothing
    default: keyMeaning
    }
  }

  private var reply: TerminalReply? {
    switch (mark, intermediates, final) {
    case (UInt8(ascii: "?"), [], UInt8(ascii: "c")): .attributes(parameters.map { $0[0] })
    case (UInt8(ascii: "?"), [UInt8(ascii: "$")], UInt8(ascii: "y")): .mode(number(0), number(1))
    case (UInt8(ascii: "?"), [], UInt8(ascii: "u")): .keyboard(number(0))
    default: nil
    }
  }
}
