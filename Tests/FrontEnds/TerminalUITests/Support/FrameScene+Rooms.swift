import TerminalUI

/// Rooms in recorded frames.
extension FrameScene {
  static let rooms: Set<FrameScene> = [.room, .compactRoom, .roomMenu, .roomMember, .roomForm]

  /// The room that is open, and one that I am invited to.
  func showRoom(_ ui: Harness) {
    let more = #","affiliation":"owner","role":"moderator""#
    ui.connect(
      conversations: [Harness.conversation(RoomScene.jid, name: "Team", count: 6)],
      rooms: [
        RoomScene.room("joined", topic: "Release on Friday: what is left to do, and who does it", more: more),
        #"{"jid":"beer@rooms.example.org","name":"Friday beer","state":"invited"}"#,
      ])
    ui.press("Down", "Enter")
    ui.answerHistory(Self.talk)
    ui.answer(ui.takeAll("members").last, Self.members, final: #""ok":true,"count":5"#)
    for nick in ["bob", "carol"] {
      ui.line(#"{"event":"typing","conversation":"\#(RoomScene.jid)","nick":"\#(nick)","state":"composing"}"#)
    }
    actInRoom(ui)
  }

  private func actInRoom(_ ui: Harness) {
    switch self {
    case .roomMenu: ui.press("Alt-Shift-I")
    case .roomMember:
      ui.press("Alt-Shift-U")
      ui.type("bob")
      ui.press("Enter")
    case .roomForm:
      ui.type("/configure")
      ui.press("Enter")
      ui.answer(ui.take("configure"), Self.fields)
      ui.press("Enter", "Down")
    default: ui.type("on my way ")
    }
  }

  private static let talk = [
    RoomScene.said(1, "The build of last night is green again.", by: "bob"),
    RoomScene.said(2, "Nice! What was it?", by: "carol"),
    RoomScene.said(3, "A clock that had been set back.", by: "bob"),
    RoomScene.event(4, "dave joined"), RoomScene.event(5, "erin left"),
    RoomScene.said(6, "alice: can you look at the packaging before noon?", by: "dave", more: #","mention":true"#),
    RoomScene.said(7, "yes, in ten minutes", by: "alice", more: #","state":"delivered","read_by":["bob","dave"]"#),
    RoomScene.said(
      8, "", by: "mallory", more: #","retracted":{"by":"\#(RoomScene.jid)/dave","reason":"advertisement"}"#),
  ]

  private static let members = [
    RoomScene.member("alice", jid: "alice@example.org", role: "moderator", more: #","affiliation":"owner""#),
    RoomScene.member("dave", jid: "dave@example.org", role: "moderator", more: #","affiliation":"admin""#),
    RoomScene.member("bob", jid: "bob@example.org", more: #","affiliation":"member""#),
    RoomScene.member("carol", jid: "carol@example.org", more: #","show":"away","status":"until three""#),
    RoomScene.member("vi", role: "visitor"),
  ]

  private static let fields = [
    #""field":{"type":"fixed","value":"Access to the room"}"#,
    #""field":{"name":"only","type":"boolean","label":"Only members may join","value":false}"#,
    #""field":{"name":"whois","type":"list-single","label":"Who sees addresses","value":"m","options":[{"value":"m","label":"Moderators"},{"value":"a","label":"Anyone"}]}"#,
    #""field":{"name":"secret","type":"text-private","label":"Password","value":"x"}"#,
  ]
}
