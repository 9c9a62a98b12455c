import MessageLog
import TestSupport
import Testing

/// Logs as each version of the format has them. Every later release must read them: these bytes never change. A log of a
/// newer format gets its bytes beside these. Two segments, the second begun after a failed write: record 3 stands in both,
/// and counts in the second only.
@Suite struct GoldenTests {
  typealias Segments = [(first: UInt64, hex: String)]

  static let version1: Segments = [
    (
      1,
      """
      43 6f 6e 66 61 62 4c 0a 01 00 00 00 01 00 00 00 01 00 00 00 00 00 00 00 6f 1c 1c 3e 8a 55 4b 43
      9a 0e 01 23 45 67 89 ab 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff 0f bc e0
      e9 0d 39 69 08 00 00 ff 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 81 d6 ea 55 05 00 00 14
      01 00 00 00 00 00 00 00 0a 03 6f 6e 65 3e bd 4a 83 0e 00 00 14 02 00 00 00 00 00 00 00 0a 0c 7a
      77 65 69 20 47 72 c3 bc c3 9f 65 8b df f6 f8 08 00 00 ff 03 00 00 00 00 00 00 00 8b 00 00 00 01
      00 00 00 3a d4 bb 91 05 00 00 14 03 00 00 00 00 00 00 00 0a 03 e4 b8 89
      """
    ),
    (
      3,
      """
      43 6f 6e 66 61 62 4c 0a 01 00 00 00 02 00 00 00 03 00 00 00 00 00 00 00 6f 1c 1c 3e 8a 55 4b 43
      9a 0e 01 23 45 67 89 ab 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 8d 60 65 04
      8b df f6 f8 08 00 00 ff 03 00 00 00 00 00 00 00 8b 00 00 00 01 00 00 00 3a d4 bb 91 05 00 00 14
      03 00 00 00 00 00 00 00 0a 03 e4 b8 89 46 da 4c df 08 00 00 ff 04 00 00 00 00 00 00 00 6d 00 00
      00 02 00 00 00 31 f1 a8 bb 06 00 00 14 04 00 00 00 00 00 00 00 0a 04 66 6f 75 72 86 ef 80 87 02
      00 00 14 05 00 00 00 00 00 00 00 0a 00
      """
    ),
  ]

  static let version2: Segments = [
    (
      1,
      """
      43 6f 6e 66 61 62 4c 0a 02 00 00 00 01 00 00 00 01 00 00 00 00 00 00 00 6f 1c 1c 3e 8a 55 4b 43
      9a 0e 01 23 45 67 89 ab 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 f0 64 e3 09
      70 27 c7 35 ff 01 00 00 08 00 00 00 00 00 00 00 00 b5 95 69 79 14 01 00 00 05 0a 03 6f 6e 65 5f
      5e 8f 68 14 02 00 00 0e 0a 0c 7a 77 65 69 20 47 72 c3 bc c3 9f 65 94 fa 72 aa ff 03 00 00 08 76
      00 00 00 01 00 00 00 a5 3d 0d 31 14 03 00 00 05 0a 03 e4 b8 89
      """
    ),
    (
      3,
      """
      43 6f 6e 66 61 62 4c 0a 02 00 00 00 02 00 00 00 03 00 00 00 00 00 00 00 6f 1c 1c 3e 8a 55 4b 43
      9a 0e 01 23 45 67 89 ab 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 82 0b 3a ed
      94 fa 72 aa ff 03 00 00 08 76 00 00 00 01 00 00 00 a5 3d 0d 31 14 03 00 00 05 0a 03 e4 b8 89 59
      43 02 58 ff 04 00 00 08 5f 00 00 00 02 00 00 00 74 a7 8e 0c 14 04 00 00 06 0a 04 66 6f 75 72 2f
      a8 7e 2a 14 05 00 00 02 0a 00
      """
    ),
  ]

  static let texts: [UInt64: String] = [1: "one", 2: "zwei Grüße", 3: "三", 4: "four", 5: ""]

  private func content(_ segments: Segments) -> MemoryStorage.Content {
    var content = MemoryStorage.Content()
    for (first, hex) in segments {
      content.segments[SegmentID(first: first)] = hex.split { $0 == " " || $0 == "\n" }.compactMap {
        UInt8($0, radix: 16)
      }
    }
    return content
  }

  @Test("each is read, and gone on behind", arguments: [1, 2])
  func isRead(version: Int) throws {
    let storage = MemoryStorage(content(version == 1 ? Self.version1 : Self.version2))
    var log = try TestLog(storage)
    #expect(log.read == Self.texts)
    #expect(log.report.damage.isEmpty && log.report.torn == nil)
    #expect(log.writer.nextSequence == 6)
    let sizes: (head: UInt32, batch: UInt32) = version == 1 ? (16, 24) : (9, 17)
    let records = sizes.head + 5 + sizes.batch + sizes.head + 6 + sizes.head + 2
    #expect(log.writer.index.end == LogLocation(ordinal: 2, offset: 64 + sizes.batch + records))
    #expect(try log.write(["six"]) == [6])
    #expect(storage.snapshot.segments.count == (version == 1 ? 3 : 2), "none of an older format is appended to")
    let again = try TestLog(storage)
    #expect(again.read == Self.texts.merging([6: "six"]) { $1 } && again.report.damage.isEmpty)
    let reader = LogReader(storage: storage)
    for number in UInt64(1)...6 {
      let found = try #require(try reader.first(from: number, in: again.writer.index))
      #expect(found.sequence == number && found.text == again.read[number])
    }
  }

  @Test("every byte of a segment of format 1, changed: at most one record is lost, and the loss is told")
  func everyFlipOfVersion1() throws {
    let sound = content(Self.version1)
    let id = SegmentID(first: 1)
    for offset in 0..<(sound.segments[id]?.count ?? 0) {
      var content = sound
      content.segments[id]?[offset] ^= 0x41
      let log = try TestLog(MemoryStorage(content))
      let lost = Set(Self.texts.keys).subtracting(log.read.keys)
      #expect(log.read.allSatisfy { Self.texts[$0] == $1 } && lost.isSubset(of: [1, 2]) && lost.count <= 1)
      // What follows the second segment's first number is not read.
      #expect(log.report.damage.count == (offset < 0x8B ? 1 : 0), "byte \(offset)")
      #expect(log.report.damage.reduce(0) { $0 + $1.next - $1.expected } == UInt64(lost.count), "byte \(offset)")
    }
  }

  @Test("format 1 cut at every length: whole records are read")
  func everyCutOfVersion1() throws {
    let bytes = try #require(content(Self.version1).segments[SegmentID(first: 1)])
    let ends = [(109, UInt64(1)), (139, 2), (184, 3)]
    for length in 0...bytes.count {
      let log = try TestLog(MemoryStorage(first: Array(bytes[..<length])))
      #expect(log.order == ends.filter { $0.0 <= length }.map(\.1), "length \(length)")
      #expect(log.report.damage.isEmpty, "length \(length)")
    }
  }

  @Test func theSameIsWrittenToday() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    _ = try log.write(["one", "zwei Grüße"])
    log.append(["三"])
    storage.failNext("sync")
    #expect(throws: StorageError.self) { try log.flush() }
    try log.perform(try log.take())
    _ = try log.write(["four", ""])
    for (first, hex) in Self.version2 {
      let written = storage.snapshot.segments[SegmentID(first: first)] ?? []
      #expect(dump(written) == hex, "GOLDEN \(first)\n\(dump(written))")
    }
  }

  private func dump(_ bytes: [UInt8]) -> String {
    stride(from: 0, to: bytes.count, by: 32).map { start in
      bytes[start..<min(start + 32, bytes.count)].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(
        separator: " ")
    }.joined(separator: "\n")
  }
}
