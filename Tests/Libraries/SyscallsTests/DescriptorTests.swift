import Glibc
import Syscalls
import Testing

@Suite("Owned descriptors, errors and the trace")
struct DescriptorTests {
  @Test("An owner closes its descriptor when it goes away")
  func closesAtTheEnd() throws {
    try Descriptors.pipe().split { reading, writing in
      try close(writing)
      #expect(try Descriptors.read(reading.raw, atMost: 16) == [], "the end of input: nobody can write any more")
    }
  }

  private func close(_ fd: consuming OwnedFD) throws { #expect(fd.raw >= 0) }

  @Test("A second close is an error, a first one is not")
  func closeReports() throws {
    let number = try Descriptors.pipe().split { reading, writing in
      let number = reading.release()
      try OwnedFD(taking: number).close()
      return number
    }
    #expect(number >= 0)
    #expect(throws: Errno(EBADF, "close")) { try OwnedFD(taking: -1).close() }
  }

  @Test("Reading without anything to read is a value")
  func wouldBlock() throws {
    let pair = try Descriptors.pipe()
    #expect(try Descriptors.read(pair.first.raw, atMost: 16) == nil)
    try Descriptors.writeAll(pair.second.raw, Array("hello".utf8))
    #expect(try Descriptors.read(pair.first.raw, atMost: 3) == Array("hel".utf8))
    #expect(try Descriptors.read(pair.first.raw, atMost: 16) == Array("lo".utf8))
  }

  @Test("An error names the call, the reason and nothing else")
  func errorText() {
    let error = #expect(throws: Errno.self) { try Descriptors.read(-1, atMost: 1) }
    #expect(error == Errno(EBADF, "read"))
    #expect(error?.description == "read: Bad file descriptor")
    #expect(error?.name == "EBADF")
    #expect(Errno(ENOENT, "open", object: "/x").description == "open /x: No such file or directory")
    #expect(Errno(9999, "x").name == "E9999")
  }

  @Test("The trace counts the calls of one thread exactly, failed ones too")
  func counts() throws {
    let pair = try Descriptors.pipe()
    let counts = try SyscallTrace.countingThisThread {
      try Descriptors.writeAll(pair.second.raw, [1, 2, 3])
      _ = try Descriptors.read(pair.first.raw, atMost: 2)
      _ = try Descriptors.read(pair.first.raw, atMost: 2)
      _ = try Descriptors.read(pair.first.raw, atMost: 2)
    }
    #expect(counts == ["write": 1, "read": 3])
  }
}
