import Clocks
import JSON
import MessageLog
import TestSupport
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine

/// A log with a damaged segment in the middle: it is told of, and what is around it is served.
@Suite("a damaged log")
struct DamagedLogTests {
  private static let count = 60

  /// A daemon's log of several segments, and where the last record in the middle one's place begins.
  private func told() throws -> (storage: MemoryStorage, middle: SegmentID, now: Moment) {
    let storage = MemoryStorage()
    let harness = try Harness(on: storage, segmentSize: 1_000)
    for number in 0..<Self.count {
      harness.receive("<message from='bob@example.org/x' id='m\(number)'><body>word \(number)</body></message>")
      harness.pass(.milliseconds(50))
    }
    harness.pass(.minutes(5))
    harness.handle(.stop(.terminate))
    let segments = storage.snapshot.segments.keys.sorted()
    #expect(segments.count > 4)
    return (storage, segments[2], harness.now)
  }

  private func damage(_ storage: MemoryStorage, _ segment: SegmentID, _ change: (inout [UInt8]) -> Void) {
    storage.change { if var bytes = $0.segments[segment] { change(&bytes); $0.segments[segment] = bytes } }
  }

  private func texts(_ harness: Harness) -> Set<String> {
    let lines = harness.ask(harness.connect(UInt64.random(in: 100...1_000_000)), "history limit=500 bob@example.org")
    return Set(lines.compactMap { $0["message"]?["text"]?.string })
  }

  private func status(_ harness: Harness) -> JSONValue? {
    harness.ask(harness.connect(UInt64.random(in: 100...1_000_000)), "status").last?["damaged"]
  }

  private enum Harm: CaseIterable { case record, header, rest, all, unreadable }

  @Test(
    "in one record, its header, its end, or all of it: the others are served, numbers go on, and status says so, also later",
    arguments: Harm.allCases)
  private func around(harm: Harm) throws {
    let (storage, middle, now) = try told()
    let next = try #require(storage.snapshot.segments.keys.sorted().first { $0 > middle })
    let all = try texts(Harness(on: storage, now: now))
    #expect(all.count == Self.count)
    if harm == .unreadable { storage.change { $0.unreadable[middle] = 0..<1_000 } }
    damage(storage, middle) { bytes in
      switch harm {
      case .unreadable: break
      case .record: bytes[bytes.firstRange(of: Array("word".utf8))?.lowerBound ?? 0] ^= 1
      case .header: bytes[0] ^= 1
      case .rest: bytes.removeLast(bytes.count / 2)
      case .all: for index in bytes.indices { bytes[index] = 0xAA }
      }
    }
    storage.change { $0.files = [:] }
    let harness = try Harness(on: storage, now: now)
    let places = try #require(status(harness)?["places"]?.integer)
    let lost = try #require(status(harness)?["records"]?.integer)
    #expect(places == ([.all, .unreadable].contains(harm) ? 2 : 1))
    #expect(status(harness)?["segment"]?.string == middle.fileName)
    switch harm {
    case .record: #expect(lost == 1)
    case .header: #expect(lost == 0)
    case .rest, .all, .unreadable: #expect(lost > 1 && lost <= Int64(next.first - middle.first))
    }
    let found = texts(harness)
    #expect(found.isSubset(of: all) && found.count < Self.count || harm == .header && found == all)
    #expect(found.contains("word 0") && found.contains("word \(Self.count - 1)"))
    let last = harness.engine.storage.queue.durable
    let sent = harness.ask(harness.connect(9), "send bob@example.org more").last?["id"]?.integer
    #expect(sent.map { $0 > Int64(last) } == true)
    harness.pass(.minutes(5))
    harness.handle(.stop(.terminate))
    let later = try Harness(on: storage, now: harness.now)
    #expect(later.opened.checkpoint != nil && later.opened.report.damageCount == 0)
    #expect(status(later)?["places"]?.integer == places && status(later)?["records"]?.integer == lost)
    #expect(texts(later) == found.union(["more"]))
  }

  @Test("where a checkpoint keeps a start from seeing it, it is told of once, when somebody asks for it")
  func unseen() throws {
    let (storage, middle, now) = try told()
    damage(storage, middle) { $0[$0.firstRange(of: Array("word".utf8))?.lowerBound ?? 0] ^= 1 }
    let harness = try Harness(on: storage, now: now)
    #expect(harness.opened.checkpoint != nil && status(harness) == nil)
    #expect(texts(harness).count == Self.count - 1)
    #expect(texts(harness).count == Self.count - 1)
    #expect(harness.journal.count { $0.contains("the log is damaged: no valid record at") } == 1)
    #expect(status(harness)?["places"]?.integer == 1)
  }
}
