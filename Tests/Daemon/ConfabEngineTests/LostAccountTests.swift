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

/// The records that say whose an account is are damaged, and nothing is left that was derived from the log.
@Suite("an account whose record is lost")
struct LostAccountTests {
  /// A log in which both accounts have a message, one of the first still waits, and how late it is by then.
  private func told() throws -> (storage: MemoryStorage, now: Moment) {
    let storage = MemoryStorage()
    let harness = try Harness(on: storage, accounts: [Harness.alice, Harness.work])
    for (port, word) in [(UInt16(5223), "private"), (5224, "business")] {
      harness.receive("<message from='bob@example.org/x' id='1'><body>\(word)</body></message>", port: port)
    }
    harness.pass(.seconds(5))
    harness.handle(.stop(.terminate))
    let away = try Harness(on: storage, accounts: [Harness.alice, Harness.work], now: harness.now, holdsLinks: true)
    #expect(away.ask(away.connect(), "send account=home bob@example.org waiting").last?["state"]?.string == "queued")
    away.handle(.stop(.terminate))
    return (storage, away.now)
  }

  /// Changes a byte of each account record with one of these names.
  private func damage(_ storage: MemoryStorage, _ names: [String]) {
    storage.change { content in
      content.files = [:]
      for name in names {
        guard let place = content.segments[SegmentID(first: 1)]?.firstRange(of: [0x12, 4] + Array(name.utf8)) else {
          Issue.record("there is no \(name)")
          return
        }
        content.segments[SegmentID(first: 1)]?[place.upperBound - 1] ^= 1
      }
    }
  }

  private func texts(_ harness: Harness, _ account: String) -> [String] {
    harness.ask(harness.connect(7), "history account=\(account) bob@example.org").compactMap {
      $0["message"]?["text"]?.string
    }
  }

  @Test(
    "is known by its streams: its history is its own, and what waited is sent",
    arguments: [["home"], ["work"], ["home", "work"]], [false, true])
  func known(names: [String], isTurned: Bool) throws {
    for applyLimit in [Int.max, 1] { try known(names, isTurned, applyLimit) }
  }

  private func known(_ names: [String], _ isTurned: Bool, _ applyLimit: Int) throws {
    let (storage, now) = try told()
    damage(storage, names)
    let accounts = isTurned ? [Harness.work, Harness.alice] : [Harness.alice, Harness.work]
    let harness = try Harness(on: storage, applyLimit: applyLimit, accounts: accounts, now: now)
    harness.pass(.seconds(5))
    #expect(texts(harness, "home") == ["private", "waiting"])
    #expect(texts(harness, "work") == ["business"])
    #expect(harness.toServer.contains("<body>waiting</body>"))
    harness.handle(.stop(.terminate))
    // It is said again, so that it is not lost with the streams.
    storage.change { $0.files = [:] }
    let opened = try OpenState(storage, of: harness.engine.log, gap: .hours(24))
    #expect(opened.state.accounts.all.map(\.record.name).sorted() == ["home", "work"])
  }
  @Test("of whom nothing else is known either keeps its number and its history, and is told of")
  func unknown() throws {
    let storage = MemoryStorage()
    let before = try Harness(on: storage, holdsLinks: true)
    _ = before.ask(before.connect(), "send bob@example.org waiting")
    before.handle(.stop(.terminate))
    damage(storage, ["home"])
    for _ in 0..<2 {
      let accounts = [Harness.alice, Harness.work]
      let harness = try Harness(on: storage, accounts: accounts, now: before.now, holdsLinks: true)
      #expect(harness.journal.contains { $0.contains("the owner of account #1 is unknown") })
      #expect(harness.ask(harness.connect(), "status").last?["damaged"]?["accounts"]?.integer == 1)
      #expect(texts(harness, "home") == [])
      #expect(Set(harness.engine.accounts.all.map(\.number)) == [2, 3])
      #expect(harness.engine.state.accounts[1]?.outbox.count == 1)
      harness.handle(.stop(.terminate))
    }
  }

  @Test("is known by the next segment, where the first one is gone", arguments: [1_000, 64])
  func nextSegment(size: UInt64) throws {
    let storage = MemoryStorage()
    let accounts = [Harness.alice, Harness.work]
    let harness = try Harness(on: storage, segmentSize: size, accounts: accounts, holdsLinks: true)
    for number in 0..<20 { _ = harness.ask(harness.connect(), "send account=work bob@example.org word\(number)") }
    harness.handle(.stop(.terminate))
    let first = try #require(storage.snapshot.segments.keys.min())
    storage.change { ($0.files, $0.segments[first]) = ([:], nil) }
    let later = try Harness(on: storage, accounts: [Harness.work, Harness.alice], now: harness.now, holdsLinks: true)
    #expect(texts(later, "work").contains("word19"))
    #expect(Set(later.engine.accounts.all.map(\.number)) == [1, 2])
    let damaged = later.ask(later.connect(), "status").last?["damaged"]
    #expect(damaged?["record"]?.integer == 1 && damaged?["accounts"] == nil)
  }
}
