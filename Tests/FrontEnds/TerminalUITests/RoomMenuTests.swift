import JSON
import Testing

@testable import TerminalUI

/// Pop-ups about rooms and those in them, and the requests that come of them.
@Suite("Menus of rooms")
struct RoomMenuTests {
  private static let jid = RoomScene.jid
  private static let owner = #","affiliation":"owner","role":"moderator""#

  private func choose(_ title: String, _ ui: Harness) {
    for _ in 0..<30 {
      if ui.app.screen.popups.last?.chosen?.title.hasPrefix(title) == true { return ui.press("Enter") }
      ui.press("Down")
    }
    Issue.record("no \(title) in \(ui.app.screen.popups.last?.items.map(\.title) ?? [])")
  }

  @Test(
    "an invitation is a row that asks whether to join or decline", arguments: [("Join", "join"), ("Decline", "leave")])
  func invitation(choice: String, verb: String) {
    let ui = Harness(columns: 120)
    let words = #""invited_by":"new@rooms.example.org/zoe","reason":"Tea at five?""#
    ui.connect(rooms: [#"{"jid":"new@rooms.example.org","state":"invited",\#(words)}"#])
    #expect(ui.shows("Invitation") && ui.shows("new@rooms.example.org") && ui.shows("zoe: Tea at five?"))
    ui.press("Enter")
    #expect(ui.shows("by new@rooms.example.org/zoe"))
    choose(choice, ui)
    #expect(ui.take(verb)?["room"]?.string == "new@rooms.example.org")
  }

  @Test("who asks for the right to speak is a row, too", arguments: [("Let", "yes"), ("Refuse", "no")])
  func voice(choice: String, word: String) {
    let ui = Harness(columns: 120)
    ui.connect(rooms: [RoomScene.room("joined", more: #","requests":[{"nick":"vi"}]"#)])
    #expect(ui.shows("asks to speak in Team"))
    ui.press("Home", "Enter")
    choose(choice, ui)
    let asked = ui.take("voice")
    #expect(asked?["nick"]?.string == "vi" && asked?["value"]?.string == word)
  }

  @Test("from the list of who is there one is written to alone, named or kicked, each as my role allows")
  func member() {
    let members = ["bob", "bert"].map { RoomScene.member($0, jid: "\($0)@example.org") }
    let ui = RoomScene.opened(more: Self.owner, members: members)
    ui.press("Alt-Shift-U")
    ui.type("bert")
    ui.press("Tab")
    #expect(ui.shows("bert: "))
    ui.press("Alt-Shift-U", "Down", "Enter")
    choose("Kick", ui)
    #expect(ui.take("kick") == nil && ui.shows("Kick bob"))
    ui.type("y")
    #expect(ui.take("kick")?["nick"]?.string == "bob")
    let visitor = RoomScene.opened(more: #","role":"visitor""#, members: members)
    visitor.press("Alt-Shift-U", "Enter")
    #expect(visitor.shows("Write to bert alone") && !visitor.shows("Kick") && !visitor.shows("Ban"))
  }

  @Test("a menu about somebody stays with that one, whoever has the nick next")
  func identity() {
    let members = [RoomScene.member("bob", jid: "bad@evil.example", more: #","occupant":"1""#)]
    let ui = RoomScene.opened(more: Self.owner, members: members)
    ui.press("Alt-Shift-U", "Enter")
    #expect(ui.shows("Ban"))
    let next = RoomScene.member("bob", jid: "good@example.org", more: #","occupant":"2""#)
    for (change, member) in [("left", members[0]), ("joined", next)] {
      ui.line(#"{"event":"member","room":"\#(Self.jid)","change":"\#(change)",\#(member)}"#)
    }
    #expect(ui.shows("bob is not there any more.") && !ui.shows("Ban"))
  }

  @Test("a moderator retracts what others say, after a question; nobody else can")
  func moderating() {
    for (role, isAsked) in [("moderator", true), ("participant", false)] {
      let ui = RoomScene.opened(more: #","role":"\#(role)""#)
      ui.press("Alt-Up", "Alt-X")
      #expect(ui.shows("of bert for everybody") == isAsked)
      ui.type("y")
      #expect((ui.take("retract")?["id"]?.integer == 2) == isAsked)
    }
  }

  @Test("a topic of any length can be read to its end")
  func longTopic() {
    let ui = RoomScene.opened(lines: 16)
    let topic = (1...300).map { "word\($0)" }.joined(separator: " ")
    ui.line(#"{"event":"room","seq":9,"why":"topic","room":\#(RoomScene.room("joined", topic: topic))}"#)
    ui.press("Alt-Shift-I")
    choose("Topic: word1 ", ui)
    #expect(ui.shows("word1 word2"))
    for _ in 0..<60 { ui.press("Down") }
    #expect(ui.shows("word300"))
  }

  @Test("a room that moved says where it is now, and leads there")
  func moved() {
    let ui = RoomScene.opened()
    let room = RoomScene.room("refused", more: #","reason":"destroyed","moved_to":"new@rooms.example.org""#)
    ui.line(#"{"event":"room","seq":9,"why":"state","room":\#(room)}"#)
    #expect(ui.shows("now at new@rooms.example.org"))
    ui.press("Alt-Shift-I")
    choose("Join the new one", ui)
    #expect(ui.take("join")?["room"]?.string == "new@rooms.example.org")
  }

  @Test("the menu of a room has its topic whole, and sets it")
  func topic() {
    let ui = RoomScene.opened()
    ui.press("Alt-Shift-I")
    #expect(ui.shows("Topic: Lunch at noon"))
    choose("Topic …", ui)
    ui.press("Ctrl-U")
    ui.type("Dinner")
    ui.press("Enter")
    #expect(ui.take("topic")?["text"]?.string == "Dinner")
  }

  @Test("a room that is not there is offered to be made, with a name, for members only")
  func making() {
    let ui = RoomScene.opened()
    ui.type("/join new@rooms.example.org")
    ui.press("Enter")
    let room = #"{"jid":"new@rooms.example.org","state":"refused","reason":"item-not-found: there is no such room"}"#
    ui.line(#"{"event":"room","seq":9,"why":"state","room":\#(room)}"#)
    ui.answer(ui.take("join"), final: #""ok":false,"error":"failed","reason":"there is no such room""#)
    #expect(ui.shows("There is no room new@rooms.example.org"))
    choose("Create it, for members only", ui)
    ui.type("Planning")
    ui.press("Enter")
    #expect(ui.app.screen.popups.isEmpty)
    let made = ui.take("join")
    #expect(made?["create"]?.string == "yes" && made?["wait"]?.string == "joined")
    ui.answer(made)
    let fields = ui.take("configure")?["fields"]
    #expect(fields?["muc#roomconfig_roomname"]?.array?.first?.string == "Planning")
    #expect(fields?["muc#roomconfig_membersonly"]?.array?.first?.string == "yes")
  }

  @Test("the rooms of a service are a list to search; one says what it is before somebody joins it")
  func service() {
    let ui = RoomScene.opened()
    ui.type("/rooms")
    ui.press("Enter")
    let asked = ui.take("rooms")
    #expect(asked?["at"]?.string == "rooms.example.org")
    ui.answer(
      asked,
      [
        #""room":{"jid":"a@rooms.example.org","name":"Apples","members":7}"#,
        #""room":{"jid":"b@rooms.example.org","name":"Pears"}"#,
      ])
    #expect(ui.shows("Apples") && ui.shows("7 there"))
    ui.type("pear")
    ui.press("Enter")
    ui.answer(
      ui.take("room"),
      [#""room":{"jid":"b@rooms.example.org","name":"Pears","description":"All about pears","members":2}"#])
    #expect(ui.shows("All about pears"))
    choose("Join", ui)
    #expect(ui.take("join")?["room"]?.string == "b@rooms.example.org")
  }

  @Test("the configuration is a form: what was changed is sent together, and nothing else")
  func form() {
    let ui = RoomScene.opened(more: Self.owner)
    ui.press("Alt-Shift-I")
    choose("Configuration", ui)
    ui.answer(
      ui.take("configure"),
      [
        #""field":{"type":"fixed","value":"Access"}"#, #""field":{"name":"hid","type":"hidden","value":"x"}"#,
        #""field":{"name":"name","type":"text-single","label":"Title","value":"Team"}"#,
        #""field":{"name":"only","type":"boolean","label":"Members only","description":"Others are refused","value":false}"#,
        #""field":{"name":"whois","type":"list-single","label":"Who sees JIDs","value":"mods","options":[{"value":"mods","label":"Moderators"},{"value":"all","label":"Anyone"}]}"#,
      ])
    #expect(ui.shows("Others are refused"))
    #expect(ui.shows("Access") && !ui.shows("hid") && ui.shows("Nothing is changed yet"))
    choose("  Members only", ui)
    choose("  Who sees JIDs", ui)
    choose("Anyone", ui)
    #expect(ui.take("configure") == nil && ui.shows("Save 2 changes"))
    ui.press("Up", "Up", "Up")
    choose("Save", ui)
    let fields = ui.take("configure")?["fields"]
    let values = ["only", "whois"].map { fields?[$0]?.array?.first?.string }
    #expect(values == ["yes", "all"] && fields?["name"] == nil)
  }

  @Test("a field of several lines keeps them, with their commas")
  func lines() {
    let ui = RoomScene.opened(more: Self.owner)
    ui.type("/configure")
    ui.press("Enter")
    let field = #""field":{"name":"about","type":"text-multi","label":"About","value":["Hello, world","two"]}"#
    ui.answer(ui.take("configure"), [field])
    choose("  About", ui)
    ui.type("!")
    ui.press("Enter", "Up")
    choose("Save", ui)
    #expect(ui.take("configure")?["fields"]?["about"]?.array?.map(\.string) == ["Hello, world", "two!"])
  }

  @Test("an empty answer clears a topic and a field, leaves a secret, which is not shown, and names no room")
  func empty() {
    let ui = RoomScene.opened(more: Self.owner)
    ui.press("Alt-Shift-I")
    choose("Topic …", ui)
    ui.press("Ctrl-U", "Enter")
    #expect(ui.take("topic")?["text"]?.string == "")
    ui.press("Esc")
    ui.type("/configure")
    ui.press("Enter")
    let fields = [("about", "text-single"), ("secret", "text-private")].map {
      #""field":{"name":"\#($0)","type":"\#($1)","label":"\#($0)","value":"sesame"}"#
    }
    ui.answer(ui.take("configure"), fields)
    choose("  about", ui)
    ui.press("Ctrl-U", "Enter")
    choose("  secret", ui)
    #expect(!ui.shows("sesame"))
    ui.press("Enter", "Up", "Up")
    choose("Save", ui)
    let sent = ui.take("configure")?["fields"]
    #expect(sent?["about"]?.array?.map(\.string) == [""] && sent?["secret"] == nil)
  }

  @Test("a room that wants a password asks for it, whichever the daemon tells first", arguments: [true, false])
  func password(isEventFirst: Bool) {
    let ui = RoomScene.opened()
    ui.type("/join new@rooms.example.org")
    ui.press("Enter")
    let room =
      #"{"jid":"new@rooms.example.org","state":"refused","reason":"not-authorized: the room wants a password"}"#
    func tell() { ui.line(#"{"event":"room","seq":9,"why":"state","room":\#(room)}"#) }
    if isEventFirst { tell() }
    ui.answer(ui.take("join"), final: #""ok":false,"error":"failed","reason":"the room wants a password""#)
    if !isEventFirst { tell() }
    #expect(ui.shows("The room has a password"))
    ui.type("sesame")
    ui.press("Enter")
    #expect(ui.take("join")?["password"]?.string == "sesame")
  }

  @Test("the key to the next mention goes to it in the room that is open, else in the next one")
  func nextMention() {
    let rows = [
      RoomScene.said(1, "hello", by: "bob"), RoomScene.said(2, "alice: look", by: "bob", more: #","mention":true"#),
    ]
    let ui = RoomScene.opened(rows: rows)
    ui.press("Alt-Shift-M")
    #expect(ui.app.screen.focused?.selected == 2 || ui.take("history")?["around"]?.integer == 2)
    let other = Harness(columns: 100)
    let conversation = Harness.conversation(Self.jid, name: "Team", unread: 2).replacing(
      #""mentions":0"#, with: #""mentions":1"#)
    other.connect(
      conversations: [Harness.conversation("bob@example.org"), conversation], rooms: [RoomScene.room("joined")])
    other.press("Alt-Shift-M")
    other.answerHistory(rows)
    #expect(other.app.screen.focused?.selected == 2)
  }
}
