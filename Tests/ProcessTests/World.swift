import JSON
import TestSupport

/// A server, and a daemon that is alice's at it, in a folder of one test's own.
struct World<Server: LoginServer> {
  let folder: TemporaryFolder
  let server: Server
  let daemon: Daemon
  /// A client whose greeting has been read.
  let client: SocketClient

  /// - Parameters:
  ///   - tls: `starttls` or `direct`.
  ///   - online: whether to wait until it is logged in.
  init(
    _ server: Server, in folder: TemporaryFolder, tls: String = "direct", settings: [String] = [], online: Bool = true,
    wrapper: [String] = []
  ) throws {
    self.folder = folder
    self.server = server
    let account = Daemon.Account(
      "alice", password: "secret-a", port: tls == "direct" ? server.directTLSPort : server.startTLSPort, tls: tls,
      authority: server.authority)
    daemon = try Daemon("alice", in: folder, accounts: [account], settings: settings, wrapper: wrapper)
    client = try daemon.client()
    if online {
      try client.waitUntilOnline()
      try server.waitForPresence()
    }
  }
}

/// A server at which alice logs in.
protocol LoginServer: AccountServer {
  /// Back when it has taken in all that a client says at its login.
  func waitForPresence() throws
}

/// One that tells of logins.
protocol WatchedServer: LoginServer {
  /// When somebody's initial presence came, in seconds since 1970.
  func initialPresence(of user: String) throws -> Double
}

extension Prosody: WatchedServer {
  func waitForPresence() {}
}

extension Ejabberd: LoginServer {
  func waitForPresence() {}
}

extension ScriptedServer: WatchedServer {
  func waitForPresence() throws {
    try received("presence")
  }
}

extension SocketClient {
  /// Back when the one account is logged in.
  func waitUntilOnline() throws {
    let answer = try request("status for=online timeout=60s", until: .seconds(90))
    guard answer.isOK else { throw TestFailure("not online: \(answer.data) \(answer.final)") }
  }

  /// The same, when the server has answered what stands behind the presence: a message that comes as somebody logs in is
  /// stored by ejabberd, and hidden until the next login.
  func waitForLogin() throws {
    try waitUntilOnline()
    _ = try request("profile bob@example.test")
  }

  /// Back when what there is has been fetched out of the one account's archive. It is told of by nothing else.
  func waitForArchive() throws {
    let deadline = Deadline.seconds(180)
    while try account()["archive"]?.text("state") != "complete" {
      guard !deadline.hasPassed else { throw TestFailure("the archive is \(try account()["archive"] ?? .null)") }
    }
  }

  /// Back when both lists of the one account have the daemon's device: nobody can encrypt to it before.
  func waitForDevice() throws {
    let deadline = Deadline.seconds(60)
    while try request("devices").data.allSatisfy({
      $0["device"]?["this"]?.bool != true || $0["device"]?["versions"]?.array?.count != 2
    }) {
      guard !deadline.hasPassed else { throw TestFailure("the device is on no list") }
    }
  }

  /// The one account's status.
  func account() throws -> JSONValue {
    guard let account = try request("status").data.first?["account"] else { throw TestFailure("no account") }
    return account
  }

  /// Sends a text to bob, whatever is in it.
  @discardableResult
  func sendToBob(_ text: String, _ members: [JSONMember] = []) throws -> Answer {
    try request(
      json: "send", [JSONMember("to", .string("bob@example.test")), JSONMember("text", .string(text))] + members)
  }

  /// The messages of the conversation with bob, oldest first.
  func historyWithBob(limit: Int = 1000) throws -> [JSONValue] {
    try request("history limit=\(limit) bob@example.test").data.compactMap { $0["message"] }
  }
}

extension Daemon {
  /// Waits until the account is in one of these states, and returns its status.
  func waitForState(_ states: Set<String>) throws -> JSONValue {
    let watcher = try client()
    guard try watcher.request("watch kinds=connection").isOK else { throw TestFailure("watch") }
    let asker = try client()
    while true {
      let account = try asker.account()
      if states.contains(account.text("state")) { return account }
      _ = try watcher.event("connection")
    }
  }
}
