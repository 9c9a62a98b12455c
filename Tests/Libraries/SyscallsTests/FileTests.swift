import Syscalls
import TestSupport
import Testing

/// Calls on files that the log does not need: those of the doctor and of the setup.
@Suite("Files, paths and programs")
struct FileTests {
  @Test("a file in memory is read by a program that is started, and has no name of its own")
  func inMemory() throws {
    let file = try Files.inMemory(Array("hidden\n".utf8))
    #expect(try Files.attributes(file.raw).mode == 0o600)
    let done = try ShellCommand("cat /proc/self/fd/\(file.raw)", limits: .init(time: 10_000, output: 100)).run()
    #expect(done.termination == .exited(0) && done.output == Array("hidden\n".utf8))
  }

  @Test("free room, writable directories, links and real paths; what is not there")
  func paths() throws {
    let folder = try TemporaryFolder("paths")
    try folder.write("file", "x")
    _ = try Program.run(["ln", "-s", "file", folder.file("link")])
    #expect(try Files.freeBytes(folder.path) > 0)
    #expect(throws: Errno.self) { try Files.freeBytes(folder.file("none")) }
    #expect(Paths.target(folder.file("link")) == "file" && Paths.target(folder.file("file")) == nil)
    #expect(Paths.real(folder.file("link")) == Paths.real(folder.file("file")))
    #expect(Paths.real(folder.file("none")) == nil)
    #expect(Paths.isWritableDirectory(folder.path) && !Paths.isWritableDirectory(folder.file("none")))
    #expect(try #require(try Paths.status(folder.file("file"))).modified > 1_700_000_000)
  }

  @Test("a file without a name gets one where none is, and no other file loses its own")
  func naming() throws {
    let folder = try TemporaryFolder("naming")
    let directory = try Files.openDirectory(folder.path)
    let file = try Files.openTemporary(in: folder.path)
    try Files.write(file.raw, Array("x".utf8), at: 0)
    #expect(TestFiles.names(in: folder.path).isEmpty)
    try Files.name(file.raw, "new", in: directory.raw)
    #expect(TestFiles.text(folder.file("new")) == "x")
    let other = try Files.openTemporary(in: folder.path)
    #expect(throws: Errno.self) { try Files.name(other.raw, "new", in: directory.raw) }
    #expect(TestFiles.text(folder.file("new")) == "x")
    let removed = try Files.open("removed", in: directory.raw, .createNew)
    try Files.remove("removed", in: directory.raw)
    #expect(throws: Errno.self) { try Files.name(removed.raw, "again", in: directory.raw) }
  }

  @Test("a program's lines come as it writes them, and it ends when it is asked to")
  func child() throws {
    let child = try ChildProgram("trap 'exit 3' INT; echo one; echo two; while :; do sleep 1; done")
    #expect(try child.readLine(milliseconds: 60_000) == .line(Array("one".utf8)))
    #expect(try child.readLine(milliseconds: 60_000) == .line(Array("two".utf8)))
    #expect(try child.readLine(milliseconds: 1) == .timedOut)
    #expect(!child.isOver)
    child.interrupt()
    #expect(try child.end(within: 60_000) == .exited(3))
    #expect(child.isOver)
    let deaf = try ChildProgram("trap '' INT; echo; exec sleep 1000")
    #expect(try deaf.readLine(milliseconds: 60_000) == .line([]))
    deaf.interrupt()
    #expect(try deaf.end(within: 1) == .tookTooLong)
    let silent = try ChildProgram("exit 0")
    #expect(try silent.readLine(milliseconds: 60_000) == .end)
    #expect(try silent.end(within: 60_000) == .exited(0))
    let echo = try ChildProgram("exec cat", isWrittenTo: true)
    for word in ["one", "two"] {
      try echo.write(Array("\(word)\n".utf8))
      #expect(try echo.readLine(milliseconds: 60_000) == .line(Array(word.utf8)))
    }
  }

  @Test("a word is the shell's as it is", arguments: ["", "a b", "it's", "$(x)`y`\\", "-n", "'", "a\nb"])
  func quoted(word: String) throws {
    let done = try ShellCommand("printf %s \(ShellCommand.quoted(word))", limits: .init(time: 10_000, output: 100))
      .run()
    #expect(done.output == Array(word.utf8))
  }
}
