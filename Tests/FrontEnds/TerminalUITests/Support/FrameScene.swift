import Clocks
import Screen
import TerminalUI

/// What is recorded as a frame: keys over a scripted daemon that lead to one screen.
enum FrameScene: String, CaseIterable, Sendable {
  case list, conversation, compact, search, switcher, help, contacts, mute, spelling
  case copyView = "copy-view"
  case twoConversations = "two-conversations"
  case noDaemon = "no-daemon"
  case changes, correcting, replying, reacting, links, emoticons, files, fetching, avatars, accounts
  case compactChanges = "changes-compact"
  case room
  case compactRoom = "room-compact"
  case roomMenu = "room-menu"
  case roomMember = "room-member"
  case roomForm = "room-form"
  case encrypted
  case compactEncrypted = "encrypted-compact"
  case devices

  /// A sentence on what the frame shows.
  var heading: String {
    switch self {
    case .list: "the list: unread, draft, pinned, muted, typing"
    case .conversation: "a conversation: sections, unread line, states of delivery, a draft"
    case .compact: "the same as compact lines"
    case .search: "hits of a search, newest first"
    case .switcher: "the switcher, with a few letters"
    case .help: "help, narrowed to what reads"
    case .contacts: "contacts: a request, a group that is unfolded, those without a group"
    case .mute: "how long to mute"
    case .spelling: "a wrong word in the input, and what it may have meant"
    case .copyView: "the copy view, with numbered links"
    case .twoConversations: "two conversations side by side, on a narrow screen the one that has the keys"
    case .noDaemon: "without a daemon: what to do first"
    case .changes: "edited, retracted, answered and forwarded messages, reactions, an action, styling"
    case .compactChanges: "the same as compact lines"
    case .correcting: "my last message in the input, to be corrected"
    case .replying: "an answer to the selected message"
    case .reacting: "reactions to choose from"
    case .links: "the links, mentions and topics on the screen"
    case .files: "files of messages: one, two, nine"
    case .fetching: "files that are on their way, and what can be done with one of them"
    case .accounts: "two accounts side by side: in the list, their states in words"
    case .avatars: "the avatar of the sender, and initials where none is here"
    case .room: "a room: who is there, a mention, comings and goings, who has read, who is typing, a moderated message"
    case .compactRoom: "the same as compact lines"
    case .roomMenu: "the topic of a room whole, and what its owner can do"
    case .roomMember: "what a moderator can do about somebody"
    case .roomForm: "the configuration of a room, with a field that is changed"
    case .emoticons: "the emoticon keyboard at its first pack"
    case .encrypted: "an encrypted conversation: the lock, a message that cannot be read, doubtful ones, a new device"
    case .compactEncrypted: "the same as compact lines"
    case .devices: "the devices of a contact with their fingerprints"
    }
  }

  func frame(columns: Int, lines: Int) -> Frame {
    var settings = UISettings()
    settings.hasBubbles = ![.compact, .compactChanges, .compactRoom, .compactEncrypted].contains(self)
    settings.spelling = self == .spelling ? ["en_US"] : []
    var capabilities = Capabilities(depth: .trueColour)
    capabilities.hasDarkBackground = true
    let ui = Harness(columns: columns, lines: lines, settings: settings, capabilities: capabilities)
    if self == .noDaemon {
      ui.handle(.disconnected("no such file"))
    } else if Self.rooms.contains(self) {
      showRoom(ui)
    } else {
      if self == .accounts {
        ui.connect(conversations: Self.rowsOfTwo, contacts: Self.people, accounts: Self.two)
      } else {
        ui.connect(conversations: Self.rows, contacts: Self.people)
      }
      act(ui)
    }
    return ui.app.frame()
  }

  private func act(_ ui: Harness) {
    switch self {
    case .list, .noDaemon:
      ui.line(#"{"event":"typing","conversation":"zoe@example.org","from":"zoe@example.org/x","state":"composing"}"#)
    case .conversation, .compact: open(ui)
    case .search: search(ui)
    case .switcher:
      ui.press("F2")
      ui.type("ca")
    case .help:
      ui.press("F1")
      ui.type("read")
    case .contacts: ui.press("F5", "Down", "Down", "Enter")
    case .mute: ui.press("F8")
    case .spelling: spell(ui)
    case .copyView:
      open(ui)
      ui.press("Alt-Y")
    case .twoConversations: openTwo(ui)
    case .changes, .compactChanges, .correcting, .replying, .reacting, .links, .emoticons: actOnChanges(ui)
    case .files: showFiles(ui)
    case .fetching: showFetching(ui)
    case .avatars: showAvatar(ui)
    case .accounts: ui.press("F6")
    case .encrypted, .compactEncrypted, .devices: showEncryption(ui)
    case .room, .compactRoom, .roomMenu, .roomMember, .roomForm: break
    }
  }

  private func open(_ ui: Harness) {
    ui.press("Enter")
    ui.answerHistory(Self.messages)
    ui.type("I'll be there, and bring ")
  }

  private func spell(_ ui: Harness) {
    open(ui)
    ui.type("teh cake ")
    ui.handle(.spelled(["teh": false]))
    ui.press("Alt-I")
    ui.handle(.suggestions("teh", ["the", "eth", "tech"]))
  }

  func openTwo(_ ui: Harness) {
    open(ui)
    ui.press("Alt-T")
    ui.type("zoe")
    ui.press("Enter")
    let text = Harness.message(31, "are you coming tonight?", minutes: -20, opens: true, nick: "Zoe")
    ui.answerHistory([text.replacing("bob@", with: "zoe@")])
  }

  private static let two = [
    #""account":{"name":"home","jid":"alice@example.org","state":"online"}"#,
    #""account":{"name":"work","jid":"a.liddell@example.com","state":"refused","reason":"the password is wrong"}"#,
  ]

  private func search(_ ui: Harness) {
    ui.press("F3")
    ui.type("cake")
    ui.press("Enter")
    let hits = [(14, "bring the cake 🎂, please", "[[10,14]]"), (3, "no cake today", "[[3,7]]")]
    let rows = hits.map { id, text, hits in
      Harness.message(UInt64(id), text, minutes: id == 3 ? -3000 : -30)
        .replacing(#""opens_section""#, with: #""hits":\#(hits),"opens_section""#)
    }
    ui.answer(ui.take("search"), rows.map { #""message":\#($0)"# }, final: #""ok":true,"more_before":true"#)
  }
}

// MARK: - What the daemon says

extension FrameScene {
  private static func row(_ jid: String, _ name: String, _ members: String) -> String {
    #"{"jid":"\#(jid)","name":"\#(name)","kind":"chat","mentions":0,\#(members)}"#
  }

  private static func last(_ id: UInt64, _ text: String, _ minutes: Int, mine: Bool = false) -> String {
    #""last":\#(Harness.message(id, text, mine: mine, minutes: minutes, state: "delivered"))"#
  }

  fileprivate static let rows = [
    row(
      "bob@example.org", "Bob",
      #""unread":2,"count":9,"read":12,"draft":"","pinned":true,\#(last(14, "bring the cake 🎂, please", -30))"#),
    row(
      "zoe@example.org", "Zoë 语言", #""unread":1,"count":1,"read":30,"draft":"",\#(last(31, "coming tonight?", -20))"#),
    row(
      "carol@example.org", "Carol",
      #""unread":0,"count":4,"read":21,"draft":"half a sentence",\#(last(21, "see you", -3000, mine: true))"#),
    row(
      "noise@example.org", "Noise",
      #""unread":120,"count":900,"read":1,"draft":"","notify":"never",\#(last(29, "שלום עולם", -12000))"#),
  ]

  /// The same of two accounts, by turns.
  private static let rowsOfTwo = rows.enumerated().map { index, row in
    row.replacing(#"{"jid""#, with: #"{"account":"\#(index % 2 == 0 ? "home" : "work")","jid""#)
  }

  fileprivate static let people = [
    #"{"jid":"bob@example.org","name":"Bob","groups":["Friends"],"subscription":"both","presence":[{"resource":"a","show":"available","status":"at home"}]}"#,
    #"{"jid":"zoe@example.org","name":"Zoë 语言","groups":["Friends"],"subscription":"both","presence":[{"resource":"a","show":"away","status":""}]}"#,
    #"{"jid":"carol@example.org","name":"Carol","groups":[],"subscription":"both","presence":[]}"#,
    #"{"jid":"dave@example.org","name":"Bob","groups":[],"subscription":"both","presence":[]}"#,
    #"{"jid":"eve@evil.example","groups":[],"subscription":"none","request":true,"presence":[]}"#,
  ]

  fileprivate static let messages = [
    Harness.message(8, "good morning ☕", minutes: -1500, opens: true),
    Harness.message(
      9, "morning! see https://example.org/agenda?day=1 (page 2).", mine: true, minutes: -1498, state: "displayed"),
    Harness.message(10, "family 👩‍👩‍👧, flags 🇩🇪, שלום", minutes: -120, opens: true),
    Harness.message(11, "not sent", mine: true, minutes: -110, state: "failed"),
    Harness.message(12, "still waiting", mine: true, minutes: -100, state: "queued"),
    Harness.message(
      13, "the party is on Friday, at the old place; more at http://example.org/party and https://example.org/map",
      minutes: -40),
    Harness.message(14, "bring the cake 🎂, please", minutes: -30),
  ]
}
