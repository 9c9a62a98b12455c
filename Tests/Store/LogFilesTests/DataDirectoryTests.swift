import Glibc
import LogFiles
import MessageLog
import Syscalls
import TestSupport
import Testing

@Suite struct DataDirectoryTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

  private let random = [UInt8](0..<16)
  private let otherRandom = [UInt8](16..<32)

  @Test func aSecondDaemonIsRefusedUntilTheFirstIsGone() throws {
    do {
      var first = try DataDirectory.create(path)
      #expect(try first.lock())
      var second = try DataDirectory.open(path)
      #expect(try second.lock() == false)
    }
    var third = try DataDirectory.open(path)
    #expect(try third.lock())
  }

  @Test func aLogMayBeALinkToAnotherDisk() throws {
    _ = try folder.makeFolder("data")
    _ = try folder.makeFolder("disk")
    #expect(try runCommand("ln", "-s", path + "/disk", path + "/data/log") == 0)
    var first = try DataDirectory.create(path + "/data")
    #expect(try first.lock())
    let storage = try first.storage(readOnly: false)
    let uuid = try first.identity(in: storage, random: random).uuid
    #expect(try first.identity(in: storage, random: otherRandom).uuid == uuid)
    let segment = SegmentID(first: 1)
    try storage.create(segment, preallocating: 1 << 20)
    try storage.write([1, 2, 3], to: segment, at: 0)
    try storage.syncDirectory()
    #expect(TestFiles.names(in: path + "/disk") == [segment.fileName])
    try SegmentRewriter.open(first).replace(segment, with: [4, 5, 6])
    #expect(TestFiles.read("\(path)/disk/\(segment.fileName)") == [4, 5, 6])
    // A directory that links to the same log does not get its lock while the first one has it.
    _ = try folder.makeFolder("other")
    #expect(try runCommand("ln", "-s", path + "/disk", path + "/other/log") == 0)
    var second = try DataDirectory.create(path + "/other")
    #expect(try second.lock() == false)
  }

  @Test(.enabled(if: getuid() == 0)) func aLinkLeadsToNobodyElse() throws {
    _ = try folder.makeFolder("data")
    _ = try folder.makeFolder("theirs")
    #expect(try runCommand("chown", "65534", path + "/theirs") == 0)
    #expect(try runCommand("ln", "-s", path + "/theirs", path + "/data/log") == 0)
    let directory = try DataDirectory.create(path + "/data")
    let error = #expect(throws: Errno.self) { _ = try directory.storage(readOnly: true) }
    #expect(error?.description.contains("a link to a directory of another user") == true)
  }

  @Test func errorsNameTheWholePath() throws {
    let directory = try Files.openDirectory(path)
    let error = #expect(throws: Errno.self) { _ = try Files.open("checkpoint", in: directory.raw, .read) }
    #expect(error?.description == "openat \(path)/checkpoint: No such file or directory")
  }

  @Test func theUUIDStaysWhereTheLogStays() throws {
    let directory = try DataDirectory.create(path)
    let storage = try directory.storage(readOnly: false)
    let new = try directory.identity(in: storage, random: random)
    #expect(new == .init(uuid: try #require(LogUUID(random: random)), moved: nil))
    #expect(try directory.identity(in: storage, random: otherRandom) == new)
  }

  @Test func aCopyGetsAUUIDOfItsOwn() throws {
    let original = try DataDirectory.create(path + "/a")
    let storage = try original.storage(readOnly: false)
    let uuid = try original.identity(in: storage, random: random).uuid
    let copy = try DataDirectory.create(path + "/b")
    let copied = try copy.storage(readOnly: false)
    try copied.replaceFile("instance", with: [])
    try copied.replaceFile("identity", with: try #require(try storage.readFile("identity", limit: 4096)))
    let found = try copy.identity(in: copied, random: otherRandom)
    #expect(found.uuid != uuid)
    #expect(found.moved != nil)
    #expect(try copy.identity(in: copied, random: random) == .init(uuid: found.uuid, moved: nil))
    #expect(try original.identity(in: storage, random: otherRandom).uuid == uuid)
    #expect(LogIdentity.read(from: storage)?.ancestors == [] && LogIdentity.read(from: copied)?.ancestors == [uuid])
  }

  /// True if the directory `data` gets another UUID if its log ends with record `last`.
  private func isRenamed(upTo last: UInt64, _ bytes: [UInt8]) throws -> Bool {
    let directory = try DataDirectory.create(path + "/data")
    let storage = try directory.storage(readOnly: false)
    let moved = try directory.identity(in: storage, random: bytes).moved
    let other = try directory.identity(ofLogUpTo: last, in: storage, random: bytes.reversed())
    if let other { #expect(LogIdentity.read(from: storage)?.uuid == other.uuid) }
    return moved != nil || other != nil
  }

  /// Copies as `rsync -a copy/ data/` does: each file is written anew and renamed into place. With `--delete`, other
  /// files are removed.
  private static let rsync =
    "for f in $(cd copy && find . -type f); do cp -a copy/$f data/$f.new && mv data/$f.new data/$f; done"

  @Test(
    "An older copy that is put back gets a new UUID, however it is put back",
    arguments: [
      "cp -a copy/. data/", "cp -r copy/. data/", "cp -a copy new && rm -r data && mv new data",
      "rm -r data/* && cp -a copy/* data/", Self.rsync, Self.rsync + "; rm data/instance.101",
    ])
  func putBack(command: String) throws {
    do {
      let directory = try DataDirectory.create(path + "/data")
      let storage = try directory.storage(readOnly: false)
      _ = try directory.identity(in: storage, random: random)
      storage.noteDurable(100)
      #expect(TestFiles.names(in: path + "/data").contains("instance.100"))
      try runCommand("cp", "-a", path + "/data", path + "/copy")
    }
    #expect(try !isRenamed(upTo: 100, otherRandom))
    do {
      let directory = try DataDirectory.create(path + "/data")
      let storage = try directory.storage(readOnly: false)
      _ = try directory.identity(in: storage, random: otherRandom)
      storage.noteDurable(101)
    }
    #expect(try !isRenamed(upTo: 101, otherRandom))
    let done = try Program.run(["sh", "-c", "cd \(path) && { \(command); }"])
    #expect(done.status == .exited(0), "\(done.errorText)")
    #expect(try isRenamed(upTo: 100, otherRandom))
    // The new UUID is kept.
    #expect(try !isRenamed(upTo: 100, random))
    #expect(TestFiles.names(in: path + "/data").filter { $0.hasPrefix("instance") }.count == 1)
  }

  @Test("a log that a version without numbered marks has opened keeps the UUID that it got there")
  func olderVersion() throws {
    let directory = try DataDirectory.create(path)
    let older = LogUUID(random: otherRandom)
    do {
      let storage = try directory.storage(readOnly: false)
      _ = try directory.identity(in: storage, random: random)
      storage.noteDurable(100)
      // As that version does: it finds no file `instance`, makes one, and takes the log for moved.
      let place = try Files.openDirectory(path)
      let mark = try Files.open("instance", in: place.raw, .createNew)
      let facts = try Files.attributes(mark.raw)
      let identity = try #require(LogIdentity.read(from: storage))
      let found = InstanceFacts(inode: facts.inode, birth: facts.birth, machine: nil)
      try storage.replaceFile("identity", with: identity.copied(as: try #require(older), to: found).encoded)
    }
    for _ in 1...2 {
      let storage = try directory.storage(readOnly: false)
      let found = try directory.identity(in: storage, random: random)
      #expect(found == .init(uuid: try #require(older), moved: nil))
      #expect(try directory.identity(ofLogUpTo: 100, in: storage, random: random) == nil)
    }
    #expect(TestFiles.names(in: path).filter { $0.hasPrefix("instance") } == ["instance.100"])
  }

  @Test func aBurstMovesTheMarkOnce() throws {
    let directory = try DataDirectory.create(path)
    let storage = try directory.storage(readOnly: false)
    _ = try directory.identity(in: storage, random: random)
    for number in 1...1000 as ClosedRange<UInt64> { storage.noteDurable(number) }
    let names = TestFiles.names(in: path).filter { $0.hasPrefix("instance") }
    #expect(names.count == 1 && names != ["instance.1000"], "\(names)")
  }

  @Test func anotherMachineIsAnotherPlace() throws {
    let directory = try DataDirectory.create(path)
    let storage = try directory.storage(readOnly: false)
    let uuid = try directory.identity(in: storage, random: random, machine: "aa").uuid
    #expect(try directory.identity(in: storage, random: otherRandom, machine: nil).uuid == uuid)
    #expect(try directory.identity(in: storage, random: otherRandom, machine: "bb").uuid != uuid)
  }

  @Test func anUnreadableIdentityIsReplaced() throws {
    let directory = try DataDirectory.create(path)
    let storage = try directory.storage(readOnly: false)
    try storage.replaceFile("identity", with: [UInt8](repeating: 0x41, count: 5000))
    #expect(try directory.identity(in: storage, random: random).moved != nil)
    #expect(try directory.identity(in: storage, random: otherRandom).moved == nil)
  }

  @Test func missingDirectoriesAboveAreMade() throws {
    _ = try DataDirectory.create(path + "/x/y/z")
    #expect(throws: Errno.self) { _ = try DataDirectory.open(path + "/x/y/nothing") }
    let made = try Files.openDirectory(path + "/x/y/z")
    #expect(try Files.names(in: made.raw) == ["log"])
  }
}
