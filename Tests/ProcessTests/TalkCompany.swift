import JSON
import TestSupport
import Testing

/// The company of two talkers who encrypt: a second device of alice's, which writes to carol, and carol, who writes to alice.
/// All that is said to alice or by her is for both of her devices, while one of them is killed and cut off.
struct TalkCompany {
  static let accounts = ["alice": "secret-a", "bob": "secret-b", "carol": "secret-c"]
  private let second: Talker
  private let carol: Talker
  private let talk: Talk

  init(of talk: Talk, at server: some AccountServer, in folder: TemporaryFolder) throws {
    var (alice, carol) = (server.account("alice"), server.account("carol"))
    (alice.encryption, carol.encryption) = ("always", "always")
    self.talk = talk
    second = try Talker("second", to: "carol", account: alice, in: folder)
    self.carol = try Talker("carol", to: "alice", account: carol, in: folder)
    for talker in [second, self.carol] { try talker.daemon.client().waitForDevice() }
  }

  /// Each says so many at most.
  func say(_ chance: inout Chance, upTo most: Int = 6) throws {
    for talker in [second, carol] { try talker.say(chance.draw(0...most)) }
  }

  /// Each text is once in every log that it is for, encrypted, and can be read.
  ///
  /// - Parameter losesOnResumption: the server loses what comes while a stream is resumed, as ejabberd does: alice's first
  ///   device may not have all.
  func expectAll(losesOnResumption: Bool) throws {
    for talker in [second, carol] {
      try talker.settle()
      try talker.waitUntilSent()
    }
    let (alice, bob) = (talk.talkers[0], talk.talkers[1])
    for device in [alice, second] {
      let all = device !== alice || !losesOnResumption
      try expect(alice.texts + bob.texts, with: "bob", at: device, all: all)
      try expect(second.texts + carol.texts, with: "carol", at: device, all: all)
    }
    try expect(second.texts + carol.texts, with: "alice", at: carol)
  }

  private func expect(_ texts: [String], with other: String, at talker: Talker, all: Bool = true) throws {
    let place = "with \(other) at \(talker.name), CONFAB_SEED=\(talk.seed)"
    let watcher = try talker.daemon.client()
    try watcher.ask("watch since=0 kinds=message,decrypted")
    var missing = Set(texts)
    while all, !missing.isEmpty, let event = try? watcher.line() {
      missing.remove(event["message"]?.text("text") ?? "")
    }
    let messages = try talker.daemon.client().wholeHistory("\(other)@example.test")
    let odd = messages.filter { $0["encrypted"]?["version"] == nil || $0["encrypted"]?["error"] != nil }
    #expect(odd.isEmpty, "\(place)")
    let found = messages.map { $0.text("text") }
    let wanted = all ? texts : texts.filter(found.contains)
    #expect(found.sorted() == wanted.sorted(), "missing \(missing.sorted()) \(place)")
  }
}
