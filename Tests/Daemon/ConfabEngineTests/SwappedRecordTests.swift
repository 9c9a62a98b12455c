import Clocks
import State
import JSON
import Records
import TestSupport
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine
@testable import MessageLog

/// Sound records that stand in each other's places, those of one account in those of another: nothing is shown for what it
/// is not.
@Suite("sound records in wrong places")
struct SwappedRecordTests {
  private static let accounts = ["home", "work"]

  private struct Frame {
    let account: UInt32
    let bytes: Range<Int>
    let segment: SegmentID
  }

  /// Two accounts that each have a conversation with the same contact, in the closed segments of one log.
  private func told() throws -> Harness {
    let harness = try Harness(segmentSize: 4_000, accounts: [Harness.alice, Harness.work])
    for number in 0..<120 {
      let (name, port): (String, UInt16) = number % 2 == 0 ? ("home", 5223) : ("work", 5224)
      let body = "word \(name) \(1_000 + number)" + String(repeating: "x", count: number / 2 % 3)
      harness.receive("<message from='bob@example.org/x' id='m\(number)'><body>\(body)</body></message>", port: port)
      harness.pass(number % 40 == 39 ? .hours(30) : .milliseconds(50))
    }
    harness.pass(.minutes(5))
    return harness
  }

  private func frames(_ harness: Harness) throws -> [Frame] {
    let (reader, index) = (harness.engine.records.reader, harness.engine.storage.queue.index)
    var frames: [Frame] = []
    var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))
    try reader.read(&cursor, in: index) { frame in
      guard case .message(let message)? = Record(reading: frame),
        let segment = index.segments.first(where: { $0.ordinal == frame.location.ordinal })?.id
      else { return true }
      let start = Int(frame.location.offset)
      frames.append(Frame(account: message.account, bytes: start..<start + frame.frameSize, segment: segment))
      return true
    }
    return frames
  }

  /// Puts messages of the two accounts in each other's places, in all segments but the newest; how many pairs.
  private func swap(_ frames: [Frame], in storage: MemoryStorage) -> Int {
    let newest = storage.snapshot.segments.keys.max()
    var rest = frames.filter { $0.segment != newest }
    var count = 0
    while let one = rest.popLast() {
      guard
        let place = rest.lastIndex(where: {
          $0.account != one.account && $0.segment == one.segment && $0.bytes.count == one.bytes.count
        })
      else { continue }
      let other = rest.remove(at: place)
      storage.change { content in
        guard let bytes = content.segments[one.segment] else { return }
        content.segments[one.segment]?.replaceSubrange(one.bytes, with: bytes[other.bytes])
        content.segments[one.segment]?.replaceSubrange(other.bytes, with: bytes[one.bytes])
      }
      count += 1
    }
    return count
  }

  /// All that is shown of messages: by account and id, without where a search found its text.
  private func shown(_ harness: Harness, _ requests: [String]) -> Set<String> {
    var found: Set<String> = []
    let client = harness.connect(UInt64.random(in: 100...1_000_000))
    for request in requests {
      for line in harness.ask(client, request) {
        guard let members = (line["message"] ?? line["conversation"]?["last"] ?? line["section"])?.members else {
          continue
        }
        found.insert("\(members.filter { $0.name != "hits" })")
      }
    }
    return found
  }

  private static let history = accounts.map { "history limit=500 account=\($0) bob@example.org" }
  private static let all =
    history + accounts.map { "search limit=500 account=\($0) word" } + ["search limit=500 word", "search home"]
    + accounts.map { "search limit=500 in=bob@example.org account=\($0) word" }
    + accounts.map { "sections account=\($0) bob@example.org" }
    + ["conversations", "watch since=1 kinds=message"]

  @Test("none is shown as another, in a history, a search, a section or an event")
  func swapped() throws {
    let harness = try told()
    let truth = shown(harness, Self.all)
    #expect(shown(harness, Self.history).count == 120 && truth.count >= 120)
    let frames = try frames(harness)
    harness.handle(.stop(.terminate))
    let pairs = swap(frames, in: harness.storage)
    #expect(pairs > 20)
    let later = try Harness(
      on: harness.storage, accounts: [Harness.alice, Harness.work], now: harness.now)
    #expect(later.opened.checkpoint != nil)
    let found = shown(later, Self.all)
    #expect(found.subtracting(truth).isEmpty)
    #expect(shown(later, Self.history).count == 120 - 2 * pairs)
    #expect(found.isSuperset(of: shown(later, Self.history)))
    for id in 1...later.engine.storage.queue.durable {
      let around = Self.accounts.map { "history limit=3 around=\(id) account=\($0) bob@example.org" }
      #expect(shown(later, around).isSubset(of: truth))
    }
  }
}
