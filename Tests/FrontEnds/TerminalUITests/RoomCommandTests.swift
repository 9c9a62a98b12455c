import ConfabClient
import JSON
import Testing

@testable import TerminalUI

/// Rooms in the terminal UI: what their header says, the commands, and nicks that Tab completes.
@Suite("Rooms on the screen")
struct RoomCommandTests {
  private static let jid = "team@rooms.example.org"

  private static func room(_ state: String, topic: String = "Lunch at noon", more: String = "") -> String {
    #"{"jid":"\#(jid)","name":"Team","state":"\#(state)","nick":"alice","members":3,"topic":"\#(topic)"\#(more)}"#
  }

  private static func member(_ nick: String, jid: String? = nil) -> String {
    #""member":{"nick":"\#(nick)","role":"participant"\#(jid.map { #","jid":"\#($0)""# } ?? "")}"#
  }

  private static func said(_ id: UInt64, _ text: String, by nick: String) -> String {
    #"{"id":\#(id),"conversation":"\#(jid)","from":"\#(jid)/\#(nick)","nick":"\#(nick)","mine":false,"#
      + #""time":"2025-10-09T08:0\#(id):00Z","text":"\#(text)","opens_section":false,"section":1}"#
  }

  /// The room is open, with bob, bert and carol in it; bert spoke last.
  private func opened() -> Harness {
    let ui = Harness(columns: 100, lines: 24)
    ui.connect(
      conversations: [Harness.conversation(Self.jid, name: "Team", count: 2)], rooms: [Self.room("joined")])
    ui.press("Enter")
    ui.answerHistory([Self.said(1, "hello", by: "bob"), Self.said(2, "yes", by: "bert")])
    ui.answer(ui.takeAll("members").last, ["bob", "bert", "carol"].map { Self.member($0, jid: "\($0)@example.org/x") })
    ui.forgetRequests()
    return ui
  }

  private func run(_ command: String, _ ui: Harness) {
    ui.type(command)
    ui.press("Enter")
  }

  @Test("the header has how many are there and the topic; while I am not there, why")
  func header() {
    let ui = opened()
    #expect(ui.shows("Team  \(Self.jid)  3 here  Lunch at noon"))
    let left = Self.room("refused", more: #","reason":"members only""#)
    ui.line(#"{"event":"room","seq":9,"why":"state","room":\#(left)}"#)
    #expect(ui.shows("refused  members only"))
  }

  @Test("/join asks for the room and opens it; in a room that is open it joins that")
  func join() {
    let ui = opened()
    run("/join nick=al lunch@rooms.example.org", ui)
    let asked = ui.take("join")
    #expect(asked?["room"]?.string == "lunch@rooms.example.org" && asked?["nick"]?.string == "al")
    #expect(ui.app.screen.focused?.key.jid == "lunch@rooms.example.org")
    let again = opened()
    run("/join", again)
    #expect(again.take("join")?["room"]?.string == Self.jid)
  }

  @Test("an invitation is told, and /join without an address takes the only one")
  func invitation() {
    let ui = opened()
    run("/open bob@example.org", ui)
    ui.line(#"{"event":"invitation","seq":9,"room":"new@rooms.example.org","from":"bob@example.org","reason":"come"}"#)
    #expect(ui.shows("bob@example.org invites you to new@rooms.example.org (come)"))
    let rooms = [Self.room("joined"), #"{"jid":"new@rooms.example.org","state":"invited"}"#]
    ui.answer(ui.take("rooms"), rooms.map { #""room":\#($0)"# })
    run("/join", ui)
    #expect(ui.take("join")?["room"]?.string == "new@rooms.example.org")
  }

  @Test(
    "commands of a room name the room that is open",
    arguments: [
      ("/part", "leave", [:]), ("/names", "members", [:]), ("/topic new words", "topic", ["text": "new words"]),
      ("/kick bob be nice", "kick", ["nick": "bob", "text": "be nice"]), ("/nick al", "join", ["nick": "al"]),
      ("/invite dave@example.org come", "invite", ["jid": "dave@example.org", "text": "come"]),
      ("/ignore bob", "ignore", ["nick": "bob", "value": "yes"]),
      ("/unignore bob", "ignore", ["nick": "bob", "value": "no"]),
    ])
  func commands(typed: String, verb: String, words: [String: String]) {
    let ui = opened()
    run(typed, ui)
    let request = ui.take(verb)
    #expect(request?["room"]?.string == Self.jid)
    for (name, value) in words { #expect(request?[name]?.string == value, "\(name)") }
  }

  @Test("a ban is asked about, and finds the address of a nick that the room shows")
  func ban() {
    let ui = opened()
    run("/ban bob spam", ui)
    #expect(ui.take("ban") == nil && ui.shows("Ban bob@example.org"))
    ui.type("y")
    let request = ui.take("ban")
    #expect(request?["jid"]?.string == "bob@example.org" && request?["text"]?.string == "spam")
  }

  @Test("/msg writes to an occupant alone, /query opens that conversation")
  func inPrivate() {
    let ui = opened()
    run("/msg bob psst", ui)
    let sent = ui.take("send")
    #expect(sent?["to"]?.string == Self.jid + "/bob" && sent?["text"]?.string == "psst")
    let other = opened()
    run("/query carol", other)
    #expect(other.app.screen.focused?.key.jid == Self.jid + "/carol")
    #expect(other.shows("carol in \(Self.jid)") && !other.shows("not among the contacts"))
  }

  @Test("Tab completes a nick, who spoke last first, with a colon at the beginning, and goes on to the next")
  func completion() {
    let ui = opened()
    ui.type("b")
    ui.press("Tab")
    #expect(ui.shows("bert:"))
    ui.press("Tab")
    #expect(ui.shows("bob:"))
    ui.type("and c")
    ui.press("Tab")
    #expect(ui.shows("bob: and carol"))
    ui.press("Home", "Tab")
    #expect(ui.shows("bob: and carol"), "a cursor that moved begins anew")
    let other = opened()
    other.type("/kick c")
    other.press("Tab")
    #expect(other.shows("/kick carol"))
  }

  @Test("who comes and goes is completed as they are there, under the new nick after a change")
  func occupants() {
    let ui = opened()
    func change(_ kind: String, _ nick: String, was: String = "") {
      ui.line(
        #"{"event":"member","room":"\#(Self.jid)","change":"\#(kind)","member":{"nick":"\#(nick)"},"was":"\#(was)"}"#)
    }
    #expect(ui.shows("3 here"))
    change("left", "bert")
    #expect(ui.shows("2 here"))
    change("nick", "xavier", was: "carol")
    change("joined", "zoe")
    for (typed, completed) in [("b", "bob:"), ("x", "xavier:"), ("z", "zoe:")] {
      ui.type(typed)
      ui.press("Tab")
      #expect(ui.shows(completed))
      ui.press("Ctrl-U")
    }
    ui.type("ca")
    ui.press("Tab")
    #expect(!ui.shows("carol:"))
  }
}
