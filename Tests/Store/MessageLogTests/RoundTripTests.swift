import Bytes
import MessageLog
import TestSupport
import Testing

@Suite struct RoundTripTests {
  @Test func whatWasWrittenIsReadInItsOrder() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    #expect(try log.write(["one", "two"]) == [1, 2])
    #expect(try log.write(["three"]) == [3])
    #expect(log.writer.durable == 3)
    let again = try TestLog(storage)
    #expect(again.read == [1: "one", 2: "two", 3: "three"])
    #expect(again.report.torn == nil)
    #expect(again.report.damage.isEmpty)
    #expect(again.writer.nextSequence == 4)
  }

  @Test func segmentsRotateAndEverythingIsFound() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage, segmentSize: 600)
    for number in 1...100 { _ = try log.write(["record \(number)"]) }
    #expect(storage.snapshot.segments.count > 5)
    #expect(storage.snapshot.segments.values.allSatisfy { $0.count <= 600 })
    let again = try TestLog(storage, segmentSize: 600)
    #expect(again.read.count == 100)
    let reader = LogReader(storage: storage)
    for number in UInt64(1)...100 {
      let cursor = try reader.locate(number, in: again.writer.index)
      #expect(cursor.sequence == number)
      var texts: [String] = []
      var moving = cursor
      try reader.read(&moving, in: again.writer.index) { frame in
        texts.append(frame.text)
        return true
      }
      #expect(texts == (number...100).map { "record \($0)" })
      #expect(moving.sequence == 101)
    }
  }
}
