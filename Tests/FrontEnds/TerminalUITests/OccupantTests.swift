import JSON
import Testing

@testable import TerminalUI

/// Who is in a room, and whose messages I hide.
@Suite("Occupants of an open room")
struct OccupantTests {
  private func opened(_ ignored: [String], columns: Int = 120) -> Harness {
    let members = ["bob", "bert", "carol"].map { RoomScene.member($0, more: #","occupant":"\#($0)1""#) }
    let ui = RoomScene.opened(columns: columns, members: members, ignored: ignored)
    return ui
  }

  @Test("the pane, the list and the menu mark who is ignored, by id or by nick, and offer what applies")
  func marked() {
    let ui = opened([#""ignored":{"room":"r","nick":"robert","occupant":"bob1"}"#])
    #expect(ui.shows("bob ignored") && !ui.shows("bert ignored"))
    ui.press("Alt-Shift-U")
    ui.type("bob")
    #expect(ui.app.screen.popups.last?.chosen?.detail == "ignored")
    ui.press("Enter")
    #expect(ui.shows("Stop ignoring") && !ui.shows("hides what bob says"))
    ui.press("Esc", "Esc", "Alt-Shift-U")
    ui.type("bert")
    ui.press("Enter")
    #expect(ui.shows("hides what bert says") && !ui.shows("Stop ignoring"))
  }

  @Test("who is ignored is asked anew behind a request that changes it; a nick alone ends with its presence")
  func changed() {
    let ui = opened([])
    ui.type("/ignore bob")
    ui.press("Enter")
    #expect(ui.take("ignore")?["nick"]?.string == "bob")
    ui.answer(ui.take("ignored"), [#""ignored":{"room":"r","nick":"bob"}"#])
    #expect(ui.shows("bob ignored"))
    ui.line(#"{"event":"member","room":"\#(RoomScene.jid)","change":"nick","was":"bob",\#(RoomScene.member("bo"))}"#)
    #expect(ui.shows("bo ignored"))
    for change in ["left", "joined"] {
      ui.line(#"{"event":"member","room":"\#(RoomScene.jid)","change":"\#(change)",\#(RoomScene.member("bo"))}"#)
    }
    #expect(!ui.shows("ignored"))
  }

  @Test("a narrow list shows the hints that it has room for, whole")
  func hints() {
    let ui = opened([], columns: 40)
    ui.press("Alt-Shift-U")
    #expect(ui.shows("Enter chooses · Esc back") && !ui.shows("…"))
    let wide = opened([], columns: 80)
    wide.press("Alt-Shift-U")
    #expect(wide.shows("Enter chooses · Tab names them in the text · Esc back"))
  }

  @Test("who is taken out of a room while writing keeps the text and is told why at once")
  func removed() {
    let ui = opened([], columns: 80)
    ui.type("I was about to")
    let reason = #","reason":"kicked: by bob: enough""#
    ui.line(#"{"event":"room","seq":9,"why":"state","room":\#(RoomScene.room("refused", more: reason))}"#)
    #expect(ui.shows("I was about to") && ui.shows("You are not in Team any more: kicked: by bob: enough"))
  }

  @Test(
    "of a room of up to 200 all are asked for, of a larger one all moderators", arguments: [(70, false), (5000, true)])
  func pages(count: Int, areModerators: Bool) {
    let ui = RoomScene.opened(columns: 120, members: [])
    ui.line(#"{"event":"members","room":"\#(RoomScene.jid)","joined":70,"left":0,"count":\#(count)}"#)
    func members(_ some: Range<Int>) -> [String] {
      some.map { RoomScene.member("n\($0)", role: areModerators ? "moderator" : "participant") }
    }
    ui.answer(ui.takeAll("members").last, members(0..<60), final: #""ok":true,"count":\#(count)"#)
    let more = ui.take("members")
    #expect(more?["limit"]?.integer == 200 && !ui.shows("\(count) here"))
    ui.answer(more, members(0..<min(count, 200)), final: #""ok":true,"count":\#(count)"#)
    #expect(ui.shows("\(count) here") && ui.takeAll("members").allSatisfy { $0["limit"]?.integer == 1 })
  }
}
