import Bytes
import LogFiles
import MessageLog
import Syscalls
import TestSupport
import Testing

/// A log over real files, from one start to the next.
@Suite struct RealLogTests {
  private let folder: TemporaryFolder
  private let first = SegmentID(first: 1)

  init() throws { folder = try TemporaryFolder() }

  @Test func aTornTailIsCutAndTheLogGoesOn() throws {
    #expect(try start(appending: 3).records == 0)
    let storage = try DataDirectory.open(folder.path).storage(readOnly: false)
    let end: UInt64 = 64 + 3 * 28
    try storage.write([1, 2, 3, 0, 4], to: first, at: end)
    let torn = try start(appending: 2)
    #expect(torn.records == 3)
    #expect(torn.torn?.offset == end)
    #expect(torn.torn?.bytes == 5)
    let again = try start(appending: 0)
    #expect(again.records == 5)
    #expect(again.torn == nil && again.damage.isEmpty)
  }

  @Test("One record costs a write, a sync and a look at the path of the file")
  func systemCalls() throws {
    _ = try start(appending: 1)
    var (writer, storage) = try open()
    _ = try append(&writer, storage)
    let calls = try SyscallTrace.countingThisThread { _ = try append(&writer, storage) }
    #expect(calls == ["pwrite": 1, "fdatasync": 1, "statx": 1])
  }

  @Test func aFreshSegmentIsMadeDurableWithItsName() throws {
    var (writer, storage) = try open()
    let calls = try SyscallTrace.countingThisThread { _ = try append(&writer, storage) }
    #expect(calls["fsync"] == 1, "the directory")
    #expect(calls["fdatasync"] == 1, "the segment")
    #expect(calls["pwrite"] == 1)
  }

  /// Opens the log, appends so many records, and closes it; what opening it found.
  private func start(appending count: Int) throws -> RecoveryReport {
    let storage = try DataDirectory.create(folder.path).storage(readOnly: false)
    let uuid = try #require(LogUUID(random: [UInt8](0..<16)))
    var recovery = try Recovery(of: storage, log: uuid, mode: .readWrite)
    let log = try recovery.run { _ in }
    var writer = log.makeWriter(uuid: uuid)
    for _ in 0..<count { _ = try append(&writer, storage) }
    return log.report
  }

  private func open() throws -> (LogWriter, FileStorage) {
    let storage = try DataDirectory.create(folder.path).storage(readOnly: false)
    let uuid = try #require(LogUUID(random: [UInt8](0..<16)))
    var recovery = try Recovery(of: storage, log: uuid, mode: .readWrite)
    return (try recovery.run { _ in }.makeWriter(uuid: uuid), storage)
  }

  private func append(_ writer: inout LogWriter, _ storage: FileStorage) throws -> UInt64 {
    let number = writer.append(kind: 20) { $0.uint(1, 7) }
    let taken = writer.takeBatch()
    let batch = try #require(taken)
    try batch.perform(on: storage)
    writer.completed(batch)
    return number
  }
}
