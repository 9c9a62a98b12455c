import Clocks
import ConfabClient
import HelperProtocol
import JSON
import Screen
import Testing

@testable import TerminalUI

@Suite("Pictures on the whole screen, and beside each other")
struct PictureViewerTests {
  private let ui: Harness

  init() {
    var capabilities = Capabilities(depth: .trueColour)
    capabilities.hasDarkBackground = true
    ui = Harness(capabilities: capabilities)
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    ui.press("Enter")
    ui.answerHistory([Self.message(1, ["a"]), Self.message(2, ["b", "c", "d"]), Harness.message(3, "words")])
  }

  private static func message(_ id: UInt64, _ names: [String]) -> String {
    let files = names.map { #"{"url":"https://x/\#($0)","name":"\#($0).png","type":"image/png","size":900}"# }
    let all = #""attachments":[\#(files.joined(separator: ","))],"opens_section""#
    return Harness.message(id, "look", opens: id == 1).replacing(#""opens_section""#, with: all)
  }

  /// Answers what was asked for with a picture of the letter; the requests.
  @discardableResult
  private func draw(_ text: Unicode.Scalar = "▀", columns: Int = 4) -> [DrawingRequest] {
    for fetch in ui.takeAll("fetch") { ui.answer(fetch, final: #""ok":true,"type":"image/png","size":900"#) }
    let cells = Array(repeating: DrawnCell(text, foreground: 1, background: 2), count: columns * 2)
    let asked = ui.actions.compactMap { action -> (WantedFile, DrawingRequest, ConversationKey)? in
      if case .draw(let file, let request, let key) = action { (file, request, key) } else { nil }
    }
    for (file, request, key) in asked {
      ui.handle(.drawn(Drawing(columns: columns, rows: 2, content: .cells(cells)), file, request, key))
    }
    return asked.map(\.1)
  }

  @Test("the viewer asks for the picture that it shows and no other, and turns as far as there are pictures")
  func turning() {
    ui.press("Alt-Up", "Alt-Up", "C-x i")
    #expect(ui.takeAll("fetch").map { $0["index"]?.integer } == [0])
    #expect(ui.shows("2 of 4  b.png"))
    ui.type("p")
    #expect(ui.shows("1 of 4  a.png") && ui.take("fetch")?["id"]?.integer == 1)
    ui.type("p")
    #expect(ui.take("fetch") == nil && ui.shows("1 of 4"))
    ui.press("Right", "Right", "Right", "Right")
    #expect(ui.shows("4 of 4  d.png") && ui.takeAll("fetch").map { $0["index"]?.integer } == [1, 2])
    ui.handle(.disconnected("cut"))
    ui.connect()
    #expect(ui.take("fetch")?["index"]?.integer == 2)
    ui.press("Esc")
    #expect(ui.shows("words"))
  }

  @Test("the picture has all of the screen but the status line, and is asked for again in another size")
  func size() {
    ui.type("/view")
    ui.press("Enter")
    let requests = draw()
    #expect(requests == [DrawingRequest(.trueColour, columns: 80, rows: 23)])
    #expect(ui.screen.filter { $0.contains("▀▀▀▀") }.count == 2 && !ui.shows("words"))
    ui.handle(.resized(columns: 60, lines: 20))
    #expect(ui.take("fetch") != nil && !ui.shows("▀▀▀▀"))
  }

  @Test("the line below says how far the picture is, and why it could not be had")
  func progress() {
    ui.press("C-x i")
    let fetch = ui.take("fetch")
    let place = fetch.map { #""id":\#($0["id"]?.integer ?? 0),"index":\#($0["index"]?.integer ?? 0)"# } ?? ""
    ui.line(#"{"event":"transfer","conversation":"bob@example.org",\#(place),"done":5,"total":10}"#)
    #expect(ui.screen.last?.contains(": Fetching 50 % of 10 bytes") == true)
    ui.answer(fetch, final: #""ok":false,"error":"failed","reason":"404""#)
    ui.wait(.seconds(10))
    #expect(ui.screen.last?.contains(": Not fetched: 404") == true)
  }

  @Test("x stops fetching the picture")
  func stopping() {
    ui.press("C-x i")
    #expect(ui.screen.last?.contains("x stop") == true)
    ui.type("x")
    #expect(ui.takeAll("fetch-stop").count == 1)
    ui.wait(.seconds(10))
    #expect(ui.screen.last?.contains("PNG, 900 bytes") == true && !ui.shows("x stop"))
    ui.type("x")
    #expect(ui.take("fetch-stop") == nil)
  }

  @Test("s saves the picture, Enter offers more, and a retracted one is not shown any longer")
  func doing() {
    ui.press("C-x i")
    ui.type("s")
    #expect(ui.shows("Save b.png as"))
    ui.press("Esc", "Enter")
    #expect(ui.shows("Copy its address"))
    ui.press("Esc")
    ui.forgetRequests()
    ui.type("o")
    #expect(ui.take("fetch") != nil && ui.shows("Fetching b.png"))
    let gone = Harness.message(2, "").replacing(
      #""text""#, with: #""retracted":{"time":"2026-11-20T10:00:00Z"},"text""#)
    ui.line(#"{"event":"retract","seq":20,"conversation":"bob@example.org","id":2,"message":\#(gone)}"#)
    #expect(!ui.shows("of 4"))
  }

  @Test("a key that opens a pop-up closes the one over the viewer and no more; others leave it open")
  func popups() {
    ui.press("C-x i", "Enter", "Ctrl-L")
    #expect(ui.shows("Copy its address") && ui.actions.contains(.repaint))
    ui.press("F2")
    #expect(!ui.shows("Copy its address") && !ui.shows("Open a conversation") && ui.shows("2 of 4  b.png"))
    ui.press("F2")
    #expect(!ui.shows("Open a conversation"))
    ui.press("Esc", "F2")
    #expect(ui.shows("Open a conversation"))
  }

  @Test("Enter offers more over the copy view as well, and opens nothing")
  func copyView() {
    ui.press("Alt-Y", "C-x i")
    #expect(ui.shows("2 of 4  b.png"))
    ui.forgetRequests()
    ui.press("Enter")
    #expect(ui.shows("Copy its address") && ui.take("fetch") == nil)
  }

  @Test("the picture at the cursor of the list of files is drawn beside it, one at a time")
  func preview() throws {
    ui.press("C-x t")
    let names = ["a.png", "b.JPG", "c.txt"]
    ui.handle(
      .folder(FolderListing(path: "~", entries: names.map { .init(name: $0, isFolder: false, size: 5) })))
    #expect(previews.isEmpty)
    ui.press("Down", "Down")
    #expect(previews.map(\.path) == ["~/a.png"] && previews[0].request.columns == 26)
    let cells = Array(repeating: DrawnCell("▄", foreground: 1, background: 2), count: 8)
    let drawing = Drawing(columns: 4, rows: 2, content: .cells(cells))
    ui.handle(.previewed(drawing, path: "~/a.png", previews[0].request))
    #expect(previews.map(\.path) == ["~/a.png", "~/b.JPG"] && !ui.shows("▄▄▄▄"))
    ui.handle(.previewed(drawing, path: "~/b.JPG", previews[1].request))
    #expect(ui.screen.filter { $0.contains("▄▄▄▄") }.count == 2)
    ui.press("Down")
    #expect(!ui.shows("▄▄▄▄") && previews.count == 2)
  }

  private var previews: [(path: String, request: DrawingRequest)] {
    ui.actions.compactMap { if case .preview(let path, let request) = $0 { (path, request) } else { nil } }
  }

  @Test("three pictures of a message stand in two columns, each as wide as half of the bubble")
  func grid() throws {
    ui.press("Alt-Up", "Alt-Up", "Enter", "Enter", "Down", "Enter")
    let requests = draw()
    #expect(requests.map(\.columns) == [33, 33, 33])
    let rows = ui.screen.filter { $0.contains("▀▀▀▀") }
    #expect(rows.count == 4 && rows[0].contains("▀▀▀▀" + String(repeating: " ", count: 30) + "▀▀▀▀"))
    #expect(!rows[2].contains("▀ "))
    let frame = ui.app.frame()
    let cells = (0..<frame.height).map(frame.cells(line:)).first { row in row.contains { $0.text == "▀" } } ?? []
    let place = try #require(cells.firstIndex { $0.text == "▀" })
    #expect(cells[place + 4].style == cells[place - 1].style && cells[place + 4].style != .plain)
  }

  @Test(
    "pictures stand in as many rows as columns, and below each other where there is no room",
    arguments: [
      (1, 80, 1, 1), (2, 80, 2, 1), (4, 80, 2, 2), (5, 80, 3, 2), (9, 80, 3, 3), (9, 24, 1, 9), (9, 25, 2, 5),
    ])
  func grids(count: Int, width: Int, columns: Int, rows: Int) {
    let grid = PictureGrid(count: count, width: width)
    #expect(grid.columns == columns && grid.rows == rows)
    #expect(grid.width * columns + columns - 1 <= width)
  }
}
