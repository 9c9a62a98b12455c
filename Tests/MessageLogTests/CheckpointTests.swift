import MessageLog
import TestSupport
import Testing

@Suite struct CheckpointTests {
  @Test func aStartReadsOnlyWhatIsBehindIt() throws {
    let (storage, _) = try logWithCheckpoint()
    let log = try TestLog(storage, segmentSize: 300)
    #expect(log.startedAfter == 10)
    #expect(log.order == Array(11...20))
    #expect(log.report.records == 10)
    #expect(log.writer.nextSequence == 21)
    let cursor = try LogReader(storage: storage).locate(3, in: log.writer.index)
    #expect(cursor.sequence == 3)
  }

  @Test func withoutItEverythingIsReadAgain() throws {
    let (storage, _) = try logWithCheckpoint()
    storage.change { $0.files = [:] }
    #expect(try TestLog(storage, segmentSize: 300).order == Array(1...20))
  }

  @Test func everyChangedByteMakesItIgnored() throws {
    let (storage, bytes) = try logWithCheckpoint()
    for offset in bytes.indices {
      var changed = bytes
      changed[offset] ^= 0x10
      storage.change { $0.files["checkpoint"] = changed }
      try expectIgnored(storage, "byte \(offset)")
    }
    for length in 0..<bytes.count {
      storage.change { $0.files["checkpoint"] = Array(bytes[..<length]) }
      try expectIgnored(storage, "length \(length)")
    }
  }

  @Test func thatOfAnotherLogIsIgnored() throws {
    let (storage, _) = try logWithCheckpoint()
    let other = try #require(LogUUID(random: [UInt8](repeating: 9, count: 16)))
    try Checkpoint(log: other, sequence: 3, location: LogLocation(ordinal: 1, offset: 64), body: []).write(to: storage)
    try expectIgnored(storage, "another log")
  }

  @Test(
    "of a copy, what the checkpoint of the log that it was copied from states was durable: nothing of that is cut off")
  func thatOfTheCopiedLogIsAWitness() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    _ = try log.write(["one"])
    log.append((2...9).map { "text \($0)" })
    let batch = try log.take()
    try log.perform(batch)
    let uuid = try #require(TestLog.uuid)
    try Checkpoint(log: uuid, sequence: 9, location: log.writer.durableEnd, body: []).write(to: storage)
    let place = Int(batch.location(of: 4).offset) + 12
    storage.change { content in for id in content.segments.keys { content.segments[id]?[place] ^= 1 } }
    let other = try #require(LogUUID(random: [UInt8](repeating: 9, count: 16)))
    var recovery = try Recovery(of: storage, log: other, mode: .readWrite)
    #expect(recovery.checkpoint == nil)
    var read: [UInt64] = []
    let report = try recovery.run { read.append($0.sequence) }.report
    #expect(read == [1, 2, 3, 5, 6, 7, 8, 9])
    #expect(report.torn == nil && report.damageCount == 1)
    #expect(report.checkpointIgnored?.hasPrefix("it belongs to the log") == true)
  }

  @Test func itsBodyMayBeOfNoUse() throws {
    let (storage, _) = try logWithCheckpoint()
    var recovery = try Recovery(of: storage, log: TestLog.uuid, mode: .readWrite)
    #expect(recovery.checkpoint?.body == [1, 2, 3])
    recovery.ignoreCheckpoint("an older version wrote it")
    var count = 0
    let log = try recovery.run { _ in count += 1 }
    #expect(count == 20)
    #expect(log.report.checkpointIgnored == "an older version wrote it")
  }

  @Test("a log that ends before its checkpoint has lost records, whose numbers are not used again")
  func lostEnd() throws {
    let (storage, _) = try logWithCheckpoint()
    storage.change { content in
      for id in content.segments.keys where id.first > 5 { content.segments[id] = nil }
    }
    var log = try TestLog(storage, segmentSize: 300)
    #expect(log.report.damage.map(\.reason) == [.missing])
    #expect(log.report.damage.first?.next == 11)
    #expect(log.report.checkpointIgnored != nil)
    #expect(try log.write(["new"]) == [11])
    let again = try TestLog(storage, segmentSize: 300)
    #expect(again.read[11] == "new")
    #expect(again.writer.nextSequence == 12)
  }

  @Test func aBadRecordThatTheCheckpointSawIsDamage() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    _ = try log.write(["one"])
    let location = log.writer.durableEnd
    try Checkpoint(log: log.writer.uuid, sequence: 1, location: location, body: []).write(to: storage)
    storage.change { $0.segments[SegmentID(first: 1)]?[90] ^= 1 }
    var recovery = try Recovery(of: storage, log: TestLog.uuid, mode: .readWrite)
    recovery.ignoreCheckpoint("to read all")
    let found = try recovery.run { _ in }
    #expect(found.report.torn == nil)
    #expect(found.report.damageCount >= 1)
    #expect(found.nextSequence == 2)
  }

  private func expectIgnored(_ storage: MemoryStorage, _ comment: Comment) throws {
    let log = try TestLog(storage, segmentSize: 300)
    #expect(log.order == Array(1...20), comment)
    #expect(log.report.checkpointIgnored != nil, comment)
  }

  /// A log of 20 records with a checkpoint after the tenth, and the bytes of that.
  private func logWithCheckpoint() throws -> (MemoryStorage, [UInt8]) {
    let storage = MemoryStorage()
    var log = try TestLog(storage, segmentSize: 300)
    for number in 1...20 {
      _ = try log.write(["record \(number)"])
      guard number == 10 else { continue }
      let location = log.writer.durableEnd
      try Checkpoint(log: log.writer.uuid, sequence: 10, location: location, body: [1, 2, 3]).write(to: storage)
    }
    return (storage, try #require(storage.snapshot.files["checkpoint"]))
  }
}
