import Bytes
import Drawings
import Testing

@Suite("Drawings on their way to a terminal")
struct DrawingCodecTests {
  private static let request = DrawingRequest(.trueColour, columns: 2, rows: 1)
  private static let cells = [
    DrawnCell("▀", foreground: 0xFF0000, background: nil), DrawnCell(" ", foreground: nil, background: 0),
  ]

  @Test("What is written reads the same")
  func roundTrip() throws {
    for style in DrawingRequest.Style.allCases {
      let request = DrawingRequest(style, columns: 3, rows: 4, cellWidth: 5, cellHeight: 6)
      #expect(try DrawingRequest(decoding: request.encoded) == request)
    }
    let drawing = Drawing(columns: 2, rows: 1, content: .cells(Self.cells))
    #expect(try Drawing(decoding: drawing.encoded, for: Self.request) == drawing)
    let graphics = Drawing(columns: 1, rows: 1, content: .graphics(Array("\u{1B}_Ga=T,f=32;AAAA\u{1B}\\".utf8)))
    #expect(try Drawing(decoding: graphics.encoded, for: DrawingRequest(.kitty, columns: 1, rows: 1)) == graphics)
  }

  @Test("Another size, another kind, or bytes that are cut are refused; letters become spaces")
  func hostile() throws {
    for drawing in [
      Drawing(columns: 3, rows: 1, content: .cells(Self.cells + Self.cells.prefix(1))),
      Drawing(columns: 1, rows: 1, content: .cells(Self.cells)), Drawing(columns: 0, rows: 0, content: .cells([])),
      Drawing(columns: 2, rows: 1, content: .graphics(Array("\u{1B}_G;\u{1B}\\".utf8))),
    ] { #expect(throws: FieldError.self) { try Drawing(decoding: drawing.encoded, for: Self.request) } }
    let letters = [DrawnCell("\u{1B}", foreground: 1, background: 2), DrawnCell("x", foreground: nil, background: nil)]
    let read = try Drawing(
      decoding: Drawing(columns: 2, rows: 1, content: .cells(letters)).encoded, for: Self.request)
    guard case .cells(let cells) = read.content else { throw FieldError.malformed }
    #expect(cells.map(\.scalar) == [" ", " "])
    let bytes = Drawing(columns: 2, rows: 1, content: .cells(Self.cells)).encoded
    for index in bytes.indices {
      #expect(throws: FieldError.self) { try Drawing(decoding: Array(bytes[..<index]), for: Self.request) }
    }
  }

  @Test("Graphics are one sequence of their protocol and nothing else")
  func graphics() {
    let kitty = "\u{1B}_Ga=T,f=32,m=1\u{1B}\\\u{1B}_Gm=0;AA+/=\u{1B}\\"
    let iTerm2 = "\u{1B}]1337;File=inline=1;width=3;height=2:AAAA\u{7}"
    let sixel = "\u{1B}P0;1;0q\"1;1;8;8#0;2;0;0;0~~$-\u{1B}\\"
    for (style, text) in [(.kitty, kitty), (.iTerm2, iTerm2), (.sixel, sixel)] as [(DrawingRequest.Style, String)] {
      #expect(GraphicsCheck.passes(Array(text.utf8), style))
      for evil in [
        text + "x", "x" + text, text + "\u{1B}[2J", String(text.dropLast()), "", "\u{1B}",
        text.replacing("A", with: "\u{1B}]0;x\u{7}").replacing("~", with: "\u{1B}[2J"),
        text.replacing("A", with: "\u{9B}").replacing("~", with: "\u{9B}"), text.replacing("=", with: "\n\u{8}"),
      ] where evil != text {
        #expect(!GraphicsCheck.passes(Array(evil.utf8), style), "\(style): \(evil.debugDescription)")
      }
      for other in DrawingRequest.Style.allCases where other != style {
        #expect(!GraphicsCheck.passes(Array(text.utf8), other))
      }
    }
    #expect(!GraphicsCheck.passes([UInt8](repeating: 0x41, count: GraphicsCheck.limit + 1), .kitty))
  }
}
