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

  /// A log with a damaged place in its very last batch, whose checkpoint, of log `owner`, has seen all of it.
  private func damaged(checkpointOf owner: LogUUID) throws -> MemoryStorage {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    _ = try log.write(["one"])
    log.append((2...9).map { "text \($0)" })
    let batch = try log.take()
    try log.perform(batch)
    try Checkpoint(log: owner, sequence: 9, location: log.writer.durableEnd, body: []).write(to: storage)
    let place = Int(batch.location(of: 4).offset) + 12
    storage.change { content in for id in content.segments.keys { content.segments[id]?[place] ^= 1 } }
    return storage
  }

  private func open(_ storage: MemoryStorage, as log: LogUUID) throws -> (read: [UInt64], RecoveryReport) {
    var recovery = try Recovery(of: storage, log: log, mode: .readWrite)
    #expect(recovery.checkpoint == nil)
    var read: [UInt64] = []
    let report = try recovery.run { read.append($0.sequence) }.report
    #expect(report.checkpointIgnored?.hasPrefix("it belongs to the log") == true)
    return (read, report)
  }

  private static let logs = (0..<3).compactMap { LogUUID(random: [UInt8](repeating: 9 + $0, count: 16)) }

  @Test(
    "of a copy, what the checkpoint of the log that it was copied from states was durable: nothing of that is cut off")
  func thatOfTheCopiedLogIsAWitness() throws {
    let (read, report) = try open(damaged(checkpointOf: try #require(TestLog.uuid)), as: Self.logs[0])
    #expect(read == [1, 2, 3, 5, 6, 7, 8, 9])
    #expect(report.torn == nil && report.damageCount == 1)
  }

  @Test("of a copy's copy too, where nothing was written to the first copy but the checkpoint")
  func thatOfTheCopiedCopyIsAWitness() throws {
    let (original, logs) = (try #require(TestLog.uuid), Self.logs)
    let here = InstanceFacts(inode: 1, birth: nil, machine: nil)
    let families: [([LogUUID], isWitness: Bool)] = [
      ([original, logs[0]], true), ([original, logs[0], logs[1]], true), ([logs[1], original, logs[0]], true),
      // Its own segment came behind that, or nothing is known of it.
      ([logs[0], original], false), ([logs[0]], false), ([original, logs[1]], false), ([], false),
    ]
    for (ancestors, isWitness) in families {
      let storage = try damaged(checkpointOf: logs[0])
      let identity = LogIdentity(uuid: logs[2], instance: here, ancestors: ancestors)
      try storage.replaceFile(LogIdentity.fileName, with: identity.encoded)
      let (read, report) = try open(storage, as: logs[2])
      #expect(read == (isWitness ? [1, 2, 3, 5, 6, 7, 8, 9] : [1, 2, 3]), "\(ancestors)")
      #expect((report.torn == nil) == isWitness && report.damageCount == (isWitness ? 1 : 0), "\(ancestors)")
    }
  }

  @Test(
    "it is not used where bytes are missing before the place that it states, or were inserted", arguments: [0, 5000])
  func movedBytes(room: Int) throws {
    for sequence in [10, 20] as [UInt64] {
      for change in [-30, -1, 1, 30] {
        let storage = MemoryStorage()
        var log = try TestLog(storage)
        for number in 1...20 {
          _ = try log.write(["record \(number)"])
          guard number == sequence else { continue }
          try Checkpoint(log: log.writer.uuid, sequence: sequence, location: log.writer.durableEnd, body: [])
            .write(to: storage)
        }
        storage.change { content in
          let id = SegmentID(first: 1)
          content.segments[id]? += [UInt8](repeating: 0, count: room)
          content.segments[id]?.replaceSubrange(
            200..<200 + max(0, -change), with: [UInt8](repeating: 7, count: max(0, change)))
        }
        let again = try TestLog(storage)
        #expect(again.report.checkpointIgnored != nil && again.report.damageCount == 1, "\(sequence) \(change)")
        #expect(again.order.first == 1 && again.order.last == 20 && again.order.count >= 18)
        #expect(again.report.torn == nil && again.writer.nextSequence == 21)
      }
    }
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

  @Test("a newest segment of which it has seen a record is not dropped, whatever is left of it")
  func seenSegment() throws {
    let storage = MemoryStorage()
    var log = try TestLog(storage)
    _ = try log.write(["one"])
    try Checkpoint(log: log.writer.uuid, sequence: 1, location: log.writer.durableEnd, body: []).write(to: storage)
    let bytes = [UInt8](repeating: 0x55, count: 200)
    storage.change { $0.segments[SegmentID(first: 1)] = bytes }
    var again = try TestLog(storage)
    #expect(again.report.torn == nil && again.report.damageCount > 0)
    #expect(try again.write(["two"]) == [2])
    #expect(storage.snapshot.segments[SegmentID(first: 1)] == bytes)
    #expect(try TestLog(storage).read == [2: "two"])
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
