import ConfabClient
import JSON
import Screen
import Testing

@testable import TerminalUI

/// A room on the screen: who said what, who is there, who named me, and what is left out.
@Suite("A room on the screen")
struct RoomScreenTests {
  private static let jid = RoomScene.jid

  @Test("a message that names me is marked, and counted in the list until it is read")
  func mention() {
    let ui = RoomScene.opened(
      columns: 120, rows: [RoomScene.said(1, "alice: look", by: "bob", more: #","mention":true"#)])
    #expect(ui.screen.contains { $0.contains("┃") && $0.contains("alice: look") })
    ui.press("Esc")
    ui.line(RoomScene.message(RoomScene.said(2, "alice!", by: "bob", more: #","mention":true"#)))
    #expect(ui.shows("@1 1"))
    ui.line(#"{"event":"read","conversation":"\#(Self.jid)","id":2}"#)
    ui.answer(ui.takeAll("unread").last, final: #""ok":true,"unread":0,"mentions":0"#)
    #expect(!ui.shows("@1"))
  }

  @Test("comings and goings are one quiet line until somebody speaks, and no news")
  func noise() {
    let rows = [
      RoomScene.said(1, "hello", by: "bob"), RoomScene.event(2, "carol joined"), RoomScene.event(3, "dave left"),
    ]
    let ui = RoomScene.opened(columns: 120, rows: rows)
    #expect(ui.shows("carol joined, dave left"))
    ui.press("Esc")
    ui.line(RoomScene.message(RoomScene.event(4, "erin joined")))
    #expect(!ui.shows("1 unread"))
    ui.press("Enter", "Alt-Up", "Ctrl-R")
    #expect(ui.shows("hello") && ui.app.composer[ui.key].purpose != nil, "an event is not what is answered")
  }

  @Test("who is typing, by nick")
  func typing() {
    let ui = RoomScene.opened()
    func type(_ nick: String, _ state: String = "composing") {
      ui.line(#"{"event":"typing","conversation":"\#(Self.jid)","nick":"\#(nick)","state":"\#(state)"}"#)
    }
    type("bob")
    #expect(ui.shows("bob is typing"))
    type("carol")
    #expect(ui.shows("bob and carol are typing"))
    type("bert")
    #expect(ui.shows("bob, carol and 1 other are typing"))
    type("bert", "paused")
    ui.line(RoomScene.message(RoomScene.said(3, "so", by: "bob")))
    #expect(ui.shows("carol is typing"))
  }

  @Test("who has read is said once, below the last message of mine that somebody has read")
  func readers() {
    let rows = [
      RoomScene.said(1, "one", by: "alice", more: #","read_by":["bob"]"#), RoomScene.said(2, "two", by: "alice"),
    ]
    let ui = RoomScene.opened(rows: rows)
    #expect(ui.shows("Seen by bob."))
    ui.line(#"{"event":"read-by","seq":9,"conversation":"\#(Self.jid)","id":2,"nick":"carol"}"#)
    #expect(ui.shows("Seen by carol.") && !ui.shows("Seen by bob"))
  }

  @Test("what ignored people say is hidden until a key shows it")
  func ignored() {
    let ui = RoomScene.opened()
    ui.line(RoomScene.message(RoomScene.said(3, "spam", by: "bert", more: #","ignored":true"#)))
    #expect(!ui.shows("spam") && ui.app.model.conversations[ui.key]?.unread == 0)
    ui.press("C-x k")
    #expect(ui.take("history")?["ignored"]?.string == "yes")
    ui.line(RoomScene.message(RoomScene.said(4, "more spam", by: "bert", more: #","ignored":true"#)))
    ui.press("C-x k")
    #expect(ui.take("history")?["ignored"] == nil)
  }

  @Test("the occupants stand at the right from 100 columns on, by role, until a key hides them")
  func pane() {
    let members = [
      RoomScene.member("mod", role: "moderator"), RoomScene.member("bob"), RoomScene.member("vi", role: "visitor"),
    ]
    let ui = RoomScene.opened(columns: 110, members: members)
    for words in ["3 here", "Moderators 1", "@mod", "Participants 1", "Visitors 1", "-vi"] {
      #expect(ui.shows(words), "\(words)")
    }
    ui.press("Alt-Shift-L")
    #expect(!ui.shows("Moderators 1"))
    #expect(!RoomScene.opened(columns: 99, members: members).shows("Moderators 1"))
  }

  @Test("of a large room the moderators are shown and who spoke; others are searched for by the daemon")
  func large() {
    let ui = RoomScene.opened(columns: 120, members: [])
    ui.line(#"{"event":"members","room":"\#(Self.jid)","joined":4000,"left":0,"count":5000}"#)
    let members =
      (0..<200).map { RoomScene.member("n\($0)", role: $0 < 2 ? "moderator" : "participant") } + [
        RoomScene.member("bob")
      ]
    let first = ui.takeAll("members").last
    #expect(first?["limit"]?.integer == 60)
    ui.answer(first, members, final: #""ok":true,"count":5000"#)
    #expect(ui.shows("5000 here") && ui.shows("@n1") && ui.shows("bob") && !ui.shows("n77") && ui.shows("4997 more"))
    let speaker = ui.take("members")
    #expect(speaker?["match"]?.string == "bert" && speaker?["limit"]?.integer == 1)
    ui.answer(speaker, [RoomScene.member("bert")], final: #""ok":true,"count":1"#)
    #expect(ui.shows("4996 more"), "bert has spoken")
    ui.press("Alt-Shift-U")
    ui.type("zoe")
    let asked = ui.take("members")
    #expect(asked?["match"]?.string == "zoe")
    ui.answer(asked, [RoomScene.member("zoe77")], final: #""ok":true,"count":1"#)
    #expect(ui.shows("zoe77"))
  }

  @Test("a message that a moderator retracted is a line that says who did it and why")
  func moderated() {
    let more = #","retracted":{"by":"\#(Self.jid)/dave","reason":"spam"}"#
    let ui = RoomScene.opened(rows: [RoomScene.said(1, "", by: "bob", more: more)])
    #expect(ui.shows("dave retracted a message of bob: spam"))
  }

  @Test("a nick with letters of another script among its own shows who is behind it")
  func imitation() {
    let members = [
      RoomScene.member("b\u{43E}b", jid: "z@evil.example"), RoomScene.member("bob", jid: "bob@example.org"),
    ]
    let ui = RoomScene.opened(
      columns: 120, members: members,
      rows: [RoomScene.said(1, "it is me", by: "b\u{43E}b"), RoomScene.said(2, "no", by: "bob")])
    #expect(ui.shows("b\u{43E}b <z@evil.example>") && !ui.shows("bob <"))
    #expect(ui.shows("b\u{43E}b ?"))
    #expect(!Scripts.areMixed("Юля") && !Scripts.areMixed("太郎たろうTaro") && Scripts.areMixed("p\u{430}ypal"))
  }

  @Test("an answer names the occupant whom it answers")
  func answer() {
    let more = #","reply_to":{"id":1,"from":"\#(Self.jid)/carol","text":"who is there?"}"#
    let ui = RoomScene.opened(rows: [RoomScene.said(2, "I am", by: "bob", more: more)])
    #expect(ui.screen.contains { $0.contains("carol") && $0.contains("who is there?") })
  }

  @Test(
    "nicks of any letters and length, and a long topic, break no screen of any size", arguments: [20, 40, 80, 110, 200])
  func hostile(columns: Int) {
    let nicks = [
      String(repeating: "W", count: 1023), "\u{202E}evil", "a\u{200B}b", "漢字", "/help", " ", "alice@example.org",
      String(repeating: "e\u{301}", count: 300), "👩‍🚀", "\u{7}bell",
    ]
    let escaped = nicks.map { $0.replacing("\u{7}", with: "\\u0007") }
    let rows = escaped.enumerated().map { RoomScene.said(UInt64($0) + 1, "hello", by: $1, more: #","mention":true"#) }
    for lines in [3, 8, 24, 50] {
      let ui = RoomScene.opened(
        columns: columns, lines: lines, members: escaped.map { RoomScene.member($0) }, rows: rows)
      let topic = String(repeating: "\\u001b[31mred ", count: 600)
      ui.line(#"{"event":"room","seq":9,"why":"topic","room":\#(RoomScene.room("joined", topic: topic))}"#)
      for keys in ["Alt-Shift-U", "Down", "Enter", "Esc", "Esc", "Alt-Shift-I", "Enter", "Down", "Esc", "Esc"] {
        ui.press(keys)
        #expect(ui.screen.count == lines)
        #expect(!ui.screen.joined().unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
      }
    }
  }

  @Test("an answer that is cut off leaves nobody in the list who is not there")
  func cutOff() {
    let ui = RoomScene.opened(columns: 120)
    ui.line(#"{"event":"members","room":"\#(Self.jid)","joined":9,"left":9,"count":3}"#)
    let asked = ui.take("members")
    ui.line(#"{\#(RoomScene.member("ghost")),"tag":\#(asked?["tag"]?.integer ?? 0)}"#)
    ui.handle(.disconnected("gone"))
    ui.connect(
      conversations: [Harness.conversation(Self.jid, name: "Team", count: 2)], rooms: [RoomScene.room("joined")])
    ui.answer(ui.takeAll("members").last, [RoomScene.member("bob")], final: #""ok":true,"count":1"#)
    #expect(!ui.shows("ghost") && ui.shows("1 here"))
  }

  @Test("a room that is not joined says so in the list")
  func state() {
    let ui = Harness(columns: 120)
    ui.connect(
      conversations: [Harness.conversation(Self.jid, name: "Team")],
      rooms: [RoomScene.room("refused", more: #","reason":"forbidden: members only""#)])
    #expect(ui.shows("refused: forbidden: members only"))
    ui.line(#"{"event":"draft","conversation":"\#(Self.jid)","text":"half a text"}"#)
    #expect(ui.shows("refused: forbidden: members only"), "a draft hides no state")
    let empty = #"{"jid":"odd@rooms.example.org","state":"refused","reason":"members only"}"#
    ui.line(#"{"event":"room","seq":9,"why":"state","room":\#(empty)}"#)
    #expect(ui.shows("odd@rooms.example.org"), "nobody has said anything there")
    let renamed = RoomScene.room("joined").replacing("Team", with: "Crew")
    ui.line(#"{"event":"room","seq":10,"why":"configuration","room":\#(renamed)}"#)
    #expect(ui.shows("Crew"))
  }
}

extension Harness {
  fileprivate var key: ConversationKey { ConversationKey(jid: RoomScene.jid) }
}
