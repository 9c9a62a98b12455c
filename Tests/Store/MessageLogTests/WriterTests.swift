import Bytes
import MessageLog
import TestSupport
import Testing

@Suite struct WriterTests {
  @Test func aRecordCostsNineBytesAndABatchSeventeen() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    let (header, batch, record): (Int, Int, Int) = (64, 17, 9 + "abc".utf8.count + 2)
    _ = try log.write(["abc"])
    let one = storage.snapshot.segments[SegmentID(first: 1)]?.count
    #expect(one == header + batch + record)
    _ = try log.write(["abc", "abc"])
    let three = storage.snapshot.segments[SegmentID(first: 1)]?.count
    #expect(three == header + 2 * batch + 3 * record)
  }

  @Test func theTextIsThereForGrep() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    _ = try log.write(["Grüße, 世界 👋"])
    let bytes = try #require(storage.snapshot.segments.values.first)
    #expect(String(decoding: bytes, as: UTF8.self).contains("Grüße, 世界 👋"))
  }

  @Test func onlyOneBatchIsUnderWay() throws {
    var log = try TestLog(MemoryStorage())
    log.append(["one"])
    let batch = try log.take()
    log.append(["two"])
    var none = log.writer.takeBatch()
    #expect(none?.segment == nil)
    #expect(log.writer.durable == 0)
    try log.perform(batch)
    #expect(log.writer.durable == 1)
    #expect(log.writer.hasPending)
    try log.flush()
    #expect(log.writer.durable == 2)
    none = log.writer.takeBatch()
    #expect(none?.segment == nil)
    #expect(log.writer.pendingBytes == 0)
  }

  @Test func aBatchKnowsItsRecordsAndTheirPlaces() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    _ = try log.write(["zero"])
    log.append(["one", "two"])
    let batch = try log.take()
    #expect(batch.sequences == 2..<4)
    var found: [String] = []
    batch.forEachRecord { found.append("\($0.sequence) \($0.kind) \($0.text)") }
    #expect(found == ["2 20 one", "3 20 two"])
    try log.perform(batch)
    let reader = LogReader(storage: storage)
    #expect(try reader.record(3, at: batch.location(of: 3), in: log.writer.index) { $0.text } == "two")
    #expect(try reader.record(2, at: batch.location(of: 2), in: log.writer.index) { $0.text } == "one")
    #expect(throws: LogReadError.noRecord(batch.location(of: 2)), "another one is there, sound as it is") {
      try reader.record(3, at: batch.location(of: 2), in: log.writer.index) { $0.text }
    }
  }

  @Test("what is worth reading at once is read at once, and a record that is longer is read to its end")
  func readsAhead() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    log.append((0..<20).map { "record \($0) " + String(repeating: "x", count: $0 == 9 ? 5000 : 40) })
    let batch = try log.take()
    try log.perform(batch)
    let places = batch.sequences.map { batch.location(of: $0) }
    for ahead in [0, 1, 60, 1000, 4096, .max] {
      let reader = LogReader(storage: storage, chunk: 2048)
      for number in [0, 1, 2, 8, 9, 10, 19, 3, 9] {
        var text = ""
        try reader.read(UInt64(number) + 1, at: places[number], ahead: ahead, in: log.writer.index) { text = $0.text }
        #expect(text.hasPrefix("record \(number) x") && text.count >= 40, "\(ahead)")
      }
    }
    func reads(_ ahead: Int) throws -> (calls: Int, bytes: Int) {
      let reader = LogReader(storage: storage, chunk: 2048)
      let before = storage.reads
      for (number, place) in places[0..<8].enumerated() {
        try reader.read(UInt64(number) + 1, at: place, ahead: ahead, in: log.writer.index) { _ in }
      }
      return (storage.reads.calls - before.calls, storage.reads.bytes - before.bytes)
    }
    let way = Int(places[8].offset - places[0].offset)
    #expect(try reads(way) == (1, way))
    #expect(try reads(.max) == (1, 2048))
  }

  @Test func whatIsNotDurableIsShownInOrder() throws {
    var log = try TestLog(MemoryStorage())
    _ = try log.write(["zero"])
    log.append(["one", "two"])
    let batch = try log.take()
    log.append(["three"])
    func pending() -> [String] {
      var found: [String] = []
      log.writer.forEachPending { found.append("\($0.sequence) \($0.text)") }
      return found
    }
    #expect(pending() == ["2 one", "3 two", "4 three"])
    var text = ""
    batch.withRecord(3) { text = $0.text }
    #expect(text == "two")
    try log.perform(batch)
    #expect(pending() == ["4 three"])
    try log.flush()
    #expect(pending().isEmpty)
  }

  @Test("a batch takes the memory of one that is durable, and whoever has that keeps what was in it")
  func memoryOfABatchIsUsedAgain() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    var batches: [LogBatch] = []
    log.append(["text 1", "text 2"])
    for number in 3..<9 {
      batches.append(try log.take())
      log.append(["text \(number)"])
      try log.perform(batches[batches.count - 1])
    }
    try log.flush()
    for batch in batches { batch.forEachRecord { #expect($0.text == "text \($0.sequence)") } }
    let read = try TestLog(storage).read
    #expect(read == Dictionary(uniqueKeysWithValues: (1..<9).map { (UInt64($0), "text \($0)") }))
  }

  @Test func whatIsNotDurableCannotBeRead() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    _ = try log.write(["one"])
    log.append(["two"])
    let batch = try log.take()
    try batch.perform(on: storage)
    let reader = LogReader(storage: storage)
    let place = batch.location(of: 2)
    #expect(throws: LogReadError.noRecord(place)) { try reader.record(2, at: place, in: log.writer.index) { $0.text } }
    #expect(try reader.locate(2, in: log.writer.index).sequence == 2)
    var cursor = try reader.locate(1, in: log.writer.index)
    var count = 0
    try reader.read(&cursor, in: log.writer.index) { _ in
      count += 1
      return true
    }
    #expect(count == 1)
    log.writer.completed(batch)
    #expect(try reader.record(2, at: place, in: log.writer.index) { $0.text } == "two")
    try reader.read(&cursor, in: log.writer.index) { $0.text == "two" }
    #expect(cursor.sequence == 3)
  }

  @Test func placesThatAreNoneAreErrors() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    _ = try log.write(["one"])
    let reader = LogReader(storage: storage)
    for (ordinal, offset) in [(0, 0), (1, 0), (1, 64), (1, 65), (1, .max), (2, 64), (.max, .max)] as [(UInt32, UInt32)]
    {
      let place = LogLocation(ordinal: ordinal, offset: offset)
      #expect(throws: LogReadError.noRecord(place)) {
        try reader.record(1, at: place, in: log.writer.index) { $0.text }
      }
    }
  }

  @Test func aReaderStopsAtItsLimitAndGoesOn() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage, segmentSize: 700)
    for number in 1...50 { _ = try log.write(["record \(number)"]) }
    let reader = LogReader(storage: storage)
    for limit in [1, 30, 100, 1000] {
      var cursor = LogCursor(sequence: 1, location: LogLocation(ordinal: 0, offset: 0))
      var texts: [String] = []
      var reads = 0
      while cursor.sequence <= log.writer.durable {
        try reader.read(&cursor, in: log.writer.index, limit: limit) { frame in
          texts.append(frame.text)
          return true
        }
        reads += 1
      }
      #expect(texts == (1...50).map { "record \($0)" })
      #expect(limit > 30 || reads >= 50)
    }
  }

  @Test(
    "a failed batch and all behind it go into a new segment, under the same numbers",
    arguments: ["create", "write", "sync"])
  func recoverIntoNewSegment(call: String) throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage, segmentSize: 600)
    _ = try log.write(["one"])
    log.append(["two", String(repeating: "3", count: 500), "four"])
    storage.failNext(call, StorageError(.noSpace, "full"))
    #expect(throws: StorageError(.noSpace, "full")) { try log.flush() }
    #expect(log.writer.state == .failed(StorageError(.noSpace, "full")))
    let durable = log.writer.durable
    log.append(["five"])
    let calls = storage.snapshot.calls.count
    let batch = try log.take()
    #expect(batch.createsSegment)
    #expect(batch.segment == SegmentID(first: durable + 1))
    try log.perform(batch)
    try log.flush()
    let last = SegmentID(first: 1).fileName
    if durable == 1 {
      #expect(!storage.snapshot.calls.dropFirst(calls).contains { $0.contains("write \(last)") }, "not touched again")
    }
    #expect(log.writer.durable == 5)
    let again = try TestLog(storage, segmentSize: 600)
    #expect(again.read == [1: "one", 2: "two", 3: String(repeating: "3", count: 500), 4: "four", 5: "five"])
    #expect(again.report.damage.isEmpty)
  }

  @Test func recoveryItselfMayFailAgain() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    log.append(["one"])
    for _ in 0..<3 {
      storage.failNext("create", StorageError(.noSpace, "full"))
      let batch = try log.take()
      #expect(throws: StorageError.self) { try log.perform(batch) }
    }
    try log.perform(try log.take())
    #expect(try TestLog(storage).read == [1: "one"])
  }

  @Test func anEmptyLogHasNothing() throws {
    let storage = MemoryStorage()
    let log = try TestLog(storage)
    #expect(log.writer.durable == 0)
    #expect(log.writer.nextSequence == 1)
    #expect(storage.snapshot.calls.isEmpty)
    var cursor = try LogReader(storage: storage).locate(1, in: log.writer.index)
    try LogReader(storage: storage).read(&cursor, in: log.writer.index) { _ in true }
    #expect(cursor.sequence == 1)
  }
}
