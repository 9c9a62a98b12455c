import Clocks
@testable import Timelines
import TestSupport
import Testing

/// Entries in the form of a page.
@Suite("Packed entries")
struct PackedEntriesTests {
  /// Values that take from no byte to eight.
  private static func entries(_ random: inout SeededGenerator) -> [Entry] {
    let bits = (0..<5).map { _ in UInt64.random(in: 0...64, using: &random) }
    let least = (0..<5).map { _ in random.next() }
    func value(_ column: Int) -> UInt64 {
      least[column] &+ (bits[column] == 0 ? 0 : random.next() >> (64 - bits[column]))
    }
    return (0..<Int.random(in: 0...70, using: &random)).map { _ in
      Entry(
        time: Timestamp(milliseconds: Int64(bitPattern: value(0))), id: value(1), location: value(2),
        archiveOrder: UInt32(truncatingIfNeeded: value(3)),
        flags: EntryFlags(rawValue: UInt16(truncatingIfNeeded: value(4))))
    }
  }

  @Test("any entries come back, with zeros behind them or without", arguments: UInt64(0)..<200)
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let entries = Self.entries(&random)
    let packed = PackedEntries(entries)
    let page = packed.bytes + Array(repeating: 0, count: Int(seed % 3) * 100)
    let again = try #require(PackedEntries(page: page, count: entries.count))
    for found in [packed, again] {
      #expect(Array(found) == entries)
      #expect(found.indices.map { found.key(at: $0) } == entries.map(\.key))
      #expect(found.indices.map { found.time(at: $0) } == entries.map(\.time))
      let rows = entries.count / 3..<entries.count - entries.count / 4
      var some = Array(entries.prefix(1))
      found.append(rows, to: &some)
      #expect(some == Array(entries.prefix(1)) + Array(entries[rows]))
      for entry in entries { #expect(found.row(ofID: entry.id) == entries.firstIndex { $0.id == entry.id }) }
      #expect(entries.contains { $0.id == seed } || found.row(ofID: seed) == nil)
    }
  }

  @Test("messages that come in order take few bytes")
  func size() {
    let entries = (UInt64(0)..<1024).map { (row: UInt64) -> Entry in
      let time = Timestamp(milliseconds: 1_700_000_000_000 + Int64(row) * 60_000)
      let location: UInt64 = 9 << 32 + row * 300
      return Entry(
        time: time, id: 5_000_000 + 2 * row, location: location, flags: EntryFlags(rawValue: UInt16(row % 2)))
    }
    #expect(PackedEntries(entries).bytes.count == 56 + 1024 * (4 + 2 + 3 + 1))
  }

  @Test("what is no page of so many entries is none")
  func unsound() {
    let entries = (1...9).map { Entry(time: Timestamp(milliseconds: $0), id: UInt64($0)) }
    let bytes = PackedEntries(entries).bytes
    #expect(PackedEntries(page: bytes, count: 8) == nil)
    #expect(PackedEntries(page: bytes, count: 9 + 65536) == nil)
    for end in bytes.indices { #expect(PackedEntries(page: Array(bytes[..<end]), count: 9) == nil) }
    for column in 2...6 {
      var wide = bytes
      wide[column] = 9
      #expect(PackedEntries(page: wide, count: 9) == nil)
    }
  }
}
