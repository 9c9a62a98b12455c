import Glibc
import JSON
import TestSupport
import Testing

/// Users beside each other on the sockets of one daemon.
@Suite("Turns of users", .enabled(if: getuid() == 0, "only root may become other users"))
struct FairTurnsTests {
  private static let (reader, sender, third) = (65534, 65533, 65532)

  /// A daemon with a `read` socket of the one and a `send` socket of the others.
  private func daemon(_ folder: TemporaryFolder, _ account: Daemon.Account? = nil) throws -> Daemon {
    for name in ["eyes", "alerts"] { _ = try folder.makeFolder(name, mode: 0o755) }
    try folder.letOthersThrough()
    var account = try account ?? .unreachable()
    account.more += [
      "[socket eyes]", "path = \(folder.file("eyes/socket"))", "rights = read", "allow-uid = \(Self.reader)",
      "[socket alerts]", "path = \(folder.file("alerts/socket"))", "rights = send", "allow-uid = \(Self.sender)",
      "allow-uid = \(Self.third)",
    ]
    return try Daemon(in: folder, accounts: [account])
  }

  /// The answers to so many alerts of a user.
  private func alert(_ folder: TemporaryFolder, user: Int, _ count: Int) throws -> [JSONValue] {
    let lines = (0..<count).map { "send ops@example.test alert \(user) \($0)\n" }.joined()
    let done = try Program.run(
      ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "nc", "-NU", folder.file("alerts/socket")],
      input: Array(lines.utf8))
    return try done.output.split(separator: 0x0A).dropFirst().map { try JSONParser.parse(Array($0)) }
  }

  @Test("the owner's search is answered while most of thousands that a `read` user wants are not")
  func searches() throws {
    let folder = try TemporaryFolder("searches")
    try folder.reportingLogs {
      let daemon = try daemon(folder)
      let seeding = try daemon.client()
      // Each search reads some megabytes.
      let text = String(repeating: "straw ", count: 9000)
      for _ in 0..<40 { #expect(try seeding.sendToBob(text).isOK) }
      #expect(try seeding.sendToBob("a needle").isOK)
      let crowd = try HelperProcess(
        "crowd.py", [folder.file("eyes/socket"), "400", "\(Self.reader)"], log: folder.file("crowd.log"))
      #expect(try crowd.event("connected")["greeted"]?.integer == 400)
      let owner = try daemon.client()
      // All that is asked is there before any of it is read, the owner's search last.
      try daemon.signal(SIGSTOP)
      try crowd.do("write", [JSONMember("text", .string("search needle\n")), JSONMember("repeat", .integer(8))])
      try crowd.event("written")
      try owner.send("search needle")
      try daemon.signal(SIGCONT)
      #expect(try owner.answer().data.count == 1)
      try daemon.signal(SIGSTOP)
      try crowd.do("count")
      let count = try #require(try crowd.event("answers")["count"]?.integer)
      try daemon.signal(SIGCONT)
      #expect(count < 200)
    }
  }

  @Test("of thousands of alerts of a `send` user 500 wait, and the owner's message and another user's are taken")
  func alerts() throws {
    let folder = try TemporaryFolder("alerts")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder)
      let account = Daemon.Account(
        "alice", password: "secret-a", port: server.directTLSPort, tls: "direct", authority: server.authority)
      let daemon = try daemon(folder, account)
      let owner = try daemon.client()
      try owner.waitUntilOnline()
      #expect(try owner.request("disconnect").isOK)
      let answers = try alert(folder, user: Self.sender, 3000)
      #expect(answers.count == 3000 && answers.prefix(500).allSatisfy { $0["ok"]?.bool == true })
      #expect(answers.dropFirst(500).allSatisfy { $0.text("error") == "limit" && $0["retry_after"] != nil })
      #expect(try alert(folder, user: Self.third, 3).allSatisfy { $0["ok"]?.bool == true })
      #expect(try owner.sendToBob("mine").isOK)
      #expect(try owner.request("connect").isOK)
      // What leaves keeps the order in which it was stored.
      for text in (0..<500).map({ "alert \(Self.sender) \($0)" }) + ["alert \(Self.third) 0"] {
        #expect(try server.received("message").contains("<body>\(text)</body>"))
      }
      _ = try server.received("message") { $0.contains("<body>mine</body>") }
    }
  }

  @Test("`account =` confines a socket: another user sees and sends nothing of other accounts")
  func account() throws {
    let folder = try TemporaryFolder("account")
    try folder.reportingLogs {
      _ = try folder.makeFolder("work", mode: 0o755)
      try folder.letOthersThrough()
      var work = try Daemon.Account.unreachable()
      (work.name, work.jid) = ("work", "ann@example.test")
      work.more = [
        "[socket work]", "path = \(folder.file("work/socket"))", "rights = full", "account = work",
        "allow-uid = \(Self.third)",
      ]
      let daemon = try Daemon(in: folder, accounts: [.unreachable(), work])
      let owner = try daemon.client()
      for account in ["alice", "work"] {
        #expect(try owner.request("send account=\(account) bob@example.test secret of \(account)").isOK)
      }
      let requests = [
        "send bob@example.test hello", "history bob@example.test", "search secret", "conversations", "status",
        "send account=alice bob@example.test x", "history account=alice bob@example.test", "watch account=alice",
      ]
      let done = try Program.run(
        [
          "setpriv", "--reuid=\(Self.third)", "--regid=\(Self.third)", "--clear-groups", "nc", "-NU",
          folder.file("work/socket"),
        ], input: Array(requests.map { $0 + "\n" }.joined().utf8))
      #expect(!done.text.contains("of alice") && !done.text.contains("alice@"), "\(done.text)")
      let answers = try done.output.split(separator: 0x0A).map { try JSONParser.parse(Array($0)) }
      let errors = answers.filter { $0["ok"] != nil }.map { $0.text("error") }
      #expect(errors.count { $0.isEmpty } == 5 && errors.count { $0 == "not-allowed" } == 3)
      let texts = Set(answers.compactMap { $0["message"]?.text("text") })
      #expect(texts == ["secret of work", "hello"])
    }
  }
}
