import Clocks
import JSON
import TerminalUI
import Testing

@Suite("Whom a command without an address concerns")
struct ConcernedTests {
  private static func contact(_ jid: String, request: Bool = false) -> String {
    #"{"event":"roster","contact":{"jid":"\#(jid)","subscription":"none","request":\#(request)}}"#
  }

  /// Bob's conversation is open; a stranger asks to be a contact, and a contact without a name is there.
  private func opened(asking: [String] = ["eve@evil.example"]) -> Harness {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    for jid in asking { ui.line(Self.contact(jid, request: true)) }
    ui.line(Self.contact("zoe@example.org"))
    ui.forgetRequests()
    return ui
  }

  private func run(_ command: String, _ ui: Harness) {
    ui.type(command)
    ui.press("Enter")
  }

  @Test(
    "the open conversation, whoever has no name",
    arguments: ["profile", "add", "unblock", "pin yes", "notify never", "read"])
  func atOnce(command: String) {
    let ui = opened()
    run("/" + command, ui)
    let verb = command.prefix { $0 != " " }
    #expect(ui.take(String(verb))?["jid"]?.string == "bob@example.org")
  }

  @Test("a question names the open conversation before it is blocked, removed or forgotten")
  func asked() {
    for verb in ["block", "remove", "forget-history"] {
      let ui = opened()
      run("/" + verb, ui)
      #expect(ui.requests.isEmpty && ui.shows("/\(verb) bob@example.org"))
      ui.type("y")
      #expect(ui.take(verb)?["jid"]?.string == "bob@example.org")
    }
    let ui = opened()
    run("/block zoe@example.org", ui)
    #expect(ui.take("block")?["jid"]?.string == "zoe@example.org", "whoever is named is blocked at once")
  }

  @Test("a request is settled after a question if it is the only one", arguments: ["accept", "deny"])
  func onlyRequest(verb: String) {
    let ui = opened()
    run("/" + verb, ui)
    #expect(ui.requests.isEmpty && ui.shows("/\(verb) eve@evil.example"))
    ui.type("y")
    #expect(ui.take(verb)?["jid"]?.string == "eve@evil.example")
  }

  @Test("the request of the open conversation is settled at once; of others it is said who asks, or that nobody does")
  func requests() {
    let ui = opened(asking: ["bob@example.org", "eve@evil.example"])
    run("/accept", ui)
    #expect(ui.take("accept")?["jid"]?.string == "bob@example.org")
    let two = opened(asking: ["mal@evil.example", "eve@evil.example"])
    run("/accept", two)
    #expect(two.shows("/accept and an address: eve@evil.example, mal@evil.example ask") && two.requests.isEmpty)
    let none = opened(asking: [])
    run("/deny", none)
    #expect(none.shows("Nobody asks to be a contact.") && none.requests.isEmpty)
  }

  @Test("a word that is neither an address nor a name is refused", arguments: ["block", "profile", "remove"])
  func unknown(verb: String) {
    let ui = opened()
    run("/\(verb) stranger", ui)
    #expect(ui.shows("No contact is called stranger.") && ui.requests.isEmpty)
  }

  @Test("a contact is added by an address or a domain, not by a word")
  func adding() {
    let ui = opened()
    run("/add stranger", ui)
    #expect(ui.shows("“stranger” is no address: name@server.") && ui.requests.isEmpty)
    let other = opened()
    run("/add bots.example", other)
    #expect(other.take("add")?["jid"]?.string == "bots.example")
  }

  @Test("everything can be read while a conversation is open")
  func all() {
    let ui = opened()
    run("/read all=yes", ui)
    #expect(ui.take("read").map { $0["jid"] == nil && $0["all"] != nil } == true)
  }

  @Test("a name means the contact in the contact's account")
  func account() {
    let ui = opened()
    ui.line(#"{"event":"roster","contact":{"account":"work","jid":"carl@example.org","name":"Carl"}}"#)
    run("/block Carl", ui)
    let request = ui.take("block")
    #expect(request?["jid"]?.string == "carl@example.org" && request?["account"]?.string == "work")
  }

  @Test("a conversation is unpinned; what takes an account away from its owner is asked about")
  func unpin() {
    let ui = Harness.opened()
    ui.type("/unpin")
    ui.press("Enter")
    let request = ui.take("pin")
    #expect(request?["jid"]?.string == "bob@example.org" && request?["value"]?.string == "no")
    for (command, verb) in [("/disconnect", "disconnect"), ("/weaker-login", "unpin")] {
      ui.type(command)
      ui.press("Enter")
      #expect(ui.take(verb) == nil && ui.shows("y yes"), "\(command)")
      ui.press("y")
      #expect(ui.take(verb) != nil, "\(command)")
    }
  }

  @Test("words behind a command that has none are refused, and stay")
  func words() {
    let ui = Harness.opened()
    ui.type("/mute for a while")
    ui.press("Enter")
    #expect(ui.shows("/mute takes no words") && ui.shows("› /mute for a while"))
    ui.press("Ctrl-U")
    ui.type("/quit it")
    ui.press("Enter")
    #expect(ui.shows("/quit takes no words") && ui.actions.isEmpty)
  }
}
