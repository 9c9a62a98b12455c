import JSON
import TestSupport
import Testing

/// Runs a test's body with alice online at a real server; a failure comes out with the logs.
func withProsody(
  hash: Prosody.PasswordHash = .sha256, tls: String = "direct", with modules: [String] = [],
  _ body: (World<Prosody>) throws -> Void
) throws {
  let folder = try TemporaryFolder("world")
  try folder.reportingLogs {
    try body(try World(try Prosody(in: folder, hash: hash, with: modules), in: folder, tls: tls))
  }
}

/// Runs a test's body with alice at a real ejabberd with what people have there; a failure comes out with the logs.
func withEjabberd(_ body: (World<Ejabberd>) throws -> Void) throws {
  let folder = try TemporaryFolder("world")
  try folder.reportingLogs { try body(try World(try Ejabberd(in: folder, forPeople: true), in: folder)) }
}

/// Runs a test's body with alice at a scripted server; a failure comes out with the logs.
///
/// - Parameters:
///   - online: whether to wait until she is online.
///   - prepare: tells the server what to do before the daemon comes.
func withScriptedServer(
  tls: String = "direct", online: Bool = true, prepare: (ScriptedServer) throws -> Void = { _ in },
  _ body: (World<ScriptedServer>) throws -> Void
) throws {
  let folder = try TemporaryFolder("world")
  try folder.reportingLogs {
    let server = try ScriptedServer(in: folder, accounts: ["alice": "secret-a", "bob": "secret-b"])
    try prepare(server)
    try body(try World(server, in: folder, tls: tls, online: online))
  }
}

/// Runs a test's body with a daemon whose account reaches no server, and a client of it; a failure comes out with the
/// logs.
func withDaemon(settings: [String] = [], _ body: (Daemon, SocketClient) throws -> Void) throws {
  let folder = try TemporaryFolder("world")
  try folder.reportingLogs {
    let daemon = try Daemon(in: folder, settings: settings)
    try body(daemon, try daemon.client())
  }
}

extension World {
  /// The other person.
  func bob() throws -> Peer { try Peer("bob", password: "secret-b", at: server, in: folder) }

  /// Lets alice and bob see each other's presence.
  func befriend(_ bob: Peer) throws {
    let watcher = try daemon.client()
    #expect(try watcher.request("watch kinds=roster").isOK)
    #expect(try client.request("add bob@example.test").isOK)
    try bob.event("presence") { $0.text("type") == "subscribe" }
    try bob.sendPresence(to: "alice@example.test", type: "subscribed")
    try bob.sendPresence(to: "alice@example.test", type: "subscribe")
    _ = try watcher.event("roster") { $0["contact"]?["request"]?.bool == true }
    #expect(try client.request("accept bob@example.test").isOK)
    _ = try watcher.event("roster") { $0["contact"]?.text("subscription") == "both" }
  }
}

extension World where Server == ScriptedServer {
  /// A chat message to alice, as the server hands it over.
  func deliver(_ text: String, id: String, from: String = "bob@example.test/phone") throws {
    try server.send("<message from='\(from)' to='${jid}' type='chat' id='\(id)'><body>\(text)</body></message>")
  }
}

extension AccountServer {
  /// An account here as the daemon configures it.
  func account(_ user: String, password: String? = nil, tls: String = "direct") -> Daemon.Account {
    Daemon.Account(
      user, password: password ?? "secret-\(user.prefix(1))", port: tls == "direct" ? directTLSPort : startTLSPort,
      tls: tls, authority: authority)
  }
}

extension SocketClient {
  /// Asks, and fails where the answer is no.
  @discardableResult
  func ask(_ line: String, until deadline: Deadline = .seconds(60)) throws -> Answer {
    let answer = try request(line, until: deadline)
    guard answer.isOK else { throw TestFailure("\(line.prefix(100)): \(answer.final)") }
    return answer
  }

  /// All messages with somebody, oldest first.
  func history(_ jid: String, limit: Int = 1000) throws -> [JSONValue] {
    try ask("history limit=\(limit) \(jid)").data.compactMap { $0["message"] }
  }

  /// The whole conversation with a JID, in order, page by page.
  func wholeHistory(_ jid: String) throws -> [JSONValue] {
    var messages: [JSONValue] = []
    while true {
      let answer = try ask("history row=\(messages.count) limit=1000 \(jid)")
      messages += answer.data.compactMap { $0["message"] }
      if answer.final["more_after"]?.bool != true || answer.data.isEmpty { return messages }
    }
  }
}

extension Daemon {
  /// Waits until an account's `status` fits; after a deed, also where that lasts a moment only.
  @discardableResult
  func status(
    _ name: String = "alice", until deadline: Deadline = .seconds(60), after deed: () throws -> Void = {},
    where fits: (JSONValue) -> Bool
  ) throws -> JSONValue {
    let watcher = try client()
    try watcher.ask("watch kinds=connection")
    let asker = try client()
    try deed()
    var last: JSONValue?
    var event: JSONValue?
    while true {
      last = try asker.request("status").data.compactMap { $0["account"] }.first { $0.text("name") == name }
      if let last, fits(last) { return last }
      // What was true for a moment only is over by now.
      if let event, event["account"]?.string ?? name == name, fits(event) { return event }
      do {
        event = try watcher.event("connection", until: deadline)
      } catch {
        throw TestFailure("\(error); the last status was \(last.map { "\($0)" } ?? "none")")
      }
    }
  }
}

extension JSONValue {
  /// True if the member `text` is this, byte for byte: `String` compares by canonical equivalence.
  func hasText(_ text: String) -> Bool { self["text"]?.string?.utf8.elementsEqual(text.utf8) == true }
}
