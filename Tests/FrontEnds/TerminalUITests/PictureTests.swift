import ConfabClient
import HelperProtocol
import Screen
import Testing

@testable import TerminalUI

@Suite("Pictures below their boxes")
struct PictureTests {
  private let ui: Harness

  init() {
    var capabilities = Capabilities(depth: .trueColour)
    capabilities.hasDarkBackground = true
    ui = Harness(capabilities: capabilities)
    open()
  }

  private func open() {
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    ui.press("Enter")
    let files = #""attachments":[{"url":"https://x/y","name":"cat.gif","type":"image/gif","size":900}]"#
    ui.answerHistory([
      Harness.message(1, "look", opens: true).replacing(#""opens_section""#, with: files + #","opens_section""#)
    ])
  }

  private static let picture: Drawing = {
    let cell = DrawnCell("▀", foreground: 0xFF0000, background: 0x0000FF)
    return Drawing(columns: 4, rows: 3, content: .cells(Array(repeating: cell, count: 12)))
  }()

  /// What is to be drawn, once it is asked for by keys and the daemon has it.
  private func asked() throws -> (file: WantedFile, request: DrawingRequest, key: ConversationKey) {
    ui.press("Alt-Up", "Enter", "Enter")
    ui.answer(ui.take("fetch"), final: #""ok":true,"type":"image/gif","size":900"#)
    guard case .draw(let file, let request, let key)? = ui.actions.last else { throw Missing() }
    return (file, request, key)
  }

  private struct Missing: Error {}

  private var pictureRows: [String] { ui.screen.filter { $0.contains("▀▀▀▀") } }

  @Test("a picture is fetched and drawn by a key, and stands in the bubble in its own colours until it is hidden")
  func shown() throws {
    let (file, request, key) = try asked()
    #expect(request.style == .trueColour && request.columns == 68 && request.rows >= 3)
    #expect(pictureRows.isEmpty)
    ui.handle(.drawn(Self.picture, file, request, key))
    #expect(pictureRows.count == 3)
    let frame = ui.app.frame()
    let cell = try #require((0..<frame.height).flatMap { frame.cells(line: $0) }.first { $0.text == "▀" })
    #expect(cell.style.foreground == .rgb(255, 0, 0) && cell.style.background == .rgb(0, 0, 255))
    ui.press("Enter")
    #expect(ui.shows("Hide it"))
    ui.press("Enter")
    #expect(pictureRows.isEmpty && ui.shows("cat.gif"))
  }

  @Test("a picture is of the width that it was drawn for: in another one its box stands alone")
  func width() throws {
    let (file, request, key) = try asked()
    ui.handle(.drawn(Self.picture, file, request, key))
    ui.handle(.resized(columns: 70, lines: 24))
    #expect(pictureRows.isEmpty && ui.shows("cat.gif"))
    ui.handle(.resized(columns: 80, lines: 24))
    #expect(pictureRows.count == 3)
    #expect(ui.take("fetch") == nil)
  }

  @Test("what cannot be drawn stays a box, with a sentence")
  func failed() throws {
    let (file, request, key) = try asked()
    ui.handle(.drawn(nil, file, request, key))
    #expect(ui.shows("cat.gif cannot be drawn: it is no picture"))
    #expect(ui.shows("│ cat.gif") && pictureRows.isEmpty)
    ui.handle(.capabilities(Capabilities(depth: .none)))
    ui.press("Enter", "Enter")
    ui.answer(ui.take("fetch"), final: #""ok":true,"type":"image/gif","size":900"#)
    #expect(ui.shows("cannot be drawn in this terminal"))
  }

  @Test("the cache keeps the newest pictures")
  func newest() {
    var cache = PictureCache()
    let cell = Capabilities.CellSize(width: 8, height: 16)
    let canvas = PictureCanvas(style: .colours256, columns: 60, cell: cell)
    for id in 1...30 { cache.add(Self.picture, at: .init(message: UInt64(id), index: 0, canvas: canvas)) }
    #expect(cache.pictures(of: 1, on: canvas).isEmpty && cache.pictures(of: 30, on: canvas).count == 1)
    let other = PictureCanvas(style: .colours256, columns: 61, cell: cell)
    #expect(cache.pictures(of: 30, on: other).isEmpty)
  }

  @Test("a terminal with graphics gets strips, blank cells below them, until the picture is hidden")
  func strips() throws {
    var capabilities = Capabilities(depth: .trueColour)
    (capabilities.graphics, capabilities.cellSize) = (.sixel, Capabilities.CellSize(width: 9, height: 19))
    ui.handle(.capabilities(capabilities))
    let (file, request, key) = try asked()
    #expect(request == DrawingRequest(.sixel, columns: 68, rows: request.rows, cellWidth: 9, cellHeight: 19))
    let strips = Array(repeating: Array("\u{1B}Pq~\u{1B}\\".utf8), count: 3)
    ui.handle(.drawn(Drawing(columns: 4, rows: 3, content: .strips(strips)), file, request, key))
    let frame = ui.app.frame()
    let cells = (0..<frame.height).flatMap { frame.cells(line: $0) }.filter { $0.strip > 0 }
    #expect(Set(cells.map(\.strip)).count == 3 && cells.count == 12 && cells.allSatisfy { $0.text == " " })
    capabilities.cellSize = Capabilities.CellSize(width: 10, height: 20)
    ui.handle(.capabilities(capabilities))
    let other = ui.app.frame()
    #expect((0..<other.height).flatMap { other.cells(line: $0) }.allSatisfy { $0.strip == 0 })
  }

  @Test(
    "pictures are drawn as the setting says, else as the terminal can",
    arguments: [
      (.auto, nil, .trueColour), (.auto, .kitty, .kitty), (.auto, .iTerm2, .iTerm2), (.auto, .sixel, .trueColour),
      (.blocks, .kitty, .trueColour), (.none, .kitty, nil), (.sixel, nil, .sixel), (.kitty, .sixel, .kitty),
      (.iterm2, nil, .iTerm2),
    ] as [(UISettings.Pictures, Capabilities.Graphics?, DrawingRequest.Style?)])
  func styles(setting: UISettings.Pictures, graphics: Capabilities.Graphics?, style: DrawingRequest.Style?) {
    var capabilities = Capabilities(depth: .trueColour)
    capabilities.graphics = graphics
    #expect(PictureForm(setting, capabilities)?.style == style)
    if let style, style.isGraphics { #expect(setting.applied(to: capabilities).graphics != nil) }
  }
}
