import Syscalls
import TestSupport
import Testing

@Suite("Programs that nobody waits for")
struct ChildProgramsTests {
  /// Starts a shell command and returns whether it left with status 0.
  private func run(_ command: String, input: [UInt8]? = nil) throws -> Bool {
    var children = ChildPrograms()
    let id = try children.start(["sh", "-c", command], input: input)
    let deadline = Deadline.seconds(60)
    while !deadline.hasPassed {
      for (ended, succeeded) in children.takeEnded() {
        #expect(ended == id)
        #expect(children.takeEnded().isEmpty)
        return succeeded
      }
    }
    throw TestFailure("\(command) does not end")
  }

  @Test("get their input, no outputs and no terminal, and their end is heard of once")
  func streams() throws {
    let folder = try TemporaryFolder("children")
    #expect(try run("cat > \(folder.file("input"))", input: Array("text".utf8)))
    #expect(TestFiles.text(folder.file("input")) == "text")
    #expect(
      try run("for n in 0 1 2; do s=\"$s$(readlink /proc/$$/fd/$n) \"; done; echo $s > \(folder.file("streams"))"))
    #expect(TestFiles.text(folder.file("streams")) == "/dev/null /dev/null /dev/null\n")
    #expect(try !run("exit 3"))
    #expect(try !run("kill -TERM $$"))
  }

  @Test("a program that is not there is an error")
  func missing() throws {
    var children = ChildPrograms()
    #expect(throws: Errno.self) { try children.start(["/no/such/program"]) }
    #expect(children.takeEnded().isEmpty)
  }
}
