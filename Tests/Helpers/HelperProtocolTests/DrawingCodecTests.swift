import Bytes
import HelperProtocol
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
    let strips = Drawing(columns: 1, rows: 2, content: .strips([Array(Self.sixel.utf8), Array(Self.sixel.utf8)]))
    let request = DrawingRequest(.sixel, columns: 1, rows: 2)
    #expect(try Drawing(decoding: strips.encoded, for: request) == strips)
    let tooFew = Drawing(columns: 1, rows: 2, content: .strips([Array(Self.sixel.utf8)]))
    #expect(throws: FieldError.self) { try Drawing(decoding: tooFew.encoded, for: request) }
  }

  @Test("Another size, another kind, or bytes that are cut are refused; letters become spaces")
  func hostile() throws {
    for drawing in [
      Drawing(columns: 3, rows: 1, content: .cells(Self.cells + Self.cells.prefix(1))),
      Drawing(columns: 1, rows: 1, content: .cells(Self.cells)), Drawing(columns: 0, rows: 0, content: .cells([])),
      Drawing(columns: 2, rows: 1, content: .strips([Array("\u{1B}_G;\u{1B}\\".utf8)])),
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

  /// Of one cell of 8 by 16 pixels.
  private static let kitty =
    "\u{1B}_Ga=T,f=32,s=8,v=16,c=1,r=1,m=1\u{1B}\\\u{1B}_Gm=1;AA+/=\u{1B}\\\u{1B}_Gm=0\u{1B}\\"
  private static let iTerm2 = "\u{1B}]1337;File=inline=1;width=1;height=1;preserveAspectRatio=0:AAAA\u{7}"
  private static let sixel = "\u{1B}P0;1;0q\"1;1;8;16#0;2;0;0;0!8~$-~~-~~-\u{1B}\\"

  private func passes(_ text: String, _ style: DrawingRequest.Style) -> Bool {
    GraphicsCheck(DrawingRequest(style, columns: 1, rows: 1), columns: 1).passes(Array(text.utf8))
  }

  @Test("Graphics are one sequence of their protocol and nothing else")
  func graphics() {
    for (style, text) in [(.kitty, Self.kitty), (.iTerm2, Self.iTerm2), (.sixel, Self.sixel)]
      as [(DrawingRequest.Style, String)]
    {
      #expect(passes(text, style))
      for evil in [
        text + "x", "x" + text, text + "\u{1B}[2J", String(text.dropLast()), "", "\u{1B}", text + text,
        text.replacing("A", with: "\u{1B}]0;x\u{7}").replacing("~", with: "\u{1B}[2J"),
        text.replacing("A", with: "\u{9B}").replacing("~", with: "\u{9B}"), text.replacing("1", with: "\n\u{8}"),
      ] where evil != text {
        #expect(!passes(evil, style), "\(style): \(evil.debugDescription)")
      }
      for other in DrawingRequest.Style.allCases where other != style { #expect(!passes(text, other)) }
    }
    #expect(!passes(String(repeating: "A", count: GraphicsCheck.limit + 1), .kitty))
  }

  @Test("Graphics read no files, keep none, ask for nothing and stay in their cells")
  func sideEffects() {
    #expect(!passes(Self.kitty.replacing("f=32", with: "f=32,t=f"), .kitty))
    #expect(!passes(Self.kitty.replacing("a=T", with: "a=q"), .kitty))
    #expect(!passes(Self.kitty.replacing("c=1", with: "c=90"), .kitty))
    #expect(!passes(Self.kitty.replacing("m=1;", with: "m=1,t=t;"), .kitty))
    #expect(!passes(Self.iTerm2.replacing("inline=1", with: "inline=0"), .iTerm2))
    #expect(!passes(Self.iTerm2.replacing("width=1", with: "inline=0;width=1"), .iTerm2))
    #expect(!passes(Self.iTerm2.replacing("height=1", with: "height=50"), .iTerm2))
    #expect(!passes("\u{1B}P$qm\u{1B}\\", .sixel) && !passes("\u{1B}P+q544e\u{1B}\\", .sixel))
    #expect(!passes(Self.sixel.replacing("!8~", with: "!9~"), .sixel))
    #expect(!passes(Self.sixel.replacing("!8~", with: "!99999999999999999999~"), .sixel))
    #expect(!passes(Self.sixel.replacing("-~~-", with: "-~~--"), .sixel))
    #expect(!passes(Self.sixel.replacing("-~~-~~-", with: "-~~-~~-~"), .sixel))
  }
}
