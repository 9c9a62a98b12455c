@testable import Screen

/// A terminal that shows what the painter writes, and knows no sequence that the painter does not use.
struct TerminalEmulator {
  /// How columns are counted. The one that counts code points erases with the ground of its pen, the other one with its own.
  enum Counting: CaseIterable { case codePoints, clusters }

  struct Cell: Hashable {
    var text = " "
    /// 0 in a further column.
    var width = 1
    var pen = EmulatedPen()
  }

  let counting: Counting
  private(set) var width: Int
  private(set) var height: Int
  private(set) var cells: [Cell]
  private(set) var cursor = Frame.Position(column: 0, line: 0)
  private(set) var isCursorVisible = true
  /// The strip of a picture that covers each cell. Sixels are here; kitty's images are in `placements`.
  private var sixels: [Int: String] = [:]
  private var images: Set<Int> = []
  private var placements: [[Int]: Frame.Position] = [:]
  private(set) var title = ""
  /// Wraps, scrolls and sequences that ought not to be.
  private(set) var faults: [String] = []
  var pen = EmulatedPen()
  private var wraps = true
  private var isWrapPending = false
  private var insertsLetters = false
  private var hasLineGraphics = false

  init(_ counting: Counting, width: Int, height: Int) {
    self.counting = counting
    self.width = width
    self.height = height
    cells = Array(repeating: Cell(), count: width * height)
  }

  /// A terminal of another size keeps nothing that can be relied upon.
  mutating func resize(width: Int, height: Int) {
    self.width = width
    self.height = height
    cells = Array(repeating: Cell(text: "#"), count: width * height)
    (sixels, images, placements) = ([:], [], [:])
    cursor = .init(column: 0, line: 0)
    isWrapPending = false
  }

  /// Another program wrote to the terminal.
  mutating func disturb() {
    for index in cells.indices { cells[index] = Cell(text: "#") }
    pen = EmulatedPen(codes: [1, 31, 44])
    insertsLetters = true
    hasLineGraphics = true
    cursor = .init(column: width - 1, line: height - 1)
  }

  /// The number of the strip that each cell shows.
  var pictures: [Int: String] {
    var shown = sixels
    for (placement, position) in placements {
      for column in 0..<FrameProgram.stripWidth {
        shown[position.line * width + position.column + column] = "\(placement[0])"
      }
    }
    return shown
  }

  private mutating func readSixels(_ rest: inout Substring.UnicodeScalarView) {
    let text = string(&rest)
    if cursor.column + FrameProgram.stripWidth > width { faults.append("a picture is cut") }
    for column in 0..<FrameProgram.stripWidth { sixels[cursor.line * width + cursor.column + column] = text }
    cursor = .init(column: 0, line: 0)
  }

  private mutating func readImage(_ rest: inout Substring.UnicodeScalarView) {
    let text = string(&rest)
    var keys: [String: String] = [:]
    for pair in text.dropFirst().prefix(while: { $0 != ";" }).split(separator: ",") {
      keys[String(pair.prefix(1))] = String(pair.dropFirst(2))
    }
    let placement = [Int(keys["i"] ?? "") ?? 0, Int(keys["p"] ?? "") ?? 0]
    if keys["q"] != "2" { faults.append("kitty answers \(text)") }
    switch (keys["a"], keys["d"]) {
    case ("t", _): if !images.insert(placement[0]).inserted { faults.append("image \(placement[0]) is sent again") }
    case ("p", _):
      if !images.contains(placement[0]) { faults.append("image \(placement[0]) was not sent") }
      placements[placement] = cursor
    case ("d", "A"): (images, placements) = ([], [:])
    case ("d", "I"):
      images.remove(placement[0])
      placements = placements.filter { $0.key[0] != placement[0] }
    case ("d", "i"): placements[placement] = nil
    default: faults.append("unknown image \(text)")
    }
  }

  private func string(_ rest: inout Substring.UnicodeScalarView) -> String {
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar != "\u{1B}" { text.append(scalar) }
    _ = rest.popFirst()
    return String(text)
  }

  mutating func receive(_ bytes: [UInt8]) {
    var scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
    var text = String.UnicodeScalarView()
    while let scalar = scalars.popFirst() {
      guard scalar.value < 0x20 || scalar.value == 0x7F else {
        text.append(scalar)
        continue
      }
      show(&text)
      control(scalar, &scalars)
    }
    show(&text)
  }

  // MARK: Text

  private mutating func show(_ text: inout String.UnicodeScalarView) {
    defer { text = String.UnicodeScalarView() }
    guard !text.isEmpty else { return }
    if insertsLetters || hasLineGraphics { faults.append("text in another mode") }
    switch counting {
    case .codePoints:
      for scalar in text { put(String(Character(scalar)), width: WidthTable.traits(of: scalar).width) }
    case .clusters:
      for glyph in Clusters.split(String(text), GlyphRules(.clusters)) { put(glyph.text, width: glyph.width) }
    }
  }

  private mutating func put(_ text: String, width count: Int) {
    if count == 0 { return append(text) }
    if isWrapPending || cursor.column + count > width {
      guard wraps else { return }
      faults.append("wrapped at \(text)")
      cursor = .init(column: 0, line: min(cursor.line + 1, height - 1))
      isWrapPending = false
    }
    guard count <= width else { return }
    let index = cursor.line * width + cursor.column
    for column in 0..<count { split(cursor.column + column) }
    for column in 0..<count { sixels[index + column] = nil }
    cells[index] = Cell(text: text, width: count, pen: pen)
    for further in 1..<max(1, count) { cells[index + further] = Cell(text: "", width: 0, pen: pen) }
    cursor.column += count
    guard cursor.column == width else { return }
    cursor.column = width - 1
    isWrapPending = wraps
  }

  /// What has no columns joins what stands on the left.
  private mutating func append(_ text: String) {
    var column = isWrapPending ? cursor.column : cursor.column - 1
    while column > 0, cells[cursor.line * width + column].width == 0 { column -= 1 }
    if column >= 0 { cells[cursor.line * width + column].text += text }
  }

  /// A wide cell that is written on in part leaves blanks.
  private mutating func split(_ column: Int) {
    let row = cursor.line * width
    var start = column
    while start > 0, cells[row + start].width == 0 { start -= 1 }
    let count = cells[row + start].width
    guard count > 1 else { return }
    for index in row + start..<row + start + count { cells[index] = Cell(pen: cells[index].pen) }
  }

  // MARK: Sequences

  private mutating func control(_ scalar: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView) {
    switch scalar {
    case "\u{F}": hasLineGraphics = false
    case "\u{1B}":
      switch rest.popFirst() {
      case "[": sequence(&rest)
      case "]": readTitle(&rest)
      case "P": readSixels(&rest)
      case "_": readImage(&rest)
      case "(" where rest.popFirst() == "B": hasLineGraphics = false
      default: faults.append("unknown escape")
      }
    default: faults.append("control \(scalar.value)")
    }
  }

  private mutating func readTitle(_ rest: inout Substring.UnicodeScalarView) {
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar != "\u{1B}" { text.append(scalar) }
    if rest.popFirst() != "\\" || !String(text).hasPrefix("2;") { faults.append("unknown string \(String(text))") }
    title = String(String(text).dropFirst(2))
  }

  private mutating func sequence(_ rest: inout Substring.UnicodeScalarView) {
    var parameters = ""
    while let scalar = rest.popFirst() {
      guard (0x40...0x7E).contains(scalar.value) else {
        parameters.unicodeScalars.append(scalar)
        continue
      }
      return perform(Character(scalar), parameters)
    }
    faults.append("cut sequence")
  }

  private mutating func perform(_ final: Character, _ parameters: String) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    switch (final, parameters) {
    case ("H", _): place(column: numbers[1] - 1, line: numbers[0] - 1)
    case ("G", _): place(column: numbers[0] - 1, line: cursor.line)
    case ("K", ""): erase(cursor.line * width + cursor.column..<(cursor.line + 1) * width)
    case ("J", "2"): erase(cells.indices)
    case ("m", _): if !pen.apply(parameters.isEmpty ? [0] : numbers) { faults.append("SGR \(parameters)") }
    case ("l", "4"): insertsLetters = false
    case ("r", ""): place(column: 0, line: 0)
    case ("h", "?7"), ("l", "?7"):
      wraps = final == "h"
      if !wraps { isWrapPending = false }
    case ("h", "?25"), ("l", "?25"): isCursorVisible = final == "h"
    case ("h", "?2026"), ("l", "?2026"): break
    default: faults.append("unknown sequence \(parameters)\(final)")
    }
  }

  private mutating func place(column: Int, line: Int) {
    if !(0..<width).contains(column) || !(0..<height).contains(line) { faults.append("outside: \(column), \(line)") }
    cursor = .init(column: min(max(0, column), width - 1), line: min(max(0, line), height - 1))
    isWrapPending = false
  }

  private mutating func erase(_ range: Range<Int>) {
    if let first = range.first { split(first % width) }
    let ground = counting == .codePoints ? EmulatedPen(background: pen.background) : EmulatedPen()
    for index in range { (cells[index], sixels[index]) = (Cell(pen: ground), nil) }
  }
}

/// Renditions of the emulator, as their SGR parameters.
struct EmulatedPen: Hashable {
  var attributes: Set<Int> = []
  var foreground: [Int] = [39]
  var background: [Int] = [49]

  init(codes: [Int] = []) { _ = apply(codes) }

  init(background: [Int]) { self.background = background }

  /// False if there is an unknown parameter.
  mutating func apply(_ codes: [Int]) -> Bool {
    var codes = codes[...]
    while let code = codes.popFirst() {
      switch code {
      case 0: self = EmulatedPen()
      case 1, 2, 3, 4, 7, 9: attributes.insert(code)
      case 30...37, 39, 90...97: foreground = [code]
      case 40...47, 49, 100...107: background = [code]
      case 38, 48:
        let count = codes.first == 5 ? 2 : 4
        if code == 38 { foreground = [38] + codes.prefix(count) } else { background = [48] + codes.prefix(count) }
        codes = codes.dropFirst(count)
      default: return false
      }
    }
    return true
  }
}
