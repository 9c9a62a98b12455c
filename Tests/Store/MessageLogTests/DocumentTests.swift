import Bytes
import MessageLog
import TestSupport
import Testing

/// The worked example of docs/LOG-FORMAT.md is what the program writes, and a log that it reads.
@Suite struct DocumentTests {
  private static let time: Int64 = 1_795_165_800_123

  @Test func theProgramWritesTheExample() throws {
    let written = try #require(try example().snapshot.segments[SegmentID(first: 1)])
    #expect(dump(written) == (try documented()), "\n\(dump(written).joined(separator: "\n"))")
  }

  @Test func theProgramReadsTheExample() throws {
    let bytes = try documented().flatMap { row in
      row.dropFirst(4).split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }
    var recovery = try Recovery(
      of: MemoryStorage(MemoryStorage.Content(segments: [SegmentID(first: 1): bytes])), log: nil, mode: .readOnly)
    var read: [String] = []
    let log = try recovery.run { frame in
      // Of a message, as Records has it.
      let leading =
        frame.kind == 24 ? LeadingFields([2, 1, 3, 4, 5, 11, 13], bytes: 0b111_1000, last: 6) : nil
      let count: Int? = try? frame.withFields(leading) { reader throws(FieldError) in
        var count = 0
        while try reader.next() != nil { count += 1 }
        return count
      }
      read.append("\(frame.sequence) \(frame.kind) \(frame.location) \(count ?? -1)")
    }
    #expect(read == ["1 1 1:81 3", "2 24 1:115 3", "3 7 1:171 4"])
    #expect(log.report.damage.isEmpty && log.report.torn == nil)
  }

  private func example() throws -> MemoryStorage {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    log.writer.append(kind: 1) { writer in
      writer.uint(1, 1)
      writer.string(2, "home")
      writer.string(3, "ann@example.org")
    }
    log.writer.append(kind: 24) { writer in
      writer.bytes.append(0b1001)
      writer.append(atMost: 32, numbers: 2) {
        $0.leading(Self.time)
        $0.leading("bob@example.org".utf8.span)
      }
      writer.bytes += Array("Grüße".utf8)
    }
    try log.flush()
    log.writer.append(kind: 7) { writer in
      writer.uint(1, 1)
      writer.string(2, "bob@example.org")
      writer.int(3, Self.time)
      writer.uint(4, 2)
    }
    try log.flush()
    return storage
  }

  /// The rows of the document: an offset of four digits, two spaces, up to 16 bytes.
  private func documented() throws -> [String] {
    let text = try #require(TestFiles.text(Products.repository + "/docs/LOG-FORMAT.md"))
    return text.split(separator: "\n").map(String.init).filter { line in
      line.count > 6 && line.prefix(4).allSatisfy(\.isHexDigit) && line.dropFirst(4).hasPrefix("  ")
    }
  }

  private func dump(_ bytes: [UInt8]) -> [String] {
    func hex(_ value: Int, _ width: Int) -> String {
      let digits = String(value, radix: 16)
      return String(repeating: "0", count: width - digits.utf8.count) + digits
    }
    return stride(from: 0, to: bytes.count, by: 16).map { start in
      let row = bytes[start..<min(start + 16, bytes.count)].map { hex(Int($0), 2) }
      return hex(start, 4) + "  " + row.joined(separator: " ")
    }
  }
}
