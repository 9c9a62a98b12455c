import Bytes
import Clocks
import Timelines
import TestSupport
import Testing

@testable import State

/// Chunks on pages as a checkpoint has them.
@Suite("state: runs of chunks")
struct ChunkRunTests {
  private static let numbers: [UInt64] = [0, 1, 127, 128, 1 << 31, 1 << 32, 1 << 63, .max - 1, .max]

  private func run(_ seed: UInt64) -> [StoredChunk] {
    var random = SeededGenerator(seed: seed)
    func number() -> UInt64 { Self.numbers[random.below(Self.numbers.count)] ^ UInt64(random.below(3)) }
    func place() -> Entry.Place { .init(time: Timestamp(milliseconds: Int64(bitPattern: number())), id: number()) }
    return (0..<random.below(20)).map { _ in
      let (first, timeGaps) = (place(), random.below(9))
      return StoredChunk(
        page: IndexPage(number: UInt32(truncatingIfNeeded: number()), checksum: UInt32(truncatingIfNeeded: number())),
        count: UInt16(truncatingIfNeeded: number()),
        first: .init(time: first.time, id: first.id, archiveOrder: UInt32(truncatingIfNeeded: number())),
        last: place(),
        timeGaps: InnerTimeGaps(
          known: (0..<timeGaps).map { .init(offset: UInt16($0), from: place(), to: place()) },
          others: UInt32(truncatingIfNeeded: number())))
    }
  }

  private func read(_ bytes: [UInt8]) -> [StoredChunk]? {
    try? FieldReader.read(bytes) { reader throws(FieldError) in try ChunkRun.read(&reader) }
  }

  @Test("all that they say comes back, whatever it is", arguments: UInt64(0)..<100)
  func comesBack(seed: UInt64) {
    let run = run(seed)
    var writer = FieldWriter()
    ChunkRun.write(run, into: &writer)
    #expect(read(writer.bytes) == run)
    for count in 0..<writer.bytes.count { #expect(read(Array(writer.bytes[..<count])) == nil) }
  }

  @Test("more than there can be is none, and costs no memory")
  func tooMany() {
    var writer = FieldWriter()
    writer.untagged(UInt64.max)
    #expect(read(writer.bytes) == nil)
  }
}
