import TerminalUI

/// A room that is open on the screen, as the daemon describes it.
enum RoomScene {
  static let jid = "team@rooms.example.org"

  static func room(_ state: String, topic: String = "Lunch at noon", more: String = "") -> String {
    #"{"jid":"\#(jid)","name":"Team","state":"\#(state)","nick":"alice","members":3,"topic":"\#(topic)"\#(more)}"#
  }

  static func member(_ nick: String, jid: String? = nil, role: String = "participant", more: String = "") -> String {
    let address = jid.map { #","jid":"\#($0)""# } ?? ""
    return #""member":{"nick":"\#(nick)","role":"\#(role)"\#(address)\#(more)}"#
  }

  static func said(_ id: UInt64, _ text: String, by nick: String, more: String = "") -> String {
    #"{"id":\#(id),"conversation":"\#(jid)","from":"\#(jid)/\#(nick)","nick":"\#(nick)","mine":\#(nick == "alice"),"#
      + #""time":"2025-10-09T08:0\#(id):00Z","text":"\#(text)","opens_section":false,"section":1\#(more)}"#
  }

  /// Somebody comes or goes, told and kept.
  static func event(_ id: UInt64, _ words: String) -> String {
    said(id, "", by: "bob", more: #","type":"event","plain":"\#(words)""#)
  }

  static func message(_ row: String) -> String { #"{"event":"message","seq":9,"message":\#(row)}"# }

  /// With bob, bert and carol in it; bert spoke last.
  static func opened(
    columns: Int = 100, lines: Int = 24, settings: UISettings = UISettings(), more: String = "",
    members: [String]? = nil, rows: [String]? = nil, ignored: [String] = []
  ) -> Harness {
    let ui = Harness(columns: columns, lines: lines, settings: settings)
    ui.connect(
      conversations: [Harness.conversation(jid, name: "Team", count: 2)], rooms: [room("joined", more: more)])
    ui.press("Enter")
    ui.answerHistory(rows ?? [said(1, "hello", by: "bob"), said(2, "yes", by: "bert")])
    let members = members ?? ["bob", "bert", "carol"].map { member($0, jid: "\($0)@example.org/x") }
    ui.answer(ui.takeAll("members").last, members, final: #""ok":true,"count":\#(members.count)"#)
    ui.answer(ui.take("ignored"), ignored)
    ui.answer(ui.take("encrypt"), final: EncryptionScene.state("never", isActive: false, "it is open to all"))
    ui.forgetRequests()
    return ui
  }
}
