import Clocks
import JSON
import MessageLog
import TestSupport
import Testing

@testable import ConfabAccounts

/// Pages of a history of which something cannot be read, as a checkpoint knows it and the log has it no more.
@Suite("pages over what is lost")
struct LostPageTests {
  private static let count = 120

  private enum Harm: CaseIterable {
    case gone, cut, overwritten, one, everySecond, unreadable, first, last, allButOne

    /// Some of a segment.
    case sector

    static let allCases: [Harm] = [
      .gone, .cut, .overwritten, .one, .everySecond, .unreadable, .first, .last, .allButOne,
    ]

    /// Something is not there at all, or the disk does not give it.
    var isOfDisk: Bool { ![.overwritten, .one, .everySecond].contains(self) }
  }

  /// A log of several segments, with a checkpoint, and harm done to it before a start or after it; the numbers of the
  /// messages that are left.
  private func harmed(
    _ harm: Harm, whileRunning: Bool = false, count: Int = count, segmentSize: UInt64 = 1_000, padding: Int = 0
  ) throws -> (harness: Harness, left: [Int]) {
    let storage = MemoryStorage()
    let harness = try Harness(on: storage, segmentSize: segmentSize)
    for number in 0..<count {
      let text = "word \(1_000 + number)" + String(repeating: "x", count: padding)
      harness.receive("<message from='bob@example.org/x' id='m\(number)'><body>\(text)</body></message>")
      harness.pass(.milliseconds(50))
    }
    harness.pass(.minutes(5))
    harness.handle(.stop(.terminate))
    let segments = storage.snapshot.segments.keys.sorted()
    try #require(segments.count > (harm == .sector ? 1 : 6) && storage.snapshot.files["checkpoint"] != nil)
    let hit: [SegmentID] =
      switch harm {
      case .first: Array(segments[..<3])
      // The newest one must be there for a start.
      case .last: Array(segments[(segments.count - 4)..<(segments.count - 1)])
      case .allButOne: segments.dropLast().filter { $0 != segments[3] }
      case .sector: [segments[0]]
      default: Array(segments[2..<4])
      }
    func damage() { for segment in hit { storage.change { Self.damage(&$0, segment, harm) } } }
    if !whileRunning { damage() }
    let later = try Harness(on: storage, now: harness.now)
    #expect(later.opened.checkpoint != nil)
    if whileRunning { damage() }
    return (later, Self.left(in: storage, harm))
  }

  private static func damage(_ content: inout MemoryStorage.Content, _ segment: SegmentID, _ harm: Harm) {
    guard var bytes = content.segments[segment] else { return }
    switch harm {
    case .gone, .first, .last, .allButOne: return content.segments[segment] = nil
    case .cut:
      let places = bytes.ranges(of: Array("word".utf8))
      bytes.removeSubrange(places[places.count / 8].lowerBound...)
    case .overwritten: for index in 64..<bytes.count { bytes[index] = 0xAA }
    case .sector: content.unreadable[segment] = 4096..<8192
    case .unreadable: content.unreadable[segment] = 0..<UInt64(bytes.count)
    case .one, .everySecond:
      for (number, place) in bytes.ranges(of: Array("word".utf8)).enumerated() where harm == .everySecond || number == 1
      {
        if number % 2 == 1 { bytes[place.lowerBound] ^= 1 }
      }
    }
    content.segments[segment] = bytes
  }

  private static func left(in storage: MemoryStorage, _ harm: Harm) -> [Int] {
    let content = storage.snapshot
    return content.segments.filter { harm == .sector || content.unreadable[$0.key] == nil }.sorted { $0.key < $1.key }
      .flatMap {
        let bytes = $0.value
        return bytes.ranges(of: Array("word 1".utf8)).compactMap { place in
          Int(String(decoding: bytes[place.upperBound..<place.upperBound + 3], as: UTF8.self))
        }
      }
  }

  private struct Answer {
    let numbers: [Int]
    let ids: [Int64]
    let before: Bool
    let after: Bool

    init(_ lines: [JSONValue]) {
      numbers = lines.compactMap { $0["message"]?["text"]?.string.flatMap { Int($0.dropFirst(6).prefix(3)) } }
      ids = lines.compactMap { $0["message"]?["id"]?.integer }
      before = lines.last?["more_before"]?.bool ?? false
      after = lines.last?["more_after"]?.bool ?? false
    }
  }

  private func ask(_ harness: Harness, _ client: ClientID, _ options: String) -> Answer {
    Answer(harness.ask(client, "history \(options) bob@example.org"))
  }

  @Test(
    "back and forth: every message that can be read, once, in order, in full pages, and it ends",
    arguments: Harm.allCases, [false, true])
  private func throughout(harm: Harm, whileRunning: Bool) throws {
    let (harness, left) = try harmed(harm, whileRunning: whileRunning)
    try #require(left.count < Self.count)
    let client = harness.connect(2)
    for limit in [1, 7, 50] {
      var answer = ask(harness, client, "limit=\(limit)")
      var back = answer.numbers
      var asked = 1
      while answer.before, asked < 500, let first = answer.ids.first {
        #expect(answer.numbers.count == limit)
        answer = ask(harness, client, "limit=\(limit) before=\(first)")
        back = answer.numbers + back
        asked += 1
      }
      #expect(back == left)
      #expect(asked == max(1, (left.count + limit - 1) / limit))
      let first = try #require(answer.ids.first)
      var forth = [try #require(answer.numbers.first)]
      answer = ask(harness, client, "limit=\(limit) after=\(first)")
      forth += answer.numbers
      while answer.after, asked < 1_000, let last = answer.ids.last {
        #expect(answer.numbers.count == limit)
        answer = ask(harness, client, "limit=\(limit) after=\(last)")
        forth += answer.numbers
        asked += 1
      }
      #expect(forth == left)
    }
  }

  @Test(
    "around one and by time, too: floor(limit/2) before it, and what follows; rows stay rows", arguments: Harm.allCases)
  private func positions(harm: Harm) throws {
    let (harness, left) = try harmed(harm)
    let client = harness.connect(2)
    let rows = harness.ask(client, "history limit=500 bob@example.org").compactMap { $0["message"] }
    try #require(rows.count == left.count)
    for (place, message) in rows.enumerated() {
      let id = try #require(message["id"]?.integer)
      let time = try #require(message["time"]?.string)
      let around = ask(harness, client, "limit=9 around=\(id)")
      #expect(around.numbers == Array(left[max(0, place - 4)..<min(left.count, place + 5)]))
      #expect(around.before == (place > 4) && around.after == (place + 5 < left.count))
      let since = ask(harness, client, "limit=4 since=\(time) after=\(id)")
      #expect(since.numbers == Array(left[(place + 1)..<min(left.count, place + 5)]) && since.before)
      let until = ask(harness, client, "limit=4 until_time=\(time)")
      #expect(until.numbers == Array(left[max(0, place - 4)..<place]) && until.before == (place > 4))
      #expect(!until.after)
    }
    for row in stride(from: 0, to: Self.count, by: 5) {
      let page = harness.ask(client, "history limit=5 row=\(row) bob@example.org")
      #expect(Answer(page).numbers == left.filter { (row..<row + 5).contains($0) })
      #expect(Answer(page).before == (left.first.map { $0 < row } ?? false))
      #expect(Answer(page).after == (left.last.map { $0 >= row + 5 } ?? false))
    }
  }

  @Test(
    "a page of several pieces is full too: at once where a segment is gone behind the first, else when it was missed before",
    arguments: [Harm.gone, .cut, .overwritten, .one, .unreadable, .last], [false, true])
  private func long(harm: Harm, whileRunning: Bool) throws {
    for option in ["after", "before"] {
      let (harness, left) = try harmed(
        harm, whileRunning: whileRunning, count: 300, segmentSize: 40_000, padding: 900)
      let client = harness.connect(2)
      let lost = try #require(left.indices.first { left[$0] != $0 })
      if [.cut, .one].contains(harm) { _ = ask(harness, client, "limit=50 row=\(lost)") }
      // A piece is some 55 of them, and what is lost is behind that.
      let first = lost - 60
      let limit = 60 + 300 - left.count + 10
      let page =
        option == "after" ? left.filter { $0 >= first }.prefix(limit) : left.filter { $0 < first + limit }.suffix(limit)
      let edge = option == "after" ? first - 1 : first + limit
      let id = try #require(ask(harness, client, "limit=1 row=\(edge)").ids.first)
      let answer = ask(harness, client, "limit=\(limit) \(option)=\(id)")
      #expect(answer.numbers == Array(page))
      #expect(answer.before == (page.first != left.first) && answer.after == (page.last != left.last))
    }
  }

  @Test(
    "a search finds every message that can be read, and says where there may be more", arguments: Harm.allCases,
    [false, true])
  private func search(harm: Harm, whileRunning: Bool) throws {
    let (harness, left) = try harmed(harm, whileRunning: whileRunning)
    let client = harness.connect(2)
    let search = harness.ask(client, "search limit=1000 word")
    #expect(search.last?["ok"]?.bool == true && Answer(search).numbers.reversed() == left)
    #expect((search.last?["unreadable"]?.integer ?? 0 > 0) == harm.isOfDisk)
    #expect(harness.journal.contains { $0.contains("a search skipped") } == harm.isOfDisk)
  }

  @Test("what goes while all is served is told of, and not once for each message", arguments: [Harm.gone, .unreadable])
  private func told(harm: Harm) throws {
    let (harness, left) = try harmed(harm, whileRunning: true, count: 400, segmentSize: 4_000)
    let client = harness.connect(2)
    #expect(harness.ask(client, "status").last?["damaged"] == nil)
    for row in stride(from: 0, to: 400, by: 50) {
      _ = harness.ask(client, "history limit=50 row=\(row) bob@example.org")
    }
    // A disk may give another time what it does not give now.
    #expect((harness.ask(client, "status").last?["damaged"]?["places"]?.integer ?? 0 > 0) == (harm == .gone))
    let lines = harness.journal.filter { $0.contains("the log is damaged") || $0.contains("reading the log failed") }
    #expect((1...10).contains(lines.count) && 400 - left.count > 10)
  }

  @Test("where a record after the other is lost, few of them are tried", arguments: [Harm.gone, .cut], [false, true])
  private func work(harm: Harm, whileRunning: Bool) throws {
    let count = 800
    let (harness, left) = try harmed(harm, whileRunning: whileRunning, count: count, segmentSize: 10_000)
    try #require(count - left.count > (harm == .cut ? 100 : 200))
    let client = harness.connect(2)
    let lost = try #require(left.indices.first { left[$0] != $0 })
    let first = try #require(ask(harness, client, "limit=1 row=\(lost - 25)").ids.first)
    var reads = harness.storage.reads.calls
    #expect(ask(harness, client, "limit=50 after=\(first)").numbers.count == 50)
    #expect(harness.storage.reads.calls - reads < 100)
    reads = harness.storage.reads.calls
    #expect(ask(harness, client, "limit=50 after=\(first)").numbers.count == 50)
    #expect(harness.storage.reads.calls - reads < 60)
  }

  @Test("one sector that the disk does not give hides what is in it from pages and from a search, which says so")
  func sector() throws {
    let (harness, left) = try harmed(.sector, count: 800, segmentSize: 40_000)
    #expect(left.count == 800)
    let client = harness.connect(2)
    let search = harness.ask(client, "search limit=1000 word")
    #expect(search.last?["ok"]?.bool == true && search.last?["unreadable"]?.integer == 4096)
    let found = Array(Answer(search).numbers.reversed())
    #expect((1..<100).contains(800 - found.count))
    #expect(harness.journal.contains { $0.contains("a search skipped 4096 unreadable bytes") })
    var answer = ask(harness, client, "limit=50")
    var back = answer.numbers
    while answer.before, let first = answer.ids.first {
      answer = ask(harness, client, "limit=50 before=\(first)")
      back = answer.numbers + back
    }
    #expect(back == found)
    // The disk may give it another time.
    harness.storage.change { $0.unreadable = [:] }
    #expect(ask(harness, client, "limit=1000").numbers == left)
    let again = harness.ask(client, "search limit=1000 word")
    #expect(Answer(again).numbers.reversed() == left && again.last?["unreadable"] == nil)
  }
}
