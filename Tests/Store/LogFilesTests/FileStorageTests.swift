import Glibc
import LogFiles
import MessageLog
import Syscalls
import TestSupport
import Testing

@Suite struct FileStorageTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

  private static let first = SegmentID(first: 1)

  @Test func writesAreReadBack() throws {
    let storage = try DataDirectory.create(path + "/data").storage(readOnly: false)
    #expect(try storage.segments().isEmpty)
    try storage.create(Self.first, preallocating: 4 << 20)
    try storage.syncDirectory()
    try storage.write([1, 2, 3], to: Self.first, at: 2)
    try storage.sync(Self.first)
    #expect(try storage.read(Self.first, count: 5) == [0, 0, 1, 2, 3])
  }

  @Test func theSizeRunsAheadInStepsAndThenIsZero() throws {
    let storage = try DataDirectory.create(path).storage(readOnly: false)
    try storage.create(Self.first, preallocating: 4 << 20)
    #expect(try storage.segments() == [SegmentFile(id: Self.first, size: 0)])
    let calls = try SyscallTrace.countingThisThread {
      for offset in 0..<100 {
        try storage.write([UInt8](repeating: 7, count: 100), to: Self.first, at: UInt64(offset) * 100)
      }
    }
    #expect(calls == ["fallocate": 1, "pwrite": 100])
    #expect(try storage.segments() == [SegmentFile(id: Self.first, size: 1 << 20)])
    #expect(try storage.read(Self.first, count: 1 << 20).dropFirst(10_000).allSatisfy { $0 == 0 })
    try storage.truncate(Self.first, to: 50)
    try storage.write([1], to: Self.first, at: 50)
    #expect(try storage.read(Self.first, count: 200).prefix(53) == ([UInt8](repeating: 7, count: 50) + [1, 0, 0])[...])
  }

  @Test func createReplacesWhatIsThere() throws {
    let storage = try DataDirectory.create(path).storage(readOnly: false)
    for _ in 0..<2 {
      try storage.create(Self.first, preallocating: 1 << 20)
      #expect(try storage.read(Self.first, count: 10) == [])
      try storage.write([9, 9], to: Self.first, at: 0)
    }
    try storage.remove(Self.first)
    #expect(try storage.segments().isEmpty)
    #expect(throws: StorageError.self) { try storage.read(Self.first, count: 1) }
  }

  @Test func smallFilesAreReplacedAtOneStroke() throws {
    let storage = try DataDirectory.create(path).storage(readOnly: false)
    #expect(try storage.readFile("checkpoint", limit: 10) == nil)
    try storage.replaceFile("checkpoint", with: [1, 2, 3])
    let calls = try SyscallTrace.countingThisThread { try storage.replaceFile("checkpoint", with: [4]) }
    #expect(calls["fsync"] == 2)
    #expect(calls["renameat"] == 1)
    #expect(try storage.readFile("checkpoint", limit: 1) == [4])
    #expect(throws: StorageError.self) { try storage.readFile("checkpoint", limit: 0) }
  }

  @Test func pagesAreWrittenAnywhereAndReadBack() throws {
    let storage = try DataDirectory.create(path).storage(readOnly: false)
    #expect(try storage.size(ofPages: "index") == nil)
    #expect(throws: StorageError.self) { try storage.page(at: 0, count: 4) }
    try storage.writePages("index", [1, 2, 3, 4], at: 8)
    #expect(try storage.size(ofPages: "index") == 12)
    #expect(try storage.page(at: 6, count: 4) == [0, 0, 1, 2])
    #expect(try storage.page(at: 10, count: 4) == [3, 4])
    let calls = try SyscallTrace.countingThisThread {
      try storage.writePages("index", [9], at: 0)
      try storage.syncPages("index")
      _ = try storage.page(at: 0, count: 1)
    }
    // A file that was made just now has its name made durable, once.
    #expect(calls == ["pwrite": 1, "fdatasync": 1, "fsync": 1, "pread": 1])
    let later = try SyscallTrace.countingThisThread { try storage.syncPages("index") }
    #expect(later == ["fdatasync": 1])
    let reader = try DataDirectory.open(path).storage(readOnly: true)
    #expect(try reader.page(at: 0, count: 1) == [9])
    #expect(throws: StorageError.self) { try reader.writePages("index", [1], at: 0) }
  }

  @Test func aFileInPiecesIsOneFile() throws {
    let storage = try DataDirectory.create(path).storage(readOnly: false)
    try storage.replaceFile("checkpoint", with: [[1, 2], [], [3]])
    #expect(try storage.readFile("checkpoint", limit: 10) == [1, 2, 3])
  }

  @Test func everythingIsForTheOwnerOnly() throws {
    let storage = try DataDirectory.create(path + "/data").storage(readOnly: false)
    try storage.create(Self.first, preallocating: 1 << 20)
    try storage.replaceFile("checkpoint", with: [1])
    let data = try Files.openDirectory(path + "/data")
    let log = try Files.openDirectory("log", in: data.raw)
    #expect(try Files.attributes(data.raw).mode == 0o700)
    #expect(try Files.attributes(log.raw).mode == 0o700)
    let segment = try Files.open(Self.first.fileName, in: log.raw, .read)
    #expect(try Files.attributes(segment.raw).mode == 0o600)
    let checkpoint = try Files.open("checkpoint", in: data.raw, .read)
    #expect(try Files.attributes(checkpoint.raw).mode == 0o600)
  }

  @Test func linksAreNotFollowed() throws {
    let storage = try DataDirectory.create(path).storage(readOnly: false)
    #expect(unsafe symlink("/etc/passwd", path + "/checkpoint") == 0)
    #expect(throws: StorageError.self) { try storage.readFile("checkpoint", limit: 1 << 20) }
    #expect(unsafe symlink("/etc/passwd", path + "/log/" + Self.first.fileName) == 0)
    #expect(throws: StorageError.self) { try storage.read(Self.first, count: 1) }
  }

  @Test func aReadOnlyStorageChangesNothing() throws {
    let directory = try DataDirectory.create(path)
    let writable = try directory.storage(readOnly: false)
    try writable.create(Self.first, preallocating: 1 << 20)
    try writable.write([5], to: Self.first, at: 0)
    let storage = try directory.storage(readOnly: true)
    #expect(try storage.read(Self.first, count: 1) == [5])
    let change: [() throws -> Void] = [
      { try storage.create(Self.first, preallocating: 0) }, { try storage.write([1], to: Self.first, at: 0) },
      { try storage.truncate(Self.first, to: 0) }, { try storage.remove(Self.first) },
      { try storage.replaceFile("checkpoint", with: []) },
    ]
    for attempt in change {
      let error = #expect(throws: StorageError.self) { try attempt() }
      #expect(error?.cause == .readOnly)
    }
    #expect(try storage.read(Self.first, count: 1) == [5])
  }

  @Test func moreSegmentsThanDescriptorsAreRead() throws {
    let storage = try DataDirectory.create(path).storage(readOnly: false)
    for first in UInt64(1)...100 {
      try storage.create(SegmentID(first: first), preallocating: 4096)
      try storage.write([UInt8(first)], to: SegmentID(first: first), at: 0)
    }
    #expect(try storage.segments().count == 100)
    for first in UInt64(1)...100 {
      #expect(try storage.read(SegmentID(first: first), count: 1) == [UInt8(first)])
    }
  }
}

extension FileStorage {
  /// What there is of `count` bytes of the index.
  func page(at offset: UInt64, count: Int) throws(StorageError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var result: Result<Int, StorageError> = .success(0)
    unsafe bytes.withUnsafeMutableBytes { buffer in
      result = Result { () throws(StorageError) in try unsafe readPages("index", at: offset, into: buffer) }
    }
    return Array(bytes.prefix(try result.get()))
  }

  /// The first `count` bytes of `segment`, or what there is.
  func read(_ segment: SegmentID, count: Int) throws(StorageError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var failure: StorageError?
    let got = unsafe bytes.withUnsafeMutableBytes { buffer in
      do throws(StorageError) {
        return try unsafe read(segment, at: 0, into: buffer)
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    return Array(bytes.prefix(got))
  }
}

extension FileStorageTests {
  @Test("room for one more segment is kept once, and found again")
  func reserve() throws {
    let storage = try DataDirectory.create(path).storage(readOnly: false)
    #expect(try SyscallTrace.countingThisThread { try storage.keepDiskReserve() }["fallocate"] == 1)
    #expect(try SyscallTrace.countingThisThread { try storage.keepDiskReserve() }.isEmpty)
    #expect(!storage.isDiskReserveTaken)
    #expect(try storage.segments().isEmpty)
    try DataDirectory.open(path).storage(readOnly: false).keepDiskReserve()
    #expect(TestFiles.names(in: path + "/log") == ["reserve"])
  }
}
