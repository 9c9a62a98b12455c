import ConfabCLI
import LineProtocol
import Testing

@Suite("Names of contacts on the command line")
struct NameTests {
  private static let roster = [
    #"{"contact":{"jid":"bob@example.org","name":"Bob","groups":[]}}"#,
    #"{"contact":{"jid":"anna@example.org","name":"Anna"}}"#,
    #"{"contact":{"jid":"anna@work.example","name":"ANNA"}}"#,
    #"{"contact":{"jid":"nameless@example.org"}}"#, #"{"ok":true}"#,
  ]

  private static let rooms = [
    #"{"room":{"jid":"lunch@rooms.example","name":"Lunch","state":"joined"}}"#,
    #"{"room":{"jid":"bob@rooms.example","name":"Bob","state":"left"}}"#, #"{"ok":true}"#,
  ]

  /// With an unknown name, the daemon is asked for rooms, too.
  private func runWithRooms(_ arguments: [String]) -> (daemon: FakeDaemon, code: Int32) {
    let daemon = FakeDaemon(
      [FakeDaemon.greeting, .takes, .lines(Self.roster), .takes, .lines(Self.rooms), .takes]
        + [.lines([#"{"ok":true,"id":8}"#])])
    return (daemon, daemon.run(arguments))
  }

  @Test("a room is found by its name where no contact has that")
  func room() {
    let (daemon, code) = runWithRooms(["history", "lunch"])
    #expect(code == 0 && daemon.requests.map(\.verb) == [.roster, .rooms, .history])
    #expect(daemon.requests.last?.string(.jid) == "lunch@rooms.example")
    #expect(run(["history", "bob"]).daemon.requests.last?.string(.jid) == "bob@example.org")
  }

  private func run(_ arguments: [String], _ roster: [String] = roster) -> (daemon: FakeDaemon, code: Int32) {
    let daemon = FakeDaemon([FakeDaemon.greeting, .takes, .lines(roster), .takes, .lines([#"{"ok":true,"id":8}"#])])
    return (daemon, daemon.run(arguments))
  }

  @Test(
    "a name, whatever its case, stands for the JID in arguments and options",
    arguments: [
      (["send", "Bob", "hi"], Verb.send), (["send", "bOB", "hi"], .send), (["history", "bob"], .history),
      (["read", "bob"], .read),
    ])
  func found(arguments: [String], verb: Verb) throws {
    let (daemon, code) = run(arguments)
    #expect(code == 0 && daemon.requests.map(\.verb) == [.roster, verb] && daemon.dials.count == 1)
    let request = try #require(daemon.requests.last)
    #expect((request.string(.to) ?? request.string(.jid)) == "bob@example.org")
    #expect(run(["search", "--in=bob", "x"]).daemon.requests.last?.string(.in) == "bob@example.org")
  }

  @Test("a name of several contacts is refused with their JIDs, an unknown name with a hint")
  func refused() {
    let several = run(["send", "anna", "hi"])
    #expect(several.code == 64 && several.daemon.requests.map(\.verb) == [.roster])
    #expect(
      several.daemon.complaints == [
        "confab: several contacts or rooms are named 'anna'; use one of their JIDs: anna@example.org, anna@work.example"
      ])
    let nobody = runWithRooms(["send", "bill", "hi"])
    #expect(nobody.code == 64 && nobody.daemon.requests.map(\.verb) == [.roster, .rooms])
    #expect(nobody.daemon.complaints.first?.hasPrefix("confab: no contact or room is named 'bill'") == true)
  }

  @Test("addresses, domains, and words after --jid are not looked up")
  func literal() {
    for arguments in [["send", "bob@x", "hi"], ["send", "--jid", "bob", "hi"]] {
      let daemon = FakeDaemon(answers: #"{"ok":true,"id":8}"#)
      #expect(daemon.run(arguments) == 0 && daemon.requests.map(\.verb) == [.send])
      #expect(daemon.requests.first?.string(.to) == arguments.dropLast().last)
    }
    #expect(run(["send", "example.org", "hi"]).daemon.requests.last?.string(.to) == "example.org")
  }

  @Test("a socket that may not ask for the roster looks up no names")
  func noRoster() {
    let (daemon, code) = run(["send", "bob", "hi"], [#"{"ok":false,"error":"not-allowed","reason":"no"}"#])
    #expect(code == 0 && daemon.requests.last?.string(.to) == "bob")
  }

  @Test("a name that only one account has selects that account")
  func account() {
    let contact = #"{"contact":{"jid":"bob@x","name":"Bob","account":"work"}}"#
    #expect(run(["send", "bob", "hi"], [contact, #"{"ok":true}"#]).daemon.requests.last?.account == "work")
    let both = [contact, #"{"contact":{"jid":"bob@x","name":"Bob","account":"home"}}"#, #"{"ok":true}"#]
    let (daemon, _) = run(["send", "bob", "hi"], both)
    #expect(daemon.requests.last?.account == nil && daemon.requests.last?.string(.to) == "bob@x")
  }
}
