@testable import Screen

/// Frames drawn by chance, painted on an emulator.
struct FrameProgram {
  private var chance: Chance
  private var terminal: TerminalEmulator
  private var painter = Painter()
  private var frame: Frame
  private var capabilities = Capabilities()
  private var pictures: [StyledLine] = []
  /// The model of widths that the frames are made for; terminals often have another.
  private var rules = GlyphRules()

  private static let texts = [
    "plain words", "x", " ", "中文字", "e\u{301}o\u{308}", "👩\u{200D}🚀", "👍🏽👍", "☺\u{FE0F}", "🇩🇪🇫", "🫨", "a❤\u{FE0F}", "😀",
    "กำ",
    "कि", "1\u{FE0F}\u{20E3}", "אבג", "│", "\u{0}\u{7F}\u{9B}", "\u{301}", "가\u{1100}\u{1161}", "  ", "\u{E0B0}", "Ａ",
    "👩🏽\u{200D}❤\u{FE0F}\u{200D}💋\u{200D}👨🏿",
  ]

  init(seed: UInt64, _ counting: TerminalEmulator.Counting) {
    chance = Chance(seed)
    let (width, height) = (1 + chance.below(16), 1 + chance.below(5))
    terminal = TerminalEmulator(counting, width: width, height: height)
    frame = Frame(width: width, height: height)
    rules.widths = chance.of([.codePoints, .clusters])
  }

  /// Changes the frame, the terminal or what is known of it, and paints.
  mutating func step() {
    switch chance.below(20) {
    case 0: resize()
    case 1: capabilities.depth = chance.of([.none, .eight, .sixteen, .palette, .trueColour])
    case 2: capabilities.hasSynchronisedOutput.toggle()
    case 3, 7, 8: rules.widths = chance.of([.codePoints, .clusters])
    case 4: disturb()
    case 5: frame.title = chance.of([nil, "one", "two"])
    case 6: frame = emptyFrame(width: frame.width, height: frame.height)
    case 9, 10: replaceLine()
    case 11:
      capabilities.graphics = chance.of([nil, .sixel, .kitty])
      removeAllPictures()
    case 12, 13, 14: drawPicture()
    case 15: removePicture()
    default: for _ in 0...chance.below(6) { draw() }
    }
    if chance.below(3) == 0 { moveCursor() }
    terminal.receive(painter.paint(frame, capabilities))
  }

  mutating func heal() {
    disturb()
    terminal.receive(painter.paint(frame, capabilities))
  }

  private mutating func disturb() {
    terminal.disturb()
    painter.forget()
  }

  private mutating func resize() {
    let (width, height) = (1 + chance.below(24), 1 + chance.below(5))
    let sameSize = width == frame.width && height == frame.height
    terminal.resize(width: width, height: height)
    frame = emptyFrame(width: width, height: height)
    if sameSize { painter.forget() }
  }

  /// A line with hardly anything.
  private mutating func replaceLine() {
    let line = chance.below(frame.height)
    var text = StyledLine(Clusters.split(chance.of(Self.texts), rules))
    text.appendBlanks(frame.width - text.width)
    frame.draw(text, column: 0, line: line)
  }

  private func emptyFrame(width: Int, height: Int) -> Frame {
    var empty = Frame(width: width, height: height)
    empty.strips = frame.strips
    return empty
  }

  /// Columns of a strip.
  static let stripWidth = 3

  /// A new strip, or one that was drawn before, and may be elsewhere as well.
  private mutating func drawPicture() {
    let name = pictures.count + 1
    let bytes = capabilities.graphics == .kitty ? "\u{1B}_Ga=T,m=0;AA\u{1B}\\" : "\u{1B}P0q\(name)\u{1B}\\"
    if pictures.isEmpty || chance.below(2) == 0 {
      pictures.append(frame.strips.add(Array(bytes.utf8), columns: Self.stripWidth))
    }
    let line = chance.below(frame.height)
    for column in stride(from: chance.below(3), to: frame.width, by: 7) {
      frame.draw(pictures[chance.below(pictures.count)], column: column, line: line)
      if chance.below(3) > 0 { break }
    }
  }

  private mutating func removePicture() {
    guard !pictures.isEmpty else { return }
    frame.strips.remove([pictures.remove(at: chance.below(pictures.count))])
  }

  private mutating func removeAllPictures() {
    frame.strips.remove(pictures)
    pictures = []
  }

  private mutating func draw() {
    let column = chance.below(frame.width)
    let line = chance.below(frame.height)
    if chance.below(8) == 0 {
      return frame.fill(column: column, line: line, width: 1 + chance.below(8), height: 2, style())
    }
    var text = StyledLine()
    for _ in 0...chance.below(3) { text.append(Clusters.split(chance.of(Self.texts), rules), style()) }
    let isAtEdge = chance.below(4) == 0
    frame.draw(
      text, column: isAtEdge ? max(0, frame.width - text.width) : column, line: line,
      limit: chance.below(4) == 0 ? chance.below(6) : .max)
  }

  private mutating func moveCursor() {
    let position = Frame.Position(column: chance.below(frame.width), line: chance.below(frame.height))
    frame.cursor = chance.below(4) == 0 ? nil : position
  }

  private mutating func style() -> Style {
    let colours: [Colour] = [.standard, .standard, .indexed(3), .indexed(12), .indexed(200), .rgb(9, 200, 30)]
    let attributes = Style.Attributes(rawValue: chance.below(3) == 0 ? UInt8(chance.below(64)) : 0)
    return Style(chance.of(colours), on: chance.of(colours), attributes)
  }

  // MARK: What must hold

  /// What is wrong with the terminal; nil if nothing is.
  var fault: String? {
    if let fault = terminal.faults.first { return fault }
    if let again = secondPainting { return again }
    var fresh = TerminalEmulator(terminal.counting, width: frame.width, height: frame.height)
    var painter = Painter()
    fresh.receive(painter.paint(frame, capabilities))
    for index in terminal.cells.indices where terminal.cells[index] != fresh.cells[index] {
      return "\(place(index)) shows \(terminal.cells[index]), painted anew \(fresh.cells[index])"
    }
    // The same image may be called otherwise.
    if Set(terminal.pictures.keys) != Set(fresh.pictures.keys) || terminal.pictures != fresh.pictures {
      return "pictures at \(terminal.pictures), painted anew \(fresh.pictures)"
    }
    return cursorFault ?? cellFault
  }

  private var secondPainting: String? {
    var painter = painter
    let bytes = painter.paint(frame, capabilities)
    return bytes.isEmpty ? nil : "a second painting writes \(bytes.count) bytes"
  }

  private var cursorFault: String? {
    if terminal.isCursorVisible != (frame.cursor != nil) { return "cursor is visible: \(terminal.isCursorVisible)" }
    guard let cursor = frame.cursor, cursor != terminal.cursor else { return nil }
    return "cursor at \(terminal.cursor), not at \(cursor)"
  }

  /// Each cell that is not in doubt is in its place, and all have their ground, though clusters are wider or narrower than the
  /// frame was made for.
  private var cellFault: String? {
    for (index, cell) in (0..<frame.height).flatMap(frame.cells).enumerated() where cell != .blank {
      let shown = terminal.cells[index]
      let pen = EmulatedPen(cell.style, depth: capabilities.depth)
      let hasText = cell.isDoubtful || cell.width == 0 || shown.text == cell.text
      if !hasText || shown.pen != pen { return "\(place(index)) shows \(shown), not \(cell)" }
    }
    return nil
  }

  private func place(_ index: Int) -> String { "line \(index / frame.width), column \(index % frame.width)" }
}

extension EmulatedPen {
  /// A style in a terminal of some depth.
  init(_ style: Style, depth: Capabilities.Depth) {
    self.init()
    var bytes: [UInt8] = []
    Pen(style, depth: depth).write(after: .plain, into: &bytes)
    let text = String(decoding: bytes.dropFirst(2).dropLast(), as: UTF8.self)
    _ = apply(text.split(separator: ";").compactMap { Int($0) })
  }
}

/// Numbers that a seed decides (SplitMix64).
struct Chance {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((value ^ (value >> 31)) % UInt64(bound))
  }

  mutating func of<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }
}
