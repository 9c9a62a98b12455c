import ConfabClient
import JSON
import Testing

@testable import TerminalUI

/// Rooms in the terminal UI: what their header says, the commands, and nicks that Tab completes.
@Suite("Rooms on the screen")
struct RoomCommandTests {
  private static let jid = RoomScene.jid

  private func opened() -> Harness { RoomScene.opened() }

  private func run(_ command: String, _ ui: Harness) {
    ui.type(command)
    ui.press("Enter")
  }

  @Test("the header has how many are there, unless they stand beside it, and the topic; while I am not there, why")
  func header() {
    #expect(opened().shows("Lunch at noon") && opened().shows("3 here"))
    let ui = RoomScene.opened(columns: 90)
    #expect(ui.shows("Team  \(Self.jid)  3 here  Lunch at noon"))
    let left = RoomScene.room("refused", more: #","reason":"members only""#)
    ui.line(#"{"event":"room","seq":9,"why":"state","room":\#(left)}"#)
    #expect(ui.shows("refused  members only") && ui.shows("You are not in the room, /join joins it"))
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
    let rooms = [RoomScene.room("joined"), #"{"jid":"new@rooms.example.org","state":"invited"}"#]
    ui.answer(ui.take("rooms"), rooms.map { #""room":\#($0)"# })
    run("/join", ui)
    #expect(ui.take("join")?["room"]?.string == "new@rooms.example.org")
  }

  @Test(
    "commands of a room name the room that is open",
    arguments: [
      ("/part", "leave", [:]), ("/voice bob yes", "voice", ["nick": "bob", "value": "yes"]),
      ("/topic new words", "topic", ["text": "new words"]),
      ("/kick bob be nice", "kick", ["nick": "bob", "text": "be nice"]), ("/nick al", "join", ["nick": "al"]),
      ("/invite dave@example.org come", "invite", ["jid": "dave@example.org", "text": "come"]),
      ("/ignore bob", "ignore", ["nick": "bob", "value": "yes"]),
      ("/unignore bob", "ignore", ["nick": "bob", "value": "no"]),
      ("/ignore bob ", "ignore", ["nick": "bob", "value": "yes"]),
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
    let several = opened()
    several.type("bob: c")
    several.press("Tab")
    several.type("hi")
    #expect(several.shows("bob: carol: hi"), "each of several who are named first keeps its colon")
    ui.press("Home", "Tab")
    #expect(ui.shows("bob: and carol"), "a cursor that moved begins anew")
    let other = opened()
    other.type("/kick c")
    other.press("Tab")
    #expect(other.shows("/kick carol"))
  }

  @Test("/join completes rooms that are mine, and behind an @ their services")
  func joining() {
    let ui = opened()
    ui.type("/join te")
    ui.press("Tab")
    #expect(ui.shows("/join \(Self.jid)"))
    ui.press("Ctrl-U")
    ui.type("/join lunch@r")
    ui.press("Tab")
    #expect(ui.shows("/join lunch@rooms.example.org"))
  }

  @Test("/join takes a password behind the address, /whois shows somebody, /msg to nobody says so")
  func more() {
    let ui = opened()
    run("/join vault@rooms.example.org sesame", ui)
    let asked = ui.take("join")
    #expect(asked?["room"]?.string == "vault@rooms.example.org" && asked?["password"]?.string == "sesame")
    let other = opened()
    run("/whois bob", other)
    #expect(other.shows("bob in Team") && other.shows("Write to bob alone"))
    other.press("Esc")
    run("/msg nobody hi", other)
    #expect(other.shows("Nobody in the room is called nobody.") && other.take("send") == nil)
  }

  @Test("a part of an emoticon's name is completed by Tab, and by another Tab the next one")
  func emoticons() {
    let ui = opened()
    ui.type("go :rock")
    let asked = ui.take("emoticons")
    #expect(asked?["match"]?.string == "rock")
    ui.answer(
      asked,
      [":rocket:", ":rock:"].map {
        ##""emoticon":{"code":"\##($0)","text":"\##($0 == ":rock:" ? "🪨" : "🚀")","name":"rocket"}"##
      })
    #expect(ui.shows("rocket"))
    ui.press("Tab")
    #expect(ui.shows("go 🚀"))
    ui.press("Tab")
    #expect(ui.shows("go 🪨"))
  }

  @Test("/away says so with words, and without words takes it back")
  func away() {
    let ui = opened()
    run("/away at lunch", ui)
    let away = ui.take("presence")
    #expect(away?["show"]?.string == "away" && away?["text"]?.string == "at lunch")
    run("/away", ui)
    #expect(ui.take("presence")?["show"]?.string == "available")
  }

  @Test("Alt and a number open a row of the list")
  func numbers() {
    let ui = Harness(columns: 100)
    ui.connect(conversations: ["ann", "bob"].map { Harness.conversation("\($0)@example.org") })
    ui.press("Alt-2")
    #expect(ui.app.screen.focused?.key.jid == "bob@example.org")
    ui.press("Alt-9")
    #expect(ui.shows("The list has no row 9."))
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
