import Crypto
import Glibc
import Pictures
import Synchronization
import Syscalls
import TestSupport
import Testing
import XMPPExtensions

@testable import ConfabAccounts
@testable import ConfabRuntime

@Suite("Copies of files that are sent") struct SpoolFilesTests {
  private static let gif: [UInt8] =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0, 0x3B]

  private func open(_ folder: borrowing TemporaryFolder, _ name: String, _ bytes: [UInt8]) throws -> PassedDescriptor {
    let path = folder.file(name)
    try TestFiles.write(path, bytes)
    return PassedDescriptor(taking: try Files.openForReading(path))
  }

  private func plan(_ count: Int, name: String? = nil, limit: Int = 1 << 30) -> SpoolPlan {
    SpoolPlan(names: (0..<count).map { "id.\($0)" }, name: name, limit: limit, stripsMetadata: true)
  }

  private func measured(_ outcome: FileOutcome) throws -> [MeasuredFile] {
    guard case .spooled(let measured) = outcome else { throw TestFailure("\(outcome)") }
    return measured
  }

  @Test("A file and a file in memory are copied, with what their bytes say")
  func copies() throws {
    let folder = try TemporaryFolder()
    let spool = SpoolFiles(in: folder.path)
    let large = [UInt8](repeating: 0, count: 3 << 20)
    let files = [
      try open(folder, "cat\u{202E}.gif", Self.gif),
      PassedDescriptor(taking: try Files.inMemory(Array("hello\n".utf8))), try open(folder, "large", large),
    ]
    let measured = try measured(spool.copy(files, plan(3)))
    #expect(measured.map(\.name) == ["cat.gif", "file.txt", "large"])
    #expect(measured.map(\.type) == ["image/gif", "text/plain", "application/octet-stream"])
    #expect(measured.map(\.size) == [UInt64(Self.gif.count), 6, 3 << 20] && measured[0].picture?.width == 1)
    #expect(measured[2].hash == FileHash(.sha256, try Digest.hash(large, .sha256)))
    #expect(TestFiles.read(folder.file("spool/id.2")) == large)
    let opened = try #require(try spool.open("id.0"))
    #expect(try Files.readAll(opened.raw, limit: 1000) == Self.gif)
    try spool.removeAll(but: ["id.2"])
    #expect(TestFiles.names(in: folder.file("spool")) == ["id.2"])
    #expect(try spool.open("id.0") == nil)
    try spool.remove(["id.2", "other"])
    #expect(TestFiles.names(in: folder.file("spool")).isEmpty)
  }

  @Test("What is no file, is empty or cannot be read is refused, and nothing is left behind")
  func refused() throws {
    let folder = try TemporaryFolder()
    let spool = SpoolFiles(in: folder.path)
    let good = try open(folder, "good", Self.gif)
    let writable = OwnedFD(taking: unsafe Glibc.open(folder.file("good"), O_WRONLY | O_CLOEXEC))
    for bad in [
      PassedDescriptor(taking: try Files.openDirectory(folder.path)), try open(folder, "empty", []),
      PassedDescriptor(taking: OwnedFD(taking: unsafe Glibc.open("/dev/zero", O_RDONLY | O_CLOEXEC))),
      PassedDescriptor(taking: writable), PassedDescriptor(taking: OwnedFD(taking: try pipe())),
    ] {
      #expect(throws: TestFailure.self) { try measured(spool.copy([good, bad], plan(2))) }
    }
    #expect(TestFiles.names(in: folder.file("spool")).isEmpty)
  }

  @Test("Files that are longer than all copies may be can never be copied, others not while there is no room")
  func room() throws {
    let folder = try TemporaryFolder()
    let spool = SpoolFiles(in: folder.path)
    let six = PassedDescriptor(taking: try Files.inMemory(Array("hello\n".utf8)))
    for (files, limit) in [([six], 5), ([six, six], 11)] {
      guard case .tooLong = spool.copy(files, plan(files.count, limit: limit)) else { throw TestFailure("taken") }
    }
    #expect(TestFiles.names(in: folder.file("spool")).isEmpty)
    _ = try measured(spool.copy([six], plan(1, limit: 11)))
    var other = plan(1, limit: 11)
    other.names = ["other.0"]
    guard case .noRoom = spool.copy([six], other) else { throw TestFailure("taken") }
  }

  @Test("A file that ends before its size is not sent")
  func shorter() throws {
    let folder = try TemporaryFolder()
    let spool = SpoolFiles(in: folder.path)
    // The kernel says a page of it, and gives a line.
    let file = PassedDescriptor(taking: try Files.openForReading("/sys/kernel/uevent_seqnum"))
    guard case .unusable(let reason) = spool.copy([file], plan(1)) else { throw TestFailure("taken") }
    #expect(reason == "the file became shorter while it was read")
    #expect(TestFiles.names(in: folder.file("spool")).isEmpty)
  }

  @Test("A copy in whose place something else stands is none", arguments: ["link", "folder", "pipe"])
  func replaced(by kind: String) throws {
    let folder = try TemporaryFolder()
    let spool = SpoolFiles(in: folder.path)
    _ = try measured(spool.copy([try open(folder, "cat", Self.gif)], plan(1)))
    let copy = folder.file("spool/id.0")
    try Paths.remove(copy)
    switch kind {
    case "link": #expect(unsafe symlink(folder.file("cat"), copy) == 0)
    case "folder": _ = try folder.makeFolder("spool/id.0")
    default: #expect(unsafe mkfifo(copy, 0o600) == 0)
    }
    #expect(try spool.open("id.0") == nil)
  }

  private final class End: Sendable { let isReached = Atomic(false) }

  /// The end of a pipe that is read.
  private func pipe() throws -> CInt {
    let (reader, writer) = try Pipes.make()
    close(writer)
    return reader
  }

  @Test("A file that grows and shrinks while it is copied is copied as long as it was, or refused")
  func changing() throws {
    let folder = try TemporaryFolder()
    let spool = SpoolFiles(in: folder.path)
    let file = PassedDescriptor(taking: try Files.inMemory([UInt8](repeating: 7, count: 8 << 20)))
    let end = End()
    let worker = try WorkerThread(name: "changing")
    defer { end.isReached.store(true, ordering: .relaxed) }
    try worker.run { [file] in
      while !end.isReached.load(ordering: .relaxed) {
        for size in [4 << 20, 1, 9 << 20] as [UInt64] { try? Files.truncate(file.raw, to: size) }
      }
    }
    for round in 0..<20 {
      let copy = PassedDescriptor(taking: OwnedFD(taking: dup(file.raw)))
      let outcome = spool.copy([copy], plan(1))
      guard case .spooled(let measured) = outcome else {
        guard case .unusable = outcome else { throw TestFailure("\(outcome)") }
        #expect(TestFiles.names(in: folder.file("spool")).isEmpty)
        continue
      }
      let bytes = try #require(TestFiles.read(folder.file("spool/id.0")))
      #expect([4 << 20, 1, 8 << 20, 9 << 20].contains(bytes.count), "it was never so long")
      #expect(measured[0].size == UInt64(bytes.count), "round \(round)")
      #expect(measured[0].hash == FileHash(.sha256, try Digest.hash(bytes, .sha256)))
      try spool.remove(["id.0"])
    }
  }

  @Test("A JPEG is copied without where it was taken, and a damaged one is not")
  func jpeg() throws {
    let folder = try TemporaryFolder()
    let spool = SpoolFiles(in: folder.path)
    let (start, exif): ([UInt8], [UInt8]) = ([0xFF, 0xD8], [0xFF, 0xE1, 0, 12] + Array("Exif\0\0here".utf8))
    let picture: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 4, 0, 3, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 2, 1, 2, 0xFF, 0xD9]
    let measured = try measured(spool.copy([try open(folder, "a.jpg", start + exif + picture)], plan(1, name: "b.jpg")))
    #expect(
      measured.map(\.name) == ["b.jpg"] && measured.map(\.type) == ["image/jpeg"] && measured[0].picture?.height == 4)
    #expect(TestFiles.read(folder.file("spool/id.0")) == start + picture)
    try spool.remove(["id.0"])
    let damaged = try open(folder, "c.jpg", start + [0xFF, 0xE1, 0, 1])
    #expect(throws: TestFailure.self) { try self.measured(spool.copy([damaged], plan(1))) }
  }
}

@Suite("Files that were fetched") struct CacheFilesTests {
  private func fetch(
    _ cache: CacheFiles, _ url: String, _ bytes: [UInt8], for message: UInt64 = 1, limit: Int = 1 << 20
  ) throws {
    #expect(try keep(cache, url, bytes, [], for: message, limit: limit))
  }

  private func keep(
    _ cache: CacheFiles, _ url: String, _ bytes: [UInt8], _ hashes: [FileHash], for message: UInt64, limit: Int
  ) throws -> Bool {
    let file = try cache.make("new-1")
    try Files.write(file.raw, bytes, at: 0)
    return try cache.keep("new-1", as: FetchedFile(identity: url, message: message, hashes: hashes), limit: limit)
  }

  @Test("A file that does not match its hash is not kept, and pushes no other out")
  func mismatch() throws {
    let folder = try TemporaryFolder()
    let cache = CacheFiles(in: folder.path)
    try fetch(cache, "https://a/1", [1, 2, 3], limit: 4)
    let right = FileHash(.sha256, try Digest.hash([9, 9, 9, 9], .sha256))
    #expect(try !keep(cache, "https://a/2", [4, 5, 6, 7], [right], for: 2, limit: 4))
    try cache.remove("new-1")
    #expect(try bytes(cache, "https://a/1") == [1, 2, 3] && bytes(cache, "https://a/2", for: 2) == nil)
    #expect(TestFiles.names(in: folder.file("files")).count == 1)
    #expect(try keep(cache, "https://a/2", [9, 9, 9, 9], [right], for: 2, limit: 4))
    #expect(try bytes(cache, "https://a/1") == nil && bytes(cache, "https://a/2", for: 2) == [9, 9, 9, 9])
  }

  private func bytes(
    _ cache: CacheFiles, _ url: String, _ hashes: [FileHash] = [], for message: UInt64 = 1
  ) throws -> [UInt8]? {
    let wanted = FetchedFile(identity: url, message: message, hashes: hashes)
    guard case .fetched(_, let file) = try cache.open(wanted) else { return nil }
    return try Files.readAll(file.raw, limit: 1 << 20)
  }

  @Test("A file is kept by its address, and given only if it matches the hashes")
  func hashes() throws {
    let folder = try TemporaryFolder()
    let cache = CacheFiles(in: folder.path)
    #expect(try bytes(cache, "https://a/1") == nil)
    let calls = try SyscallTrace.countingThisThread { try fetch(cache, "https://a/1", [1, 2, 3]) }
    #expect(calls["fdatasync"] == 1)
    let right = FileHash(.sha256, try Digest.hash([1, 2, 3], .sha256))
    #expect(try bytes(cache, "https://a/1") == [1, 2, 3])
    #expect(try bytes(cache, "https://a/1", [right]) == [1, 2, 3])
    #expect(try bytes(cache, "https://a/1", [FileHash(.sha1, try Digest.hash([1], .sha1)), right]) == nil)
    // It may be what another message with this address is about.
    #expect(try bytes(cache, "https://a/1") == [1, 2, 3])
  }

  @Test("A file stays as long as one of the messages that had it, and others' bytes at its address are not given")
  func messages() throws {
    let folder = try TemporaryFolder()
    let cache = CacheFiles(in: folder.path)
    try fetch(cache, "https://a/1", [1, 2, 3], for: 7)
    #expect(try bytes(cache, "https://a/1", for: 8) == [1, 2, 3])
    #expect(try cache.messages() == [7, 8])
    let wrong = FileHash(.sha256, try Digest.hash([1], .sha256))
    #expect(try bytes(cache, "https://a/1", [wrong], for: 9) == nil)
    try fetch(cache, "https://a/1", [1], for: 9)
    #expect(try bytes(cache, "https://a/1", [wrong], for: 9) == [1])
    try cache.forget([7])
    #expect(try bytes(cache, "https://a/1", for: 8) == [1, 2, 3])
    try cache.forget([8, 9])
    #expect(TestFiles.names(in: folder.file("files")).isEmpty)
  }

  @Test("A link in the place of a file is not followed, and the file is fetched again")
  func link() throws {
    let folder = try TemporaryFolder()
    let cache = CacheFiles(in: folder.path)
    try fetch(cache, "https://a/1", [1, 2, 3])
    let path = folder.file("files/\(TestFiles.names(in: folder.file("files"))[0])")
    try TestFiles.write(folder.file("secret"), [9])
    unsafe unlink(path)
    unsafe symlink(folder.file("secret"), path)
    #expect(try bytes(cache, "https://a/1") == nil)
    try fetch(cache, "https://a/1", [1, 2, 3])
    #expect(try bytes(cache, "https://a/1") == [1, 2, 3] && TestFiles.read(folder.file("secret")) == [9])
  }

  @Test("What was fetched longest ago goes first, and what is not whole is removed")
  func bound() throws {
    let folder = try TemporaryFolder()
    let cache = CacheFiles(in: folder.path)
    for number in 1...3 {
      try fetch(cache, "https://a/\(number)", [UInt8](repeating: 1, count: 400), limit: 1000)
      for name in TestFiles.names(in: folder.file("files")) { age(folder.file("files/\(name)")) }
    }
    #expect(try bytes(cache, "https://a/1") == nil)
    #expect(try bytes(cache, "https://a/3")?.count == 400)
    #expect(TestFiles.names(in: folder.file("files")).count == 2)
    _ = try cache.make("new-7")
    try TestFiles.write(folder.file("files/other"), [1])
    try cache.sweep()
    #expect(TestFiles.names(in: folder.file("files")).count == 2)
  }

  /// A file is an hour older.
  private func age(_ path: String) {
    var status = stat()
    unsafe stat(path, &status)
    let times = [
      timespec(tv_sec: status.st_atim.tv_sec - 3600, tv_nsec: 0),
      timespec(tv_sec: status.st_mtim.tv_sec - 3600, tv_nsec: 0),
    ]
    unsafe utimensat(AT_FDCWD, path, times, 0)
  }
}
