import ConfabClient
import Testing

@testable import TerminalUI

/// Rows of the list that wait for an answer, and the way to them.
@Suite("Invitations above the list")
struct WaitingRowTests {
  private static let room = #"{"jid":"new@rooms.example.org","state":"invited","invited_by":"zoe@example.org"}"#

  private func invited(columns: Int = 120, isInList: Bool = true) -> Harness {
    let ui = Harness(columns: columns)
    ui.connect(conversations: ["bob", "ann"].map { Harness.conversation("\($0)@example.org") })
    if !isInList { ui.press("Enter") }
    if isInList { ui.press("Down") }
    ui.line(#"{"event":"invitation","seq":9,"room":"new@rooms.example.org","from":"zoe@example.org"}"#)
    ui.answer(ui.take("rooms"), [#""room":\#(Self.room)"#])
    return ui
  }

  @Test("an invitation that comes while the cursor is in the list is said, counted above it, and a key goes to it")
  func inList() {
    let ui = invited()
    #expect(ui.app.screen.list.chosen?.jid == "ann@example.org")
    #expect(ui.shows("invites you to new@rooms.example.org") && ui.shows("Home goes to it"))
    #expect(ui.shows("Conversations  1 to answer, Home") && !ui.shows("Invitation"))
    ui.press("Home", "Enter")
    #expect(ui.shows("You are invited to new@rooms.example.org"))
  }

  @Test("the key to what is unread leads to an invitation if nothing else is new", arguments: [true, false])
  func nextUnread(isInList: Bool) {
    let ui = invited(isInList: isInList)
    ui.press("Alt-A")
    #expect(ui.shows("You are invited to new@rooms.example.org"))
  }
}
