import Glibc
import Syscalls
import TestSupport
import Testing

@Suite("Paths.steps")
struct PathWalkTests {
  @Test("The steps name each directory, each symbolic link and the file at the end")
  func links() throws {
    let folder = try TemporaryFolder()
    let real = try folder.makeFolder("real")
    _ = try folder.write("real/file", "")
    #expect(unsafe symlink("real", folder.file("link")) == 0)
    let steps = try Paths.steps(to: folder.file("link") + "/../real/./file").map(\.path)
    let expected = [folder.file("link"), real, real, real + "/file"]
    #expect(steps.first == "/" && Array(steps.suffix(4)) == expected)
    #expect(try Paths.steps(to: real + "/missing/more").last?.path == real)
  }

  @Test("A circle of symbolic links is an error")
  func circle() throws {
    let folder = try TemporaryFolder()
    #expect(unsafe symlink("b", folder.file("a")) == 0 && symlink("a", folder.file("b")) == 0)
    let error = #expect(throws: Errno.self) { try Paths.steps(to: folder.file("a")) }
    #expect(error?.code == ELOOP)
  }
}
