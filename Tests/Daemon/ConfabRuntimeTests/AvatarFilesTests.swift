import Glibc
import Syscalls
import TestSupport
import Testing
import XMPPExtensions

@testable import ConfabRuntime

@Suite("Kept pictures") struct AvatarFilesTests {
  private static func picture(_ number: UInt8, size: Int = 100) throws -> Avatar {
    let header: [UInt8] =
      Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0, 0x3B]
    return try #require(Avatar(header + [UInt8](repeating: number, count: size)))
  }

  @Test("A picture is kept in a file of its owner's alone, and given with a descriptor that is for reading")
  func keeps() throws {
    let folder = try TemporaryFolder()
    let files = AvatarFiles(in: folder.path)
    let picture = try Self.picture(1)
    #expect(try files.open(picture.hash) == nil)
    try files.keep(picture)
    try files.keep(picture)
    let (found, file) = try #require(try files.open(picture.hash))
    #expect(found == picture)
    #expect(try Files.readAll(file.raw, limit: 1000) == picture.bytes)
    #expect(try Files.attributes(file.raw).mode == 0o600)
    #expect(throws: Errno.self) { try Files.write(file.raw, [1], at: 0) }
    #expect(TestFiles.names(in: folder.file("avatars")) == [picture.hash])
  }

  @Test("What does not match its name, is no regular file or is left unfinished is given to nobody")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let files = AvatarFiles(in: folder.path)
    let (picture, other) = (try Self.picture(1), try Self.picture(2))
    try files.keep(picture)
    _ = try folder.write("avatars/\(other.hash)", String(decoding: [0x47, 0x49], as: UTF8.self))
    #expect(try files.open(other.hash) == nil)
    #expect(TestFiles.names(in: folder.file("avatars")) == [picture.hash])
    _ = try folder.write("avatars/new", "half of")
    try files.keep(other)
    #expect(try files.open(other.hash)?.0 == other)
    let third = try Self.picture(3).hash
    #expect(unsafe symlink("/etc/passwd", folder.file("avatars/\(third)")) == 0)
    #expect((try? files.open(third)) == nil)
  }

  @Test("The oldest pictures make room for a new one")
  func bounded() throws {
    let folder = try TemporaryFolder()
    // Beside the one that is being kept, which counts as the largest that there can be.
    let files = AvatarFiles(in: folder.path, limit: Int64(Avatar.largest) + 1_000)
    for number in 0..<UInt8(10) {
      let picture = try Self.picture(number, size: 300)
      try files.keep(picture)
      // The disk's clock is too coarse to tell them apart.
      var times = [timespec(tv_sec: Int(number), tv_nsec: 0), timespec(tv_sec: Int(number), tv_nsec: 0)]
      #expect(unsafe utimensat(AT_FDCWD, folder.file("avatars/\(picture.hash)"), &times, 0) == 0)
    }
    let kept = try (0..<UInt8(10)).filter { try files.open(Self.picture($0, size: 300).hash) != nil }
    #expect(kept == [6, 7, 8, 9])
    let few = AvatarFiles(in: folder.path, count: 2)
    try few.keep(try Self.picture(20))
    #expect(TestFiles.names(in: folder.file("avatars")).count == 2)
  }
}
