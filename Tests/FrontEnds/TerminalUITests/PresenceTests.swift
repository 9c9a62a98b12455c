import Clocks
import JSON
import Testing

@testable import TerminalUI

@Suite("Presences in the terminal UI")
struct PresenceTests {
  private static func contact(_ name: String, _ members: String) -> String {
    #"{"jid":"\#(name.lowercased())@example.org","name":"\#(name)","groups":["Friends"],"subscription":"both",\#(members)}"#
  }

  private static let available = #""presence":[{"resource":"a","show":"available","status":"at home"}]"#
  private static let bob = contact("Bob", available)
  private static let carol = contact("Carol", #""presence":[]"#)

  private func connected(_ contacts: [String] = [bob, carol], state: String = "online") -> Harness {
    let ui = Harness()
    ui.connect(
      conversations: [Harness.conversation("bob@example.org", name: "Bob")], contacts: contacts,
      accounts: [Self.account(state)])
    return ui
  }

  private static func account(_ state: String, since: Timestamp? = nil) -> String {
    let since = since.map { #","since":"\#($0.rfc3339)""# } ?? ""
    return #""account":{"name":"home","jid":"alice@example.org","state":"\#(state)","reason":""\#(since)}"#
  }

  private func change(_ ui: Harness, to state: String, since: Timestamp? = nil) {
    ui.line(#"{"event":"connection","account":"home","state":"\#(state)","reason":""}"#)
    ui.answer(ui.take("status"), [Self.account(state, since: since)])
  }

  // MARK: Blocked contacts

  @Test("a contact whom I block is blocked in the list, the header and the contacts, whatever presence was there last")
  func blocked() {
    let ui = connected([Self.contact("Bob", Self.available + #","blocked":true"#), Self.carol])
    #expect(ui.shows("⊘ Bob") && !ui.shows("●"))
    ui.press("Enter")
    #expect(ui.shows("Bob  bob@example.org  blocked") && !ui.shows("available"))
    ui.press("F5")
    #expect(ui.shows("0 of 2 online"))
    ui.press("Down", "Right")
    #expect(ui.shows("bob@example.org  blocked"))
  }

  @Test("an event of a presence says that a contact was blocked or unblocked, and one of the roster changes neither")
  func blocking() {
    let ui = connected()
    #expect(ui.shows("● Bob"))
    ui.line(
      #"{"event":"presence","jid":"bob@example.org","show":"available","status":"at home","blocked":true}"#)
    #expect(ui.shows("⊘ Bob"))
    ui.line(#"{"event":"roster","seq":11,"contact":\#(Self.bob)}"#)
    #expect(ui.shows("⊘ Bob"))
    ui.line(#"{"event":"presence","jid":"bob@example.org","show":"available","status":"at home"}"#)
    #expect(ui.shows("● Bob"))
  }

  // MARK: Accounts that are offline

  @Test("while the account is offline, nothing is said of presences, and the header says why")
  func offline() {
    let ui = connected()
    ui.press("Enter")
    #expect(ui.shows("Bob  bob@example.org  available: at home"))
    change(ui, to: "waiting")
    #expect(ui.shows("Bob  bob@example.org  account offline") && !ui.shows("available"))
    change(ui, to: "connecting")
    #expect(ui.shows("account connecting"))
    ui.press("Esc")
    #expect(!ui.shows("●") && !ui.shows("○"))
    ui.press("F5")
    #expect(ui.shows("group, 2 contacts"))
    ui.press("Down", "Right")
    #expect(ui.shows("bob@example.org") && !ui.shows("offline"))
    ui.press("Esc")
    ui.type("/roster")
    ui.press("Enter")
    ui.answer(ui.take("roster"), [#""contact":\#(Self.carol)"#])
    #expect(ui.shows("Carol, carol@example.org") && !ui.shows("carol@example.org, offline"))
  }

  @Test("on a narrow screen the address in the header gives way to the state, unless the name is another's too")
  func narrow() {
    let names = ["Bob", "Carol"].map { Self.contact($0, #""presence":[],"blocked":true"#) }
    let long = "Bob the Builder of Castles"
    for (contacts, isWhole) in [(names, false), ([names[0], names[1].replacing(#""Carol""#, with: #""Bob""#)], true)] {
      let ui = Harness(columns: 40, lines: 12)
      let renamed = contacts.map { $0.replacing(#""Bob""#, with: "\"\(long)\"") }
      ui.connect(conversations: [Harness.conversation("bob@example.org", name: long)], contacts: renamed)
      ui.press("Enter")
      #expect(ui.screen[0].hasPrefix(" \(long)  " + (isWhole ? "bob@exampl" : "blocked")))
    }
  }

  @Test("a contact who shows me no presence has no mark")
  func unseen() {
    let ui = connected([Self.bob.replacing("both", with: "from").replacing(Self.available, with: #""presence":[]"#)])
    #expect(ui.shows("  Bob") && !ui.shows("○"))
    ui.press("Enter")
    #expect(ui.shows("not asked for presence"))
  }

  @Test("a contact of whom no presence came yet is not called offline; the first presence says what they are")
  func unknown() {
    let ui = connected([Self.contact("Bob", #""presence":[],"presence_known":false"#), Self.carol])
    #expect(ui.shows("  Bob") && !ui.shows("○ Bob"))
    ui.press("Enter")
    #expect(!ui.shows("offline"))
    ui.press("Esc")
    ui.line(#"{"event":"presence","jid":"bob@example.org","show":"unavailable"}"#)
    #expect(ui.shows("○ Bob"))
    ui.line(#"{"event":"presence","jid":"bob@example.org","presence_known":false}"#)
    #expect(!ui.shows("○ Bob"))
    ui.line(#"{"event":"presence","jid":"bob@example.org","show":"away","status":"lunch"}"#)
    ui.press("Enter")
    #expect(ui.shows("away: lunch"))
  }

  @Test("nobody is called offline in the first seconds of a login, while presences still come")
  func firstSeconds() {
    let ui = connected([Self.contact("Bob", #""presence":[]"#), Self.carol])
    #expect(ui.shows("○ Bob"))
    change(ui, to: "online", since: ui.now.wall)
    #expect(!ui.shows("○ Bob"))
    ui.wait(.seconds(11))
    #expect(ui.shows("○ Bob"))
  }

  @Test("an account that comes online tells anew who is there")
  func online() {
    let ui = connected([Self.contact("Bob", #""presence":[]"#)], state: "waiting")
    #expect(ui.take("roster") == nil && !ui.shows("○"))
    change(ui, to: "online")
    ui.answer(ui.take("roster"), [#""contact":\#(Self.bob)"#])
    #expect(ui.shows("● Bob"))
    change(ui, to: "online")
    #expect(ui.take("roster") == nil)
  }

  // MARK: My own presence

  private func account(_ name: String, _ show: String, _ status: String = "") -> String {
    #""account":{"name":"\#(name)","jid":"\#(name)@example.org","state":"online","reason":"","#
      + #""presence":{"show":"\#(show)","status":"\#(status)"}}"#
  }

  private func lastLine(_ columns: Int, _ accounts: [String]) -> String {
    let ui = Harness(columns: columns, lines: 24)
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob", unread: 2)], accounts: accounts)
    return ui.screen.last ?? ""
  }

  @Test("the status line says how I am, unless I am simply available")
  func own() {
    #expect(lastLine(80, [account("home", "available")]).hasPrefix(" 2 unread  "))
    #expect(lastLine(80, [account("home", "away", "gone for lunch")]).hasPrefix(" away: gone for lunch  2 unread  "))
    #expect(lastLine(80, [account("home", "available", "at work")]).hasPrefix(" available: at work  2 unread  "))
    #expect(
      lastLine(80, [account("home", "away", String(repeating: "very ", count: 20))]).contains(" very…  2 unread  "))
    #expect(lastLine(40, [account("home", "dnd", "writing")]).hasPrefix(" dnd  2 unread  "))
    #expect(lastLine(40, [account("home", "available", "at work")]).hasPrefix(" 2 unread"))
    #expect(lastLine(10, [account("home", "away", "x")]) == " away  2…")
  }

  @Test("of several accounts the status line names those that are not simply available, unless all are the same")
  func ownOfSeveral() {
    let away = account("home", "away")
    #expect(lastLine(80, [away, account("work", "available")]).hasPrefix(" away (home)  2 unread"))
    #expect(lastLine(80, [away, account("work", "away")]).hasPrefix(" away  2 unread"))
    #expect(lastLine(80, [away, account("work", "dnd", "x")]).hasPrefix(" away (home)  dnd: x (work)  2 unread"))
  }

  @Test("a presence that is set anywhere is asked for, and stands in the list of accounts")
  func ownChange() {
    let ui = connected()
    ui.line(#"{"event":"connection","account":"home","state":"online","reason":""}"#)
    ui.answer(ui.take("status"), [account("home", "xa", "until Monday").replacing("home@", with: "alice@")])
    #expect(ui.shows(" xa: until Monday"))
    ui.press("F6")
    #expect(ui.shows("online, xa: until Monday"))
  }
}
