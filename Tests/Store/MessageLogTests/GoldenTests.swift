import MessageLog
import TestSupport
import Testing

/// A log in each version of the format. Every later release must read them: these bytes never change. A log of a newer
/// format gets its bytes beside these. Two segments, the second begun after a failed write: record 3 stands in both,
/// and counts in the second only.
@Suite struct GoldenTests {
  typealias Segments = [(first: UInt64, hex: String)]

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

  static let version3: Segments = [
    (
      1,
      """
      43 6f 6e 66 61 62 4c 0a 03 00 00 00 01 00 00 00 01 00 00 00 00 00 00 00 6f 1c 1c 3e 8a 55 4b 43
      9a 0e 01 23 45 67 89 ab 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 5a 90 8d ad
      70 27 c7 35 ff 01 00 00 08 00 00 00 00 00 00 00 00 b5 95 69 79 14 01 00 00 05 0a 03 6f 6e 65 5f
      5e 8f 68 14 02 00 00 0e 0a 0c 7a 77 65 69 20 47 72 c3 bc c3 9f 65 94 fa 72 aa ff 03 00 00 08 76
      00 00 00 01 00 00 00 a5 3d 0d 31 14 03 00 00 05 0a 03 e4 b8 89
      """
    ),
    (
      3,
      """
      43 6f 6e 66 61 62 4c 0a 03 00 00 00 02 00 00 00 03 00 00 00 00 00 00 00 6f 1c 1c 3e 8a 55 4b 43
      9a 0e 01 23 45 67 89 ab 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 28 ff 54 49
      94 fa 72 aa ff 03 00 00 08 76 00 00 00 01 00 00 00 a5 3d 0d 31 14 03 00 00 05 0a 03 e4 b8 89 59
      43 02 58 ff 04 00 00 08 5f 00 00 00 02 00 00 00 74 a7 8e 0c 14 04 00 00 06 0a 04 66 6f 75 72 2f
      a8 7e 2a 14 05 00 00 02 0a 00
      """
    ),
  ]

  static let version4: Segments = [
    (
      1,
      """
      43 6f 6e 66 61 62 4c 0a 04 00 00 00 01 00 00 00 01 00 00 00 00 00 00 00 6f 1c 1c 3e 8a 55 4b 43
      9a 0e 01 23 45 67 89 ab 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 1f c4 b1 de
      70 27 c7 35 ff 01 00 00 08 00 00 00 00 00 00 00 00 b5 95 69 79 14 01 00 00 05 0a 03 6f 6e 65 5f
      5e 8f 68 14 02 00 00 0e 0a 0c 7a 77 65 69 20 47 72 c3 bc c3 9f 65 94 fa 72 aa ff 03 00 00 08 76
      00 00 00 01 00 00 00 a5 3d 0d 31 14 03 00 00 05 0a 03 e4 b8 89
      """
    ),
    (
      3,
      """
      43 6f 6e 66 61 62 4c 0a 04 00 00 00 02 00 00 00 03 00 00 00 00 00 00 00 6f 1c 1c 3e 8a 55 4b 43
      9a 0e 01 23 45 67 89 ab 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 6d ab 68 3a
      94 fa 72 aa ff 03 00 00 08 76 00 00 00 01 00 00 00 a5 3d 0d 31 14 03 00 00 05 0a 03 e4 b8 89 59
      43 02 58 ff 04 00 00 08 5f 00 00 00 02 00 00 00 74 a7 8e 0c 14 04 00 00 06 0a 04 66 6f 75 72 2f
      a8 7e 2a 14 05 00 00 02 0a 00
      """
    ),
  ]

  static let version5: Segments = [
    (
      1,
      """
      43 6f 6e 66 61 62 4c 0a 05 00 00 00 01 00 00 00 01 00 00 00 00 00 00 00 6f 1c 1c 3e 8a 55 4b 43
      9a 0e 01 23 45 67 89 ab 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 b5 30 df 7a
      70 27 c7 35 ff 01 00 00 08 00 00 00 00 00 00 00 00 b5 95 69 79 14 01 00 00 05 0a 03 6f 6e 65 5f
      5e 8f 68 14 02 00 00 0e 0a 0c 7a 77 65 69 20 47 72 c3 bc c3 9f 65 94 fa 72 aa ff 03 00 00 08 76
      00 00 00 01 00 00 00 a5 3d 0d 31 14 03 00 00 05 0a 03 e4 b8 89
      """
    ),
    (
      3,
      """
      43 6f 6e 66 61 62 4c 0a 05 00 00 00 02 00 00 00 03 00 00 00 00 00 00 00 6f 1c 1c 3e 8a 55 4b 43
      9a 0e 01 23 45 67 89 ab 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 c7 5f 06 9e
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

  @Test(
    "it is read, and gone on behind: in a new segment, if it is of an older format",
    arguments: [(2, version2, 3), (3, version3, 3), (4, version4, 3), (5, version5, 2)])
  func isRead(version: Int, segments: Segments, count: Int) throws {
    let storage = MemoryStorage(content(segments))
    var log = try TestLog(storage)
    #expect(log.read == Self.texts)
    #expect(log.report.damage.isEmpty && log.report.torn == nil)
    #expect(log.writer.nextSequence == 6)
    let (head, batch): (UInt32, UInt32) = (9, 17)
    let records = head + 5 + batch + head + 6 + head + 2
    #expect(log.writer.index.end == LogLocation(ordinal: 2, offset: 64 + batch + records))
    #expect(try log.write(["six"]) == [6])
    #expect(storage.snapshot.segments.count == count)
    let again = try TestLog(storage)
    #expect(again.read == Self.texts.merging([6: "six"]) { $1 } && again.report.damage.isEmpty)
    let reader = LogReader(storage: storage)
    for number in UInt64(1)...6 {
      let found = try #require(try reader.first(from: number, in: again.writer.index))
      #expect(found.sequence == number && found.text == again.read[number])
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
    for (first, hex) in Self.version5 {
      let written = storage.snapshot.segments[SegmentID(first: first)] ?? []
      #expect(dump(written) == hex, "GOLDEN \(first)\n\(dump(written))")
    }
  }

  private func dump(_ bytes: [UInt8]) -> String {
    stride(from: 0, to: bytes.count, by: 32).map { start in
      bytes[start..<min(start + 32, bytes.count)].map(hex).joined(separator: " ")
    }.joined(separator: "\n")
  }

  private func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return byte < 16 ? "0" + digits : digits
  }
}
