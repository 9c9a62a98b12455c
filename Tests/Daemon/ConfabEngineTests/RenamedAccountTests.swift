import Clocks
import State
import JSON
import MessageLog
import Records
import ConfabConfiguration
import TestSupport
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

/// An account's section has another name in the configuration than it had before, and the same JID.
@Suite("an account whose section was renamed")
struct RenamedAccountTests {
  private static func alice(_ name: String, jid: String? = nil, resource: String? = nil) -> AccountSettings {
    var settings = Harness.alice
    (settings.name, settings.resource) = (name, resource)
    if let jid { settings.jid = jid }
    return settings
  }

  /// A log whose account `home` has a message from bob and one to him that waits, a draft and a wish; how late it is then.
  private func told() throws -> (storage: MemoryStorage, now: Moment) {
    let before = try Harness()
    before.receive("<message from='bob@example.org/x' type='chat' id='1'><body>hello</body></message>")
    before.pass(.seconds(5))
    before.handle(.stop(.terminate))
    let away = try Harness(on: before.storage, now: before.now, holdsLinks: true)
    let client = away.connect()
    for request in ["send key=k bob@example.org waiting", "draft bob@example.org half a", "presence away later"] {
      #expect(away.ask(client, request).last?["ok"]?.bool == true)
    }
    away.handle(.stop(.terminate))
    return (away.storage, away.now)
  }

  private func texts(_ harness: Harness, _ words: String = "") -> [String] {
    harness.ask(harness.connect(7), "history \(words)bob@example.org").compactMap { $0["message"]?["text"]?.string }
  }

  /// The state as the log alone tells them.
  private func apply(_ storage: MemoryStorage, of harness: Harness) throws -> State {
    storage.change { $0.files = [:] }
    return try OpenState(storage, of: harness.engine.log, gap: .hours(24)).state
  }

  @Test(
    "goes on with all that it had: history, drafts, keys, wishes, and what waits is sent",
    arguments: [nil, "ALICE@example.org"], [Int.max, 1])
  func goesOn(jid: String?, applyLimit: Int) throws {
    let (storage, now) = try told()
    if applyLimit == 1 { storage.change { $0.files = [:] } }
    let harness = try Harness(
      on: storage, applyLimit: applyLimit, accounts: [Self.alice("office", jid: jid)], now: now)
    harness.pass(.seconds(5))
    #expect(texts(harness) == ["hello", "waiting"])
    #expect(harness.toServer.contains("<body>waiting</body>"))
    #expect(harness.toServer.contains("<status>later</status>"))
    let client = harness.connect()
    #expect(harness.ask(client, "draft bob@example.org").last?["text"]?.string == "half a")
    #expect(harness.ask(client, "send key=k bob@example.org waiting").last?["repeated"]?.bool == true)
    #expect(harness.ask(client, "status").first?["account"]?["name"]?.string == "office")
    #expect(harness.ask(client, "history account=home bob@example.org").last?["error"]?.string == "not-found")
    #expect(harness.told.filter { $0.contains("account office continues account home") }.count == 1)
    #expect(!harness.journal.contains { $0.contains("is not in the configuration") })
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(3))
    let written = try #require(harness.checkpoints.last)
    let restored = try State.restored(from: written.body, sequence: written.sequence, gap: .hours(24))
    #expect(restored.accounts.byNumber.mapValues(\.record.name) == [1: "office"])
    #expect(try apply(storage, of: harness).accounts.byNumber.mapValues(\.record.name) == [1: "office"])
  }

  @Test("has its old name again in the same way, and says nothing where it keeps the one it has")
  func backAgain() throws {
    let (storage, now) = try told()
    var lines: [[String]] = []
    for name in ["office", "office", "home", "home"] {
      let harness = try Harness(on: storage, accounts: [Self.alice(name)], now: now, holdsLinks: true)
      lines.append(harness.told.filter { $0.contains("continues account") })
      #expect(texts(harness) == ["hello", "waiting"])
      #expect(harness.engine.accounts.all.map(\.number) == [1])
      harness.handle(.stop(.terminate))
    }
    #expect(lines.map(\.count) == [1, 0, 1, 0])
    #expect(lines[2].first?.contains("account home continues account office") == true)
  }

  @Test("is renamed by a reload: what waits is sent, and who watches it goes on watching it")
  func reload() throws {
    let harness = try Harness()
    let (client, watcher) = (harness.connect(1), harness.connect(2))
    harness.cut()
    #expect(harness.ask(client, "send bob@example.org waiting").last?["state"]?.string == "queued")
    _ = harness.ask(watcher, "watch account=home kinds=message,state,connection")
    harness.reload { $0.accounts = [Self.alice("office")] }
    harness.pass(.seconds(5))
    #expect(harness.toServer.contains("<body>waiting</body>"))
    harness.receive("<message from='bob@example.org/x' type='chat' id='1'><body>hello</body></message>")
    harness.pass(.seconds(1))
    let events = harness.takeLines(watcher)
    #expect(events.compactMap { $0["message"]?["text"]?.string } == ["hello"])
    #expect(events.last { $0["event"]?.string == "connection" }?["account"]?.string == "office")
    #expect(texts(harness, "account=office ") == ["waiting", "hello"])
  }

  @Test("has its new name in the journal from the reload on")
  func journal() throws {
    let harness = try Harness()
    harness.reload { $0.accounts = [Self.alice("office")] }
    harness.pass(.seconds(5))
    (harness.journal, harness.journalFields) = ([], [])
    harness.cut()
    harness.pass(.seconds(5))
    #expect(harness.journal.contains { $0.contains("account office: ") })
    #expect(!harness.journal.contains { $0.contains("account home: ") })
    #expect(harness.journalFields.allSatisfy { $0.account != "home" })
  }

  @Test("is told of, and left as it is, where the log has two that it could be")
  func two() throws {
    let (storage, now) = try told()
    // Both were in the configuration once, as two resources of one account.
    let accounts = [Self.alice("home", resource: "a"), Self.alice("office", resource: "b")]
    let both = try Harness(on: storage, accounts: accounts, now: now, holdsLinks: true)
    #expect(both.engine.accounts.all.map(\.number) == [1, 2])
    #expect(!both.told.contains { $0.contains("continues account") || $0.contains("is not in the configuration") })
    both.handle(.stop(.terminate))
    let third = try Harness(on: storage, accounts: [Self.alice("third")], now: now, holdsLinks: true)
    #expect(third.engine.accounts.all.map(\.number) == [3])
    let lines = third.told.filter { $0.contains("is not in the configuration") }
    #expect(lines.count == 2)
    #expect(lines.first?.contains("account home of the log (alice@example.org)") == true)
    #expect(lines.first?.contains("1 message waits in it") == true)
    #expect(lines.last?.contains("account office of the log") == true)
    #expect(lines.last?.contains("0 messages wait in it") == true)
    third.handle(.stop(.terminate))
    // What waits is told of as long as it does, the others are not.
    let later = try Harness(on: storage, accounts: [Self.alice("third")], now: now, holdsLinks: true)
    #expect(later.told.filter { $0.contains("is not in the configuration") }.count == 1)
    later.handle(.stop(.terminate))
    let back = try Harness(on: storage, accounts: [Self.alice("home")], now: now)
    back.pass(.seconds(5))
    #expect(back.toServer.contains("<body>waiting</body>"))
  }

  @Test("the only one that no other section is, is meant", arguments: [false, true])
  func onlyOneFree(isTurned: Bool) throws {
    let (storage, now) = try told()
    let both = try Harness(
      on: storage, accounts: [Self.alice("home", resource: "a"), Self.alice("office", resource: "b")], now: now,
      holdsLinks: true)
    both.handle(.stop(.terminate))
    var accounts = [Self.alice("third", resource: "a"), Self.alice("office", resource: "b")]
    if isTurned { accounts.reverse() }
    let harness = try Harness(on: storage, accounts: accounts, now: now, holdsLinks: true)
    #expect(harness.engine.accounts.all.map(\.number) == (isTurned ? [2, 1] : [1, 2]))
    #expect(harness.told.contains { $0.contains("account third continues account home") })
  }

  @Test("two sections that swap their names keep what is theirs by their JIDs")
  func swapped() throws {
    let storage = MemoryStorage()
    let before = try Harness(on: storage, accounts: [Harness.alice, Harness.work], holdsLinks: true)
    for name in ["home", "work"] {
      _ = before.ask(before.connect(), "send account=\(name) bob@example.org from-\(name)")
    }
    before.handle(.stop(.terminate))
    var work = Harness.work
    work.name = "home"
    let harness = try Harness(on: storage, accounts: [work, Self.alice("work")], now: before.now, holdsLinks: true)
    #expect(texts(harness, "account=home ") == ["from-work"])
    #expect(texts(harness, "account=work ") == ["from-home"])
    harness.handle(.stop(.terminate))
    #expect(try apply(storage, of: harness).accounts.byNumber.mapValues(\.record.name) == [1: "work", 2: "home"])
  }

  @Test("one that is in no configuration is told of where messages wait in it, held ones too")
  func leftOut() throws {
    let (storage, now) = try told()
    let held = try Harness(on: storage, now: now, holdsLinks: true)
    _ = held.ask(held.connect(), "send hold=1h bob@example.org held")
    held.handle(.stop(.terminate))
    let harness = try Harness(on: storage, accounts: [Harness.work], now: now, holdsLinks: true)
    let lines = harness.told.filter { $0.contains("is not in the configuration") }
    #expect(lines.count == 1 && lines.first?.contains("account home of the log") == true)
    #expect(lines.first?.contains("2 messages wait in it") == true)
    harness.reload { $0.accounts = [Harness.alice] }
    #expect(harness.told.filter { $0.contains("is not in the configuration") }.count == 1)
  }

  @Test("a name that could not be stored is in no checkpoint, and told again at the next start")
  func unstored() throws {
    let (storage, now) = try told()
    let harness = try Harness(on: storage, now: now, holdsLinks: true)
    harness.syncsAtOnce = false
    harness.reload { $0.accounts = [Self.alice("office")] }
    harness.sync(failing: StorageError(.noSpace, "full"))
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(20))
    let written = try #require(harness.checkpoints.last)
    let state = try State.restored(from: written.body, sequence: written.sequence, gap: .hours(24))
    #expect(state.accounts.byNumber.mapValues(\.record.name) == [1: "home"])
    #expect(state.accounts[1]?.outbox.count == 1)
    let later = try Harness(on: storage, accounts: [Self.alice("office")], now: harness.now, holdsLinks: true)
    #expect(texts(later) == ["hello", "waiting"])
    later.handle(.stop(.terminate))
    #expect(try apply(storage, of: later).accounts.byNumber.mapValues(\.record.name) == [1: "office"])
  }
}
