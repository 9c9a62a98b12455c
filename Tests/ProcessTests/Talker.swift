import JSON
import TestSupport
import Testing

/// One of two who say numbered messages to one another, by a daemon of their own. What is not answered before the daemon
/// dies is asked for again, under the same keys.
final class Talker {
  let name: String
  let daemon: Daemon
  private let other: String
  private let account: Daemon.Account
  private let folder: TemporaryFolder
  private var client: SocketClient?
  /// How many were to be said, and how many of them were answered.
  private(set) var said = 0
  private var answered = 0

  /// A daemon, which is waited for until it is online and has seen the archive.
  init(
    _ name: String, to other: String, account: Daemon.Account, in folder: TemporaryFolder, home: String? = nil
  ) throws {
    (self.name, self.other, self.account, self.folder) = (name, other, account, folder)
    daemon = try Daemon(home ?? name, in: folder, accounts: [account])
    try daemon.client().waitUntilOnline()
    // Who has never seen the archive to its end cannot ask it what arrived.
    try daemon.client().waitForArchive()
    client = try daemon.client()
  }

  /// Asks for so many more messages. The answers are read later.
  func say(_ count: Int) throws {
    let first = said
    said += count
    try ask(from: first)
  }

  /// Ends the daemon by SIGKILL.
  func kill() throws {
    try daemon.kill()
    // What it answered before is here to be read.
    while let client, let answer = try? client.answer() { try take(answer) }
    client = nil
  }

  /// Starts it again, and asks for what was not answered.
  func start() throws {
    try daemon.start()
    client = try daemon.client()
    try ask(from: answered)
  }

  /// Back when all that was said is answered.
  func settle() throws {
    while let client, answered < said { try take(try client.answer()) }
  }

  /// Asks for the account to be connected now, however long the pause is that it makes.
  func connect() throws {
    try daemon.client().ask("connect")
  }

  /// All that was said, in its order.
  var texts: [String] { (0..<said).map { "\(name) \($0)" } }

  /// Back when the server has all that was said; after a silence of 30 s, and perhaps of another 10 s.
  func waitUntilSent() throws {
    guard let last = try messages().last(where: \.isMine)?["id"]?.integer else { return }
    try daemon.client().ask("wait for=sent timeout=2m \(last)", until: .seconds(150))
  }

  /// The whole conversation, in its order.
  func messages() throws -> [JSONValue] {
    try daemon.client().wholeHistory("\(other)@example.test")
  }

  /// What the server's archive has of the other's: as a daemon gets it that has nothing else.
  func archivedOfOther() throws -> [String] {
    let reader = try Talker(name, to: other, account: account, in: folder, home: "\(name)-reader")
    return try reader.messages().filter { !$0.isMine }.map { $0.text("text") }
  }

  private func ask(from first: Int) throws {
    let lines = (first..<said).map { "send key=\(name)-\($0) \(other)@example.test \(name) \($0)\n" }
    try client?.send(bytes: Array(lines.joined().utf8))
  }

  private func take(_ answer: SocketClient.Answer) throws {
    guard answer.isOK else { throw TestFailure("\(name) \(answered) was not taken: \(answer.final)") }
    answered += 1
  }
}

/// Two talkers, and what has to be true of them at the end.
struct Talk {
  let talkers: [Talker]
  /// Said with what is wrong.
  let seed: UInt64

  /// - Parameters:
  ///   - port: where alice's daemon connects to, if not to the server itself.
  ///   - encryption: of both accounts.
  init(
    at server: some AccountServer, in folder: TemporaryFolder, seed: UInt64, through port: UInt16? = nil,
    encryption: String = "never"
  ) throws {
    var (alice, bob) = (server.account("alice"), server.account("bob"))
    alice.port = port ?? alice.port
    (alice.encryption, bob.encryption) = (encryption, encryption)
    self.seed = seed
    talkers = [
      try Talker("alice", to: "bob", account: alice, in: folder),
      try Talker("bob", to: "alice", account: bob, in: folder),
    ]
    if encryption != "never" { for talker in talkers { try talker.daemon.client().waitForDevice() } }
  }

  /// Both say so many at most.
  func say(_ chance: inout Chance, upTo most: Int = 12) throws {
    for talker in talkers { try talker.say(chance.draw(0...most)) }
  }

  /// In which order, and how often, what the other said is there.
  enum Order {
    /// Once, as it was said.
    case asSaid
    /// In any order, as often as the server's archive has it at most: what it takes twice is two to everybody. What I
    /// said may have been in doubt: it may end a stream that it has just resumed.
    case asArchived
  }

  /// Both logs hold every message once, in the order in which it was said, and every one of mine was sent, without doubt.
  ///
  /// - Parameters:
  ///   - order: of what came.
  ///   - archive: what a user's archive has, where a server that broke down in the middle of a message may have told its
  ///     sender's archive of it and not the other's: what it then lost, it lost.
  func expectAll(_ order: Order = .asSaid, archive: ((String) throws -> [String])? = nil) throws {
    for talker in talkers {
      try talker.settle()
      try talker.waitUntilSent()
    }
    for (talker, other) in zip(talkers, talkers.reversed()) {
      let kept = try archive.map { Set(try $0(talker.name)) }
      let wanted = other.texts.filter { kept?.contains($0) ?? true }
      try waitForAll(talker.texts + wanted, at: talker)
      let messages = try talker.messages()
      let (mine, others) = (messages.filter(\.isMine), messages.filter { !$0.isMine })
      expect(mine.map { $0.text("text") }, talker.texts, "\(talker.name)'s own")
      let found = others.map { $0.text("text") }
      switch order {
      case .asSaid: expect(found, wanted, "\(other.name)'s at \(talker.name)")
      case .asArchived: expect(found, wanted, atMost: try talker.archivedOfOther(), at: talker)
      }
      let isSure = order != .asArchived
      let odd = mine.filter { isSure && $0["in_doubt"] != nil || ["queued", "failed"].contains($0.text("state")) }
      #expect(odd.isEmpty, "CONFAB_SEED=\(seed)")
    }
  }

  /// Every message is encrypted, and can be read.
  func expectAllEncrypted() throws {
    for talker in talkers {
      let odd = try talker.messages().filter { message in
        message["encrypted"]?["version"] == nil || message["encrypted"]?["error"] != nil
      }
      #expect(odd.isEmpty, "at \(talker.name), CONFAB_SEED=\(seed)")
    }
  }

  /// How many messages were said.
  var count: Int { talkers.reduce(0) { $0 + $1.said } }

  /// Back when all of these are there.
  private func waitForAll(_ texts: [String], at talker: Talker) throws {
    let watcher = try talker.daemon.client()
    try watcher.ask("watch since=0 kinds=message")
    var missing = Set(texts)
    while !missing.isEmpty {
      guard let event = try? watcher.event("message") else {
        throw TestFailure("\(talker.name) never got \(missing.sorted().prefix(20)) (CONFAB_SEED=\(seed))")
      }
      missing.remove(event["message"]?.text("text") ?? "")
    }
  }

  /// All are there, none more often than in the server's archive.
  private func expect(_ found: [String], _ wanted: [String], atMost archived: [String], at talker: Talker) {
    let times = [found, archived].map { Dictionary(grouping: $0) { $0 }.mapValues(\.count) }
    #expect(Set(found) == Set(wanted), "at \(talker.name), CONFAB_SEED=\(seed)")
    let tooMany = times[0].filter { $0.value > max(1, times[1][$0.key] ?? 0) }
    #expect(tooMany.isEmpty, "at \(talker.name), in the archive \(times[1]), CONFAB_SEED=\(seed)")
  }

  private func expect(_ texts: [String], _ wanted: [String], _ whose: String) {
    guard texts != wanted else { return }
    let doubles = Dictionary(grouping: texts) { $0 }.filter { $0.value.count > 1 }.keys.sorted().prefix(5)
    let place = wanted.indices.first { $0 >= texts.count || texts[$0] != wanted[$0] } ?? wanted.count
    let around = texts.dropFirst(max(0, place - 2)).prefix(6)
    let wrong = "twice: \(doubles), out of order: \(around) (CONFAB_SEED=\(seed))"
    Issue.record("\(whose): \(texts.count) of \(wanted.count), \(wrong)")
  }
}

extension JSONValue {
  fileprivate var isMine: Bool { self["mine"]?.bool == true }
}

extension Prosody {
  /// The texts of two talkers in a user's archive, in its order.
  func archive(of user: String) throws -> [String] {
    let path = TestFiles.below(home).first { $0.hasSuffix("/archive/\(user).list") }
    guard let path, let text = TestFiles.text(path) else { throw TestFailure("no archive of \(user)") }
    return text.matches(of: /"((?:alice|bob) [0-9]+)";/).map { String($0.output.1) }
  }
}
