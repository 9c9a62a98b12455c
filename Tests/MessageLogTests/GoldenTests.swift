import MessageLog
import TestSupport
import Testing

/// A log as version 1.0 wrote it. Every later release must read it: these bytes never change. A log of a newer format gets a
/// test beside this one.
@Suite struct GoldenTests {
  /// Two segments, the second begun after a failed write: record 3 stands in both, and counts in the second only.
  static let segments: [(first: UInt64, hex: String)] = [
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

  static let texts: [UInt64: String] = [1: "one", 2: "zwei Grüße", 3: "三", 4: "four", 5: ""]

  @Test func version1IsRead() throws {
    var content = MemoryStorage.Content()
    for (first, hex) in Self.segments {
      content.segments[SegmentID(first: first)] = hex.split { $0 == " " || $0 == "\n" }.compactMap {
        UInt8($0, radix: 16)
      }
    }
    let log = try TestLog(MemoryStorage(content))
    #expect(log.read == Self.texts)
    #expect(log.report.damage.isEmpty)
    #expect(log.report.torn == nil)
    #expect(log.writer.nextSequence == 6)
    #expect(log.writer.index.end == LogLocation(ordinal: 2, offset: 64 + 24 + 16 + 5 + 24 + 16 + 6 + 16 + 2))
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
    for (first, hex) in Self.segments {
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
