/// Makes events of the terminal's bytes. It holds half sequences, and is told when nothing more came (`timeOut`).
///
/// The events do not depend on how the bytes are cut. Text is never a control character; what cannot be decoded is
/// dropped, and a reply of the terminal is a reply whenever it comes. (ECMA-48 §5.4; xterm's ctlseqs)
package struct InputDecoder {
  /// The decoder's position in a sequence.
  enum State: Equatable {
    case ground
    /// Behind ESC.
    case escape
    /// Behind `ESC [`.
    case control
    /// Behind `ESC [ [`: the Linux console's F1 to F5.
    case console
    /// Behind `ESC O`.
    case single
    /// Behind `ESC [ M`: three bytes of the mouse's old report.
    case mouse
    /// Behind `ESC P`, `ESC ]` or `ESC _`: whether a string begins is not known yet.
    case introducer
    /// In such a string, up to BEL or ST.
    case string
    /// Behind ESC in such a string.
    case stringEnd
    case paste
    /// In a paste whose end did not come in time.
    case stalledPaste
  }

  /// A half sequence that a key press may be, too, is one if nothing follows within this time.
  package static let keyMilliseconds = 50
  /// The rest of a sequence that no key begins comes late over slow lines, never this late.
  package static let sequenceMilliseconds = 3000
  /// Milliseconds within which input after the end of a paste still belongs to the paste: the end was part of the
  /// pasted text.
  package static let burstMilliseconds = 10
  /// Bytes that are kept of a sequence; the rest of an endless one is dropped as it comes.
  static let longestSequence = 1024
  /// Bytes of a paste in one event; a longer paste gives several, each of whole characters.
  static let longestPaste = 256 << 10

  /// True while questions about the cursor are open: their replies look like F3 with modifiers. The reply to the last
  /// question of a round (DA1) ends it.
  package var awaitsCursor = false

  private let keys: [[UInt8]: Key]
  private let hasShortKeys: Bool
  var state = State.ground
  /// The bytes of the sequence so far, its ESC included; in a paste its text.
  var held: [UInt8] = []
  /// Another ESC was before the sequence.
  private var hasAlt = false
  private var scalar = ScalarDecoder()
  /// A paste has just ended.
  private var isAfterPaste = false

  /// - Parameter keys: sequences of the terminal's description that are keys; they come before the common ones.
  package init(keys: [[UInt8]: Key] = [:]) {
    self.keys = keys
    hasShortKeys = keys.keys.contains { $0.count == 2 }
  }

  /// After how many milliseconds without a byte `timeOut` is to be called; nil: there is nothing to decide.
  package var timeoutMilliseconds: Int? {
    switch state {
    case .ground where isAfterPaste: Self.burstMilliseconds
    case .ground, .stalledPaste: nil
    case .escape, .introducer: Self.keyMilliseconds
    case .control, .single: held.count == 2 ? Self.keyMilliseconds : Self.sequenceMilliseconds
    case .console, .mouse, .string, .stringEnd, .paste: Self.sequenceMilliseconds
    }
  }

  package var needsTimeout: Bool { timeoutMilliseconds != nil }

  /// Decodes what was read at once.
  package mutating func receive(_ bytes: [UInt8], into events: inout [InputEvent]) {
    if state == .stalledPaste { judgeStalledPaste(bytes) }
    var burst: [InputEvent] = []
    for byte in bytes {
      if isAfterPaste { take(byte, &burst) } else { take(byte, &events) }
    }
    events += burst.pasted
  }

  /// No byte came for `timeoutMilliseconds`: a lone ESC was the key, and a half sequence ends.
  package mutating func timeOut(into events: inout [InputEvent]) {
    var ended: [InputEvent] = []
    timeOut(&ended)
    events += isAfterPaste ? ended.pasted : ended
    isAfterPaste = false
  }

  private mutating func timeOut(_ events: inout [InputEvent]) {
    switch state {
    case .ground, .stalledPaste: break
    case .escape, .introducer, .control, .single, .console, .mouse: abandon(&events)
    case .string, .stringEnd: endString(&events)
    case .paste: flushPaste(&events, next: .stalledPaste)
    }
  }
}

// MARK: - Bytes

extension InputDecoder {
  private mutating func take(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch state {
    case .ground: takeText(byte, &events)
    case .escape: takeEscaped(byte, &events)
    case .control: takeControl(byte, &events)
    case .single: takeSingle(byte, &events)
    case .console: takeConsole(byte, &events)
    case .mouse: takeMouse(byte, &events)
    case .introducer: takeIntroduced(byte, &events)
    case .string: takeString(byte, &events)
    case .stringEnd: takeStringEnd(byte, &events)
    case .paste, .stalledPaste: takePaste(byte, &events)
    }
  }

  private mutating func takeText(_ byte: UInt8, _ events: inout [InputEvent]) {
    if byte == ASCII.escape {
      scalar = ScalarDecoder()
      begin()
    } else if byte < 0x80 {
      scalar = ScalarDecoder()
      let described = byte < 0x20 || byte == 0x7F ? keys[[byte]] : nil
      if let key = described ?? Key(ascii: byte) { events.append(.key(key)) }
    } else if let character = scalar.take(byte) {
      events.append(.key(Key(.character(character))))
    }
  }

  private mutating func begin() {
    state = .escape
    held = [ASCII.escape]
    hasAlt = false
  }

  private mutating func takeEscaped(_ byte: UInt8, _ events: inout [InputEvent]) {
    if byte >= 0x80 {
      if let character = scalar.take(byte) { finish(Key(.character(character), .alt), &events) }
      // A byte that begins nothing is dropped, and the ESC was the key.
      if state == .escape, !scalar.isHalf { abandon(&events) }
      return
    }
    if scalar.isHalf { return interrupt(byte, &events) }
    held.append(byte)
    if hasShortKeys, let key = keys[held] { return finish(key, &events) }
    switch byte {
    case ASCII.escape where !hasAlt:
      held.removeLast()
      hasAlt = true
    case ASCII.escape:
      events.append(.key(Key(.escape)))
      held.removeLast()
    case UInt8(ascii: "["): state = .control
    case UInt8(ascii: "O"): state = .single
    case UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "_"): state = .introducer
    default: finish(Key(ascii: byte)?.adding(.alt), &events)
    }
  }

  /// Gives up the sequence before `byte`, which is taken for itself.
  private mutating func interrupt(_ byte: UInt8, _ events: inout [InputEvent]) {
    abandon(&events)
    take(byte, &events)
  }

  /// Ends a sequence that is a half one: one that keys begin is these keys, any other is dropped.
  private mutating func abandon(_ events: inout [InputEvent]) {
    releaseEscape(&events)
    if state == .escape { events.append(.key(Key(.escape))) }
    let isKey = [.control, .single, .introducer].contains(state) && held.count == 2
    if isKey, let key = Key(ascii: held[1]) { events.append(.key(key.adding(.alt))) }
    reset()
  }

  /// Ends a sequence with the key that it was; nil: one that nobody knows.
  private mutating func finish(_ key: Key?, _ events: inout [InputEvent]) {
    if key == nil || key?.modifiers.contains(.alt) == true { releaseEscape(&events) }
    events.append(key.map { .key(hasAlt ? $0.adding(.alt) : $0) } ?? .reply(.other))
    reset()
  }

  /// The ESC before a sequence that it cannot belong to was a key of its own.
  private mutating func releaseEscape(_ events: inout [InputEvent]) {
    if hasAlt { events.append(.key(Key(.escape))) }
    hasAlt = false
  }

  private mutating func reset() {
    state = .ground
    held = []
    hasAlt = false
    scalar = ScalarDecoder()
  }
}

// MARK: - Sequences

extension InputDecoder {
  private mutating func takeControl(_ byte: UInt8, _ events: inout [InputEvent]) {
    guard (0x20...0x7E).contains(byte) else { return interrupt(byte, &events) }
    hold(byte)
    if let key = keys[held] { return finish(key, &events) }
    switch byte {
    case UInt8(ascii: "[") where held.count == 3: state = .console
    case UInt8(ascii: "M") where held.count == 3: state = .mouse
    case UInt8(ascii: "$") where ControlSequence.isOfNumber(held): endControl(&events)
    case 0x40...0x7E: endControl(&events)
    default: break
    }
  }

  private mutating func endControl(_ events: inout [InputEvent]) {
    let meaning = ControlSequence(held)?.meaning(awaitsCursor: awaitsCursor)
    if case .key(let key) = meaning { return finish(key, &events) }
    releaseEscape(&events)
    switch meaning {
    case .pasteStart:
      reset()
      state = .paste
    case .event(let event):
      if case .reply(.attributes) = event { awaitsCursor = false }
      events.append(event)
      reset()
    case .nothing: reset()
    case .key, nil: finish(nil, &events)
    }
  }

  private mutating func takeConsole(_ byte: UInt8, _ events: inout [InputEvent]) {
    guard (0x20...0x7E).contains(byte) else { return interrupt(byte, &events) }
    hold(byte)
    let number = Int(byte) - Int(UInt8(ascii: "A")) + 1
    finish(keys[held] ?? ((1...5).contains(number) ? Key(.function(number)) : nil), &events)
  }

  private mutating func takeSingle(_ byte: UInt8, _ events: inout [InputEvent]) {
    guard (0x20...0x7E).contains(byte) else { return interrupt(byte, &events) }
    hold(byte)
    if let key = keys[held] { return finish(key, &events) }
    let isParameter = (0x30...0x39).contains(byte) || byte == UInt8(ascii: ";")
    if !isParameter || held.count > 5 { finish(ControlSequence(held)?.singleShiftKey, &events) }
  }

  private mutating func takeMouse(_ byte: UInt8, _ events: inout [InputEvent]) {
    guard byte >= 0x20 else { return interrupt(byte, &events) }
    hold(byte)
    guard held.count == 6 else { return }
    releaseEscape(&events)
    if let event = MouseEvent(oldReport: held[3], held[4], held[5]) { events.append(.mouse(event)) }
    reset()
  }

  private mutating func takeIntroduced(_ byte: UInt8, _ events: inout [InputEvent]) {
    guard TerminalString.begins(held[1], with: byte) else { return interrupt(byte, &events) }
    releaseEscape(&events)
    hold(byte)
    state = .string
  }

  private mutating func takeString(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch byte {
    case ASCII.bell: endString(&events)
    case ASCII.escape: state = .stringEnd
    case ASCII.cancel, ASCII.substitute: reset()
    default: hold(byte)
    }
  }

  private mutating func takeStringEnd(_ byte: UInt8, _ events: inout [InputEvent]) {
    endString(&events)
    if byte == UInt8(ascii: "\\") { return }
    begin()
    take(byte, &events)
  }

  private mutating func endString(_ events: inout [InputEvent]) {
    events.append(.reply(TerminalString.reply(held)))
    reset()
  }

  private mutating func hold(_ byte: UInt8) {
    if held.count < Self.longestSequence { held.append(byte) }
  }
}

// MARK: - Pastes

extension InputDecoder {
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  private mutating func takePaste(_ byte: UInt8, _ events: inout [InputEvent]) {
    state = .paste
    held.append(byte)
    if byte == UInt8(ascii: "~"), held.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
      held.removeLast(Self.pasteEnd.count)
      isAfterPaste = true
      return flushPaste(&events, next: .ground)
    }
    guard held.count > Self.longestPaste else { return }
    // Cut where a character begins, and not within what may be the paste's end.
    let canBeCut = byte & 0xC0 != 0x80 && !held.suffix(Self.pasteEnd.count).contains(ASCII.escape)
    if canBeCut || held.count > Self.longestPaste + 64 {
      let last = held.removeLast()
      events.append(.paste(held))
      held = [last]
    }
  }

  private mutating func flushPaste(_ events: inout [InputEvent], next: State) {
    if !held.isEmpty || next == .ground { events.append(.paste(held)) }
    reset()
    state = next
  }

  /// A single key behind a paste without an end shows that the end was lost; more at once is the paste's rest, which a slow
  /// line held up.
  private mutating func judgeStalledPaste(_ bytes: [UInt8]) {
    let isKey = bytes.count <= 4 || bytes.first == ASCII.escape && bytes.count <= 8 && bytes != Self.pasteEnd
    state = isKey ? .ground : .paste
  }
}
