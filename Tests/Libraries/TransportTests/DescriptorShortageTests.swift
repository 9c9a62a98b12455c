import Glibc
import Reactor
import Syscalls
import TestSupport
import Testing
import Transport

@Suite("Too few descriptors")
struct DescriptorShortageTests {
  /// In a process of its own, because the limit is the process's.
  @Test("A client that there is no descriptor for is turned away at once, and the next one is served")
  func turnsAway() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let loop = try EventLoop()
      var accepted: [UnixConnection] = []
      let path = folder.file("socket")
      let listener = try UnixListener(loop: loop, path: path) { accepted.append($0) }
      let first = try Sockets.connectUnix(path: path)
      let second = try Sockets.connectUnix(path: path)
      // The process inherits what others have open, whatever that is.
      let directory = try Files.openDirectory("/proc/self/fd")
      let open = try Files.names(in: directory.raw).compactMap { rlim_t($0) }
      let most = (open.max() ?? 0) + 10
      var limit = rlimit(rlim_cur: most, rlim_max: most)
      try #require(unsafe setrlimit(CInt(RLIMIT_NOFILE.rawValue), &limit) == 0)
      var fillers: [CInt] = []
      while case let filler = dup(0), filler >= 0 { fillers.append(filler) }
      try loop.turn()
      try loop.turn()
      try #require(accepted.isEmpty)
      try #require(try Descriptors.read(first.raw, atMost: 10) == [], "turned away")
      try #require(try Descriptors.read(second.raw, atMost: 10) == [], "turned away")
      let counts = try SyscallTrace.countingThisThread { try loop.turn(block: false) }
      try #require(counts == ["epoll_wait": 1], "it does not wake for what is gone")
      for filler in fillers { close(filler) }
      let third = try Sockets.connectUnix(path: path)
      try loop.turn()
      try #require(accepted.count == 1)
      withExtendedLifetime(third.raw) {}
      listener.close()
    }
  }
}
