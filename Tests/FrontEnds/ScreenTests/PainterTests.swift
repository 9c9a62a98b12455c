@testable import Screen
import Testing

@Suite("The painter")
struct PainterTests {
  @Test(
    "painting from frame to frame shows what one fresh painting shows, whatever the terminal counts",
    arguments: TerminalEmulator.Counting.allCases, 0..<24)
  func randomPrograms(counting: TerminalEmulator.Counting, seed: Int) {
    var program = FrameProgram(seed: UInt64(seed), counting)
    for step in 0..<30 {
      program.step()
      let fault = program.fault
      #expect(fault == nil, "seed \(seed), step \(step)")
      if fault != nil { return }
    }
  }

  @Test("a forced painting heals a screen that another program wrote to", arguments: TerminalEmulator.Counting.allCases)
  func healing(counting: TerminalEmulator.Counting) {
    for seed in UInt64(0)..<20 {
      var program = FrameProgram(seed: seed, counting)
      for _ in 0..<5 { program.step() }
      program.heal()
      #expect(program.fault == nil, "seed \(seed)")
    }
  }

  @Test("columns that a cluster takes beyond its room are blank when the cluster is gone")
  func overflow() {
    var painter = Painter()
    var terminal = TerminalEmulator(.codePoints, width: 9, height: 1)
    var frame = Frame(width: 9, height: 1)
    for text in ["👍🏽      │", "a       │"] {
      frame.draw(StyledLine(Clusters.split(text, GlyphRules(.clusters))), column: 0, line: 0)
      terminal.receive(painter.paint(frame, Capabilities()))
    }
    #expect(terminal.cells.map(\.text).joined() == "a       │")
  }

  @Test("a typed letter costs few bytes", arguments: [Capabilities.Depth.none, .eight, .palette, .trueColour])
  func typedLetter(depth: Capabilities.Depth) {
    var capabilities = Capabilities(depth: depth)
    capabilities.hasSynchronisedOutput = true
    var frame = Frame(width: 200, height: 60)
    frame.fill(column: 0, line: 0, width: 200, height: 60, Style(.rgb(1, 2, 3), on: .rgb(200, 100, 50), .bold))
    var painter = Painter()
    _ = painter.paint(frame, capabilities)
    frame.draw(StyledLine(["x"], Style(.rgb(250, 20, 30), on: .rgb(0, 100, 50))), column: 100, line: 58)
    frame.cursor = .init(column: 101, line: 58)
    #expect(painter.paint(frame, capabilities).count < 200)
    frame.cursor = .init(column: 100, line: 58)
    #expect(painter.paint(frame, capabilities).count < 12)
  }

  @Test("NO_COLOR keeps bold, underline and reverse")
  func noColours() {
    let style = Style(.indexed(1), on: .rgb(1, 2, 3), [.bold, .underline, .reverse])
    let cell = Self.shown(StyledLine(["x"], style), Capabilities(depth: .none))
    #expect(cell.pen == EmulatedPen(codes: [1, 4, 7]))
  }

  @Test(
    "a colour becomes the nearest that the terminal has",
    arguments: [
      (Colour.rgb(250, 10, 10), Capabilities.Depth.eight, [31]), (.rgb(250, 10, 10), .sixteen, [91]),
      (.rgb(250, 10, 10), .palette, [38, 5, 196]), (.rgb(250, 10, 10), .trueColour, [38, 2, 250, 10, 10]),
      (.rgb(100, 100, 101), .palette, [38, 5, 241]), (.rgb(255, 255, 255), .palette, [38, 5, 231]),
      (.rgb(10, 10, 10), .eight, [30]), (.indexed(9), .eight, [31]), (.indexed(9), .sixteen, [91]),
      (.indexed(9), .trueColour, [91]), (.indexed(196), .sixteen, [91]), (.indexed(255), .sixteen, [37]),
      (.indexed(100), .palette, [38, 5, 100]),
    ])
  func colours(colour: Colour, depth: Capabilities.Depth, codes: [Int]) {
    let cell = Self.shown(StyledLine(["x"], Style(colour)), Capabilities(depth: depth))
    #expect(cell.pen == EmulatedPen(codes: codes))
  }

  @Test("a terminal without UTF-8 gets ASCII")
  func asciiOnly() {
    let line = StyledLine(Clusters.split("é─│╭中…a"))
    let bytes = Self.painted(line, Capabilities(isUTF8: false))
    #expect(bytes.allSatisfy { $0 < 0x80 })
    var terminal = TerminalEmulator(.codePoints, width: line.width, height: 1)
    terminal.receive(bytes)
    #expect(terminal.cells.map(\.text).joined() == "?-|+? .a")
  }

  @Test("kitty is sent pictures before the frame that it shows at once, and once")
  func pictures() {
    var capabilities = Capabilities(depth: .trueColour)
    (capabilities.graphics, capabilities.hasSynchronisedOutput) = (.kitty, true)
    var (painter, strips, frame) = (Painter(), PictureStrips(), Frame(width: 9, height: 2))
    let data = String(repeating: "A", count: 4096)
    let line = strips.add(
      Array("\u{1B}_Ga=T,f=32,m=1\u{1B}\\\u{1B}_Gm=1;\(data)\u{1B}\\\u{1B}_Gm=0\u{1B}\\".utf8), columns: 4)
    frame.strips = strips
    frame.draw(line, column: 2, line: 1)
    let parts = String(decoding: painter.paint(frame, capabilities), as: UTF8.self)
      .split(separator: TerminalMode.synchronisedOutput.set)
    #expect(parts.count == 2 && parts[0].contains("\u{1B}_Ga=t,i=1,q=2,f=32,m=1\u{1B}\\\u{1B}_Gm=1;\(data)"))
    #expect(parts[1].contains("\u{1B}_Ga=p,i=1,p=2,c=4,r=1,C=1,q=2\u{1B}\\") && !parts[1].contains("AAAA"))
    frame.draw(line, column: 3, line: 0)
    #expect(!String(decoding: painter.paint(frame, capabilities), as: UTF8.self).contains("AAAA"))
  }

  @Test("a title cannot end its sequence")
  func title() {
    var frame = Frame(width: 1, height: 1)
    frame.title = "a\u{1B}\\b\u{7}\u{9C}c\n"
    var painter = Painter()
    var terminal = TerminalEmulator(.clusters, width: 1, height: 1)
    terminal.receive(painter.paint(frame, Capabilities()))
    #expect(terminal.title == "a\u{FFFD}\\b\u{FFFD}\u{FFFD}c↵")
    #expect(terminal.faults.isEmpty)
  }

  private static func painted(_ line: StyledLine, _ capabilities: Capabilities) -> [UInt8] {
    var frame = Frame(width: line.width, height: 1)
    frame.draw(line, column: 0, line: 0)
    var painter = Painter()
    return painter.paint(frame, capabilities)
  }

  private static func shown(_ line: StyledLine, _ capabilities: Capabilities) -> TerminalEmulator.Cell {
    var terminal = TerminalEmulator(.clusters, width: line.width, height: 1)
    terminal.receive(painted(line, capabilities))
    return terminal.cells[0]
  }
}
