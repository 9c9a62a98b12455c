import JSON
import Screen
import Testing

@testable import TerminalUI

@Suite("The emoticon keyboard")
struct EmoticonKeyboardTests {
  private static let rocket = Harness.emoticon(":rocket:", "🚀", "rocket")

  private func opened(recent: [String] = [], columns: Int = 80, lines: Int = 24) -> Harness {
    let ui = Harness.opened(columns: columns, lines: lines)
    ui.answerHistory(Harness.two)
    ui.press("Alt-E")
    ui.answerEmoticons(recent: recent)
    return ui
  }

  private func input(_ ui: Harness) -> String {
    ui.app.screen.focused.map { ui.app.composer[$0.key].editor.input.text } ?? ""
  }

  @Test(
    "it opens at the first pack while nothing is recent, the first emoticon chosen, and Enter inserts at the cursor")
  func firstPack() {
    let ui = opened()
    #expect(ui.shows("[Emoji]") && ui.shows("[😀") && ui.shows("face 0"))
    ui.press("Enter")
    #expect(ui.take("emoticon-used")?["code"]?.string == ":face_0:")
    ui.press("Right", "Enter", "Esc")
    #expect(input(ui) == "😀😁")
    #expect(!ui.shows("[Emoji]"))
    ui.press("Left")
    ui.type("a")
    #expect(input(ui) == "😀a😁", "letters go to the input again")
  }

  @Test("it opens at the recent ones, the newest first, and they stay where they are while it is open")
  func recent() {
    let ui = opened(recent: [Self.rocket, Harness.emoticon("[微笑]", "☺️", "微笑")])
    #expect(ui.shows("[Recent]") && ui.shows("rocket  :rocket:"))
    ui.press("Right", "Enter")
    ui.line(#"{"event":"emoticon-used","seq":11,"code":"[微笑]"}"#)
    #expect(ui.app.model.emoticons.recent?.map(\.code) == ["[微笑]", ":rocket:"])
    ui.press("Left")
    #expect(ui.shows("rocket  :rocket:"), "nothing has moved")
    ui.press("Alt-E", "Alt-E")
    #expect(ui.shows("微笑  [微笑]"), "opened anew it begins with the newest")
  }

  @Test("keys do nothing before the emoticons are here")
  func loading() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("so")
    ui.press("Alt-E", "Right", "Down", "Enter")
    #expect(ui.shows("Loading …") && input(ui) == "so")
    ui.answerEmoticons(recent: [])
    ui.press("Enter")
    #expect(input(ui) == "so😀")
  }

  @Test("Enter inserts over the copy view as well")
  func copyView() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.press("Alt-Y", "Alt-E")
    ui.answerEmoticons(recent: [])
    ui.press("Enter")
    #expect(input(ui) == "😀" && ui.app.screen.keyboard?.query.isEmpty == true)
  }

  @Test("it closes with the question over it when another pop-up is opened")
  func question() {
    let ui = opened()
    ui.press("Enter")
    ui.handle(.disconnected("cut"))
    ui.press("Ctrl-Q")
    #expect(ui.shows("Leave, and lose") && ui.app.screen.keyboard != nil)
    ui.press("F2")
    #expect(ui.shows("Open a conversation") && ui.app.screen.keyboard == nil)
  }

  @Test("arrows move over pages of a grid of 7 by 3; the last cell of each page deletes")
  func moving() {
    let ui = opened()
    ui.press("Down", "Down", "Right")
    #expect(ui.shows("face 15"))
    ui.press("Down", "Right", "Right", "Right", "Right", "Right")
    #expect(ui.shows("Deletes the emoticon"))
    ui.press("Right")
    #expect(ui.shows("○ ●") && ui.shows("Deletes the emoticon"), "the second page has no emoticon there")
    ui.press("Up")
    #expect(ui.shows("face 24"), "the last one")
    ui.press("Left", "Left", "Left", "Left", "Left")
    #expect(ui.shows("● ○") && ui.shows("face 6"))
    ui.press("PageDown")
    #expect(ui.shows("face 24"))
    ui.press("PageUp", "Up", "Up")
    #expect(ui.shows("● ○"))
  }

  @Test("deleting removes a whole emoticon, be it a family, a letter or a code")
  func deleting() {
    let picture = #""emoticon":{"code":"[猫]","picture":"/usr/share/cat.png","name":"猫"}"#
    let ui = opened(recent: [picture])
    ui.press("Enter", "Backspace")
    #expect(input(ui) == "", "a code goes as a whole")
    ui.press("Enter", "Esc")
    ui.type("👩‍👩‍👧é")
    ui.press("Alt-E", "PageDown", "Down", "Down", "Right", "Right", "Right", "Right", "Right", "Right")
    ui.press("Enter")
    #expect(input(ui) == "[猫]👩‍👩‍👧")
    ui.press("Enter", "Enter")
    #expect(input(ui) == "")
  }

  @Test("letters search by name in all packs, and variants of skin tone are found by that only")
  func searching() {
    let ui = opened()
    ui.type("hand")
    let request = ui.take("emoticons")
    #expect(request?["match"]?.string == "hand")
    ui.answer(request, [Harness.emoticon(":hand_dark:", "👋🏿", "hand: dark"), Self.rocket])
    #expect(ui.shows("hand: dark") && ui.shows("› hand"))
    ui.press("Enter")
    #expect(input(ui) == "👋🏿")
    ui.press("Ctrl-U")
    #expect(ui.shows("[Emoji]") && ui.shows("face 0"), "without letters the pack is there again")
    ui.press("Tab")
    ui.answer(ui.take("emoticons"), [Harness.emoticon("[手]", "👋🏿", "手"), Harness.emoticon("[嘿]", "😀", "嘿")])
    #expect(ui.shows("[表情]") && ui.shows("嘿  [嘿]"))
    #expect(!ui.shows("👋🏿  手"))
    ui.press("Tab")
    #expect(ui.shows("[Recent]") && ui.shows("Nothing found"))
    ui.press("Shift-Tab")
    #expect(ui.shows("[表情]"))
  }

  @Test("the mouse chooses tabs and emoticons, its wheel turns pages, a click outside closes")
  func mouse() throws {
    let ui = opened()
    let line = try #require(ui.screen.firstIndex { $0.contains("[Emoji]") })
    func click(_ column: Int, _ line: Int) {
      ui.handle(.input(.mouse(MouseEvent(.press(0), at: Frame.Position(column: column, line: line)))))
    }
    click(9, line + 2)
    #expect(input(ui) == "😁")
    ui.handle(.input(.mouse(MouseEvent(.scrollDown, at: Frame.Position(column: 9, line: line + 3)))))
    #expect(ui.shows("○ ●"))
    click(2, line)
    #expect(ui.shows("[Recent]"))
    click(2, 1)
    #expect(!ui.shows("Recent"))
  }

  @Test("without packs it says so, and what to do, and does not open", arguments: [80, 40])
  func noPacks(columns: Int) {
    let ui = Harness.opened(columns: columns)
    ui.answerHistory(Harness.two)
    ui.type("so")
    for _ in 0..<2 {
      ui.press("Alt-E")
      for request in ui.takeAll("emoticons") { ui.answer(request) }
      #expect(ui.shows("No packs of emoticons are installed.") && ui.shows("restart the daemon"))
      #expect(!ui.shows("Recent") && !ui.shows("Nothing found") && !ui.shows("Del"))
    }
    ui.type("!")
    #expect(input(ui) == "so!")
  }

  @Test("on a small screen it is there as well; without a conversation it does not open")
  func small() {
    let ui = opened(columns: 40, lines: 12)
    #expect(ui.shows("[😀") && ui.shows("face 0"))
    #expect(ui.shows("Enter inserts · Tab next pack · Esc"), "as wide as the screen")
    ui.handle(.input(.mouse(MouseEvent(.press(0), at: Frame.Position(column: 38, line: 6)))))
    #expect(input(ui).isEmpty && ui.shows("[😀"), "beside the grid is nothing")
  }
}
