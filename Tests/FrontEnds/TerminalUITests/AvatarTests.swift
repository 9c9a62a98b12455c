import ConfabClient
import HelperProtocol
import JSON
import Testing

@testable import Screen
@testable import TerminalUI

@Suite("Avatars beside names")
struct AvatarTests {
  private static let bob = Harness.conversation("bob@example.org", name: "Bob")
  private static let carol = Harness.conversation("carol@example.org", name: "Carol")

  private static func colours() -> Capabilities {
    var capabilities = Capabilities(depth: .trueColour)
    capabilities.hasDarkBackground = true
    return capabilities
  }

  private func opened(_ capabilities: Capabilities = colours(), _ settings: UISettings = UISettings()) -> Harness {
    let ui = Harness(settings: settings, capabilities: capabilities)
    ui.connect(conversations: [Self.bob, Self.carol])
    ui.press("Enter")
    ui.answerHistory([
      Harness.message(1, "hello", minutes: -90, opens: true), Harness.message(2, "me", mine: true, minutes: -80),
      Harness.message(3, "again", minutes: -70),
    ])
    return ui
  }

  private static let known = #""ok":true,"type":"image/png","size":9,"width":64,"height":64,"hash":"abc""#

  private static func drawing(_ columns: Int = 4, _ rows: Int = 2) -> Drawing {
    let cell = DrawnCell("▀", foreground: 0xFF0000, background: 0x0000FF)
    return Drawing(columns: columns, rows: rows, content: .cells(Array(repeating: cell, count: columns * rows)))
  }

  /// The drawing that was asked for since the last look.
  private func asked(_ ui: Harness) -> DrawingRequest? {
    guard case .drawAvatar(hash: "abc", let request)? = ui.actions.last else { return nil }
    return request
  }

  private func isInitials(_ line: String) -> Bool { line.hasPrefix("  BO  Bob") }

  @Test("an avatar that the daemon has takes the place of the initials, and moves no row")
  func drawn() throws {
    let ui = opened()
    let request = ui.take("avatar")
    #expect(request?["jid"]?.string == "bob@example.org" && request?["fetch"] == nil)
    let before = ui.screen
    let names = before.indices.filter { isInitials(before[$0]) }
    #expect(names.count == 2 && names.allSatisfy { before[$0 - 1] == "" }, "the row above is there with initials")
    ui.answer(request, final: Self.known)
    let drawing = try #require(asked(ui))
    #expect(drawing == DrawingRequest(.trueColour, columns: 4, rows: 2))
    #expect(ui.screen == before)
    ui.handle(.drewAvatar(Self.drawing(), hash: "abc", drawing))
    let after = ui.screen
    for index in before.indices {
      switch index {
      case _ where names.contains(index): #expect(after[index] == " ▀▀▀▀ Bob")
      case _ where names.contains(index + 1): #expect(after[index] == " ▀▀▀▀")
      default: #expect(after[index] == before[index])
      }
    }
    let frame = ui.app.frame()
    let cell = try #require(frame.cells(line: names[0]).first { $0.text == "▀" })
    #expect(cell.style.foreground == .rgb(255, 0, 0) && cell.style.background == .rgb(0, 0, 255))
  }

  @Test("a picture that is no square stands in the middle, a single row beside the name")
  func shapes() throws {
    for (columns, rows, above, beside) in [
      (2, 2, "  ▀▀", "  ▀▀  Bob"), (4, 1, "", " ▀▀▀▀ Bob"), (3, 1, "", " ▀▀▀  Bob"),
    ] {
      let ui = opened()
      ui.answer(ui.take("avatar"), final: Self.known)
      ui.handle(.drewAvatar(Self.drawing(columns, rows), hash: "abc", try #require(asked(ui))))
      let line = try #require(ui.screen.firstIndex { $0.hasSuffix("Bob") })
      #expect(ui.screen[line] == beside && ui.screen[line - 1] == above)
    }
  }

  @Test(
    "the daemon is asked once while a conversation is on the screen, then when it is opened again or the link is new")
  func once() throws {
    let ui = opened()
    ui.answer(ui.take("avatar"), final: Self.known)
    ui.handle(.drewAvatar(Self.drawing(), hash: "abc", try #require(asked(ui))))
    ui.press("Alt-Up", "PageUp", "PageDown")
    #expect(ui.take("avatar") == nil)
    ui.press("Esc", "Esc", "Down", "Enter")
    #expect(ui.take("avatar")?["jid"]?.string == "carol@example.org")
    ui.press("Esc", "Up", "Enter")
    let again = ui.take("avatar")
    #expect(again?["jid"]?.string == "bob@example.org")
    ui.answerHistory([Harness.message(1, "hello", opens: true)])
    #expect(ui.shows("▀▀▀▀ Bob"), "what was drawn stays")
    let count = ui.actions.count
    ui.answer(again, final: Self.known)
    #expect(ui.actions.count == count, "and is not drawn again")
    ui.handle(.disconnected("cut"))
    ui.connect(conversations: [Self.bob, Self.carol])
    #expect(ui.takeAll("avatar").count == 1)
  }

  @Test(
    "initials stay where no avatar is here, it cannot be drawn, or the daemon is older; they come back when it is gone")
  func initials() throws {
    for answer in [
      #""ok":false,"error":"not-found","reason":"none""#, #""ok":false,"error":"bad-argument","argument":"fetch""#,
    ] {
      let ui = opened()
      let before = ui.screen
      ui.answer(ui.take("avatar"), final: answer)
      #expect(ui.screen == before && ui.actions.isEmpty)
    }
    let ui = opened()
    ui.answer(ui.take("avatar"), final: Self.known)
    ui.handle(.drewAvatar(nil, hash: "abc", try #require(asked(ui))))
    #expect(ui.screen.contains(where: isInitials))
    let other = opened()
    other.answer(other.take("avatar"), final: Self.known)
    other.handle(.drewAvatar(Self.drawing(), hash: "abc", try #require(asked(other))))
    other.handle(.disconnected("cut"))
    other.connect(conversations: [Self.bob, Self.carol])
    #expect(!other.screen.contains(where: isInitials))
    other.answer(other.take("avatar"), final: #""ok":false,"error":"not-found","reason":"none""#)
    #expect(other.screen.contains(where: isInitials))
  }

  @Test("nothing is asked for where nothing can be drawn, or is to be, and no row is kept free")
  func off() {
    var settings = Array(repeating: UISettings(), count: 3)
    (settings[0].pictures, settings[1].colours, settings[2].hasBubbles) = (.none, .none, false)
    let all =
      settings.map { opened(Self.colours(), $0) } + [opened(Capabilities(depth: .none)), opened(Capabilities())]
    for ui in all {
      #expect(ui.take("avatar") == nil)
      ui.press("Alt-Up")
      #expect(ui.take("avatar") == nil)
    }
    let rows = all[0].screen
    let rule = rows.firstIndex { $0.contains("Today") } ?? 0
    #expect(isInitials(rows[rule + 1]))
  }

  @Test("other colours, or cells of another size, are another canvas: the avatar is asked for again")
  func canvas() throws {
    let ui = opened()
    ui.answer(ui.take("avatar"), final: Self.known)
    let first = try #require(asked(ui))
    ui.handle(.capabilities(Capabilities(depth: .palette)))
    ui.handle(.drewAvatar(Self.drawing(), hash: "abc", first))
    #expect(!ui.shows("▀"), "drawn for the other canvas")
    ui.answer(ui.take("avatar"), final: Self.known)
    #expect(asked(ui) == DrawingRequest(.colours256, columns: 4, rows: 2))
  }

  @Test("a terminal with graphics gets two strips, wherever the same avatar stands")
  func strips() throws {
    var capabilities = Self.colours()
    (capabilities.graphics, capabilities.cellSize) = (.kitty, Capabilities.CellSize(width: 10, height: 20))
    let ui = opened(capabilities)
    ui.answer(ui.take("avatar"), final: Self.known)
    let request = try #require(asked(ui))
    #expect(request == DrawingRequest(.kitty, columns: 4, rows: 2, cellWidth: 10, cellHeight: 20))
    let strips = Drawing(columns: 4, rows: 2, content: .strips(Array(repeating: [0x1B], count: 2)))
    ui.handle(.drewAvatar(strips, hash: "abc", request))
    let frame = ui.app.frame()
    let cells = (0..<frame.height).flatMap { frame.cells(line: $0) }.filter { $0.strip > 0 }
    #expect(cells.count == 16 && Set(cells.map(\.strip)).count == 2)
  }

  @Test("no server is asked for the avatar of a stranger whose conversation is open")
  func stranger() {
    let ui = Harness(capabilities: Self.colours())
    let stranger = Harness.conversation("eve@example.org").replacing(#""draft""#, with: #""known":false,"draft""#)
    ui.connect(conversations: [Self.bob], strangers: [stranger])
    ui.press("Down", "Enter", "Down", "Enter")
    #expect(ui.take("avatar")?["fetch"]?.string == "no")
  }

  @Test("a person gets an avatar that is not here by the menu of the contact; a failure is a sentence then")
  func fetching() throws {
    let ui = Harness(capabilities: Self.colours())
    ui.connect(
      conversations: [Self.bob],
      contacts: [#"{"jid":"bob@example.org","name":"Bob","groups":[],"subscription":"both"}"#])
    ui.press("F5", "Down", "Tab", "Down", "Down", "Enter")
    let request = ui.take("avatar")
    #expect(request?["jid"]?.string == "bob@example.org" && request?["fetch"] == nil)
    #expect(ui.shows("Fetching the avatar of Bob"))
    ui.answer(request, final: #""ok":false,"error":"not-found","reason":"bob has none""#)
    #expect(ui.shows("The avatar of bob@example.org was not fetched: bob has none"))
    ui.press("F5", "Down", "Tab", "Down", "Down", "Enter")
    ui.answer(ui.take("avatar"), final: Self.known)
    #expect(asked(ui) != nil)
  }

  @Test("the newest avatars are kept, and no strip of the others")
  func bound() {
    var cache = PictureCache()
    let cell = Capabilities.CellSize(width: 8, height: 16)
    let canvas = PictureCanvas(style: .sixel, columns: 4, rows: 2, cell: cell)
    let drawing = Drawing(columns: 4, rows: 2, content: .strips([[1], [2]]))
    for number in 1...60 {
      let key = ConversationKey(account: "", jid: "user\(number)@example.org")
      #expect(cache.avatars.show([key], on: canvas) == [key])
      cache.avatars.note("\(number)", of: key)
      cache.addAvatar(drawing, "\(number)", on: canvas)
      #expect(cache.avatars.picture(of: key, on: canvas) != nil)
    }
    #expect(!cache.avatars.isDrawn("1", on: canvas) && cache.avatars.isDrawn("60", on: canvas))
    #expect(cache.strips.strips.count == 100)
  }
}
