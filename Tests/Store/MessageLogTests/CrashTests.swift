import MessageLog
import TestSupport
import Testing

/// What a daemon does to a log: batches of many sizes over several segments, and a checkpoint now and then.
private struct Script {
  static let segmentSize: UInt64 = 4096

  /// What was reported durable.
  var durable: UInt64 = 0
  /// Every text ever appended, by its number: the last one where a number was used again.
  var texts: [UInt64: String] = [:]

  /// Runs until the storage fails, or to the end.
  mutating func run(_ log: inout TestLog, rounds: Int = 14) throws {
    for round in 0..<rounds {
      let count = [1, 3, 1, 8, 2][round % 5]
      let size = [10, 400, 60, 900, 1500][(round + round / 5) % 5]
      append(&log, round: round, count: count, size: size)
      try log.flush()
      durable = log.writer.durable
      if round % 6 == 5 { try checkpoint(log) }
    }
  }

  mutating func append(_ log: inout TestLog, round: Int, count: Int, size: Int) {
    for number in 0..<count {
      let text = "round \(round) text \(number) " + String(repeating: "x", count: size)
      texts[log.append([text])[0]] = text
    }
  }

  func checkpoint(_ log: TestLog) throws {
    let checkpoint = Checkpoint(
      log: log.writer.uuid, sequence: log.writer.durable, location: log.writer.durableEnd, body: [1, 2, 3])
    try checkpoint.write(to: log.storage)
  }

  /// Nothing that was reported durable is lost, nothing is there that was not written, and numbers go on.
  func check(_ log: TestLog, _ comment: Comment) {
    #expect(log.report.damage == [], comment)
    #expect(log.order == Array((log.startedAfter + 1)..<(log.startedAfter + 1 + UInt64(log.order.count))), comment)
    let first = log.startedAfter + 1
    for number in first..<max(first, durable + 1) { #expect(log.read[number] == texts[number], comment) }
    for (number, text) in log.read { #expect(texts[number] == text, comment) }
    #expect(log.writer.nextSequence > durable, comment)
    #expect(log.startedAfter <= durable, comment)
  }
}

@Suite struct CrashTests {
  /// The changing calls of the whole script.
  static let calls: Int = {
    let storage = CrashingStorage()
    var script = Script()
    guard var log = try? TestLog(storage, segmentSize: Script.segmentSize) else { return 0 }
    try? script.run(&log)
    return storage.calls.count
  }()

  @Test func theScriptIsWorthIt() {
    #expect(Self.calls > 40)
  }

  @Test("a crash at every write, sync, creation and rename loses nothing durable", arguments: 1...calls)
  func crash(at call: Int) throws {
    for fate in CrashingStorage.Fate.allCases {
      for seed in UInt64(0)..<(fate == .mixed ? 12 : 1) {
        let storage = CrashingStorage()
        storage.fail(at: call)
        var script = Script()
        try? run(&script, on: storage)
        let image = storage.crashImage(seed: seed, fate: fate)
        try goOn(script, from: image, "\(storage.calls.last ?? "") \(fate) \(seed)")
      }
    }
  }

  @Test("a killed process, and then a crash, lose nothing durable", arguments: 1...calls)
  func kill(at call: Int) throws {
    let storage = CrashingStorage()
    storage.fail(at: call)
    var script = Script()
    try? run(&script, on: storage)
    try goOn(script, from: storage.killImage, "\(storage.calls.last ?? "")")
  }

  @Test("a write or sync that fails once is made good in a new segment", arguments: 1...calls)
  func failOnce(at call: Int) throws {
    for seed in UInt64(0)..<4 {
      let storage = CrashingStorage()
      storage.fail(at: call, forEver: false)
      var script = Script()
      var log = try TestLog(storage, segmentSize: Script.segmentSize)
      try? script.run(&log)
      if case .failed = log.writer.state {
        script.append(&log, round: 99, count: 2, size: 300)
        try log.perform(try log.take())
        try log.flush()
      }
      script.durable = log.writer.durable
      try script.run(&log, rounds: 3)
      try goOn(script, from: storage.killImage, "kill after \(storage.calls[call - 1])")
      try goOn(script, from: storage.crashImage(seed: seed), "crash after \(storage.calls[call - 1]) \(seed)")
    }
  }

  @Test("what a failed sync left in memory only is not taken for durable", arguments: 1...calls)
  func killAfterFailure(at call: Int) throws {
    let storage = CrashingStorage()
    storage.fail(at: call, forEver: false)
    var script = Script()
    try? run(&script, on: storage)
    // The process is gone, the machine goes on: the new one reads what may not be on the disk.
    var log = try TestLog(storage, segmentSize: Script.segmentSize)
    script.check(log, "\(call)")
    script.durable = log.writer.durable
    try script.run(&log, rounds: 2)
    try goOn(script, from: storage.crashImage(seed: UInt64(call), fate: .dropped), "\(storage.calls[call - 1])")
  }

  @Test("a crash at every call of recovery loses nothing durable", arguments: 1...calls)
  func crashInRecovery(at call: Int) throws {
    let storage = CrashingStorage()
    storage.fail(at: call)
    var script = Script()
    try? run(&script, on: storage)
    let image = storage.crashImage(seed: UInt64(call))
    for second in 1...6 {
      let again = CrashingStorage(image)
      again.fail(at: second)
      _ = try? TestLog(again, segmentSize: Script.segmentSize)
      try goOn(script, from: again.crashImage(seed: UInt64(second)), "\(call), then \(second)")
    }
  }

  @Test func discardedRecordsDoNotComeBack() throws {
    let storage = CrashingStorage()
    var log = try TestLog(storage)
    _ = try log.write(["kept"])
    storage.fail(at: storage.calls.count + 2, forEver: false)
    log.append(["given up"])
    #expect(throws: StorageError.self) { try log.flush() }
    log.writer.discardPending()
    #expect(try log.write(["new"]) == [2])
    let again = try TestLog(MemoryStorage(storage.killImage))
    #expect(again.read == [1: "kept", 2: "new"])
    #expect(again.report.damage.isEmpty)
    #expect(storage.killImage.segments.count == 2)
  }

  private func run(_ script: inout Script, on storage: CrashingStorage) throws {
    var log = try TestLog(storage, segmentSize: Script.segmentSize)
    try script.run(&log)
  }

  /// Starts from `image`, checks what is there, writes more, and starts again.
  private func goOn(_ script: Script, from image: MemoryStorage.Content, _ comment: Comment) throws {
    var script = script
    let storage = CrashingStorage(image)
    var log = try TestLog(storage, segmentSize: Script.segmentSize)
    script.check(log, comment)
    try script.run(&log, rounds: 2)
    script.check(try TestLog(MemoryStorage(storage.crashImage(seed: 1)), segmentSize: Script.segmentSize), comment)
  }
}
