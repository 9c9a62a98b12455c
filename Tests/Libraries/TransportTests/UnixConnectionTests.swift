import Clocks
import Glibc
import Reactor
import Syscalls
import Testing
import TestSupport
import Transport

/// A connection over a socket pair, with what it told.
private final class Peer {
  let loop: EventLoop
  let connection: UnixConnection
  private(set) var received: [UInt8] = []
  var descriptors: [PassedDescriptor] = []
  private(set) var events: [String] = []

  init(loop: EventLoop, taking fd: consuming OwnedFD) throws {
    self.loop = loop
    SignalFD.ignoreFailedWrites()
    connection = try UnixConnection(taking: fd, loop: loop)
    connection.onEvent = { [unowned self] event in
      switch event {
      case .received(let bytes, let descriptors):
        received += bytes
        self.descriptors += descriptors
        if events.last != "received" { events.append("received") }
      case .endOfInput: events.append("end")
      case .drained: events.append("drained")
      case .descriptorsTaken(let count): events.append("taken \(count)")
      case .writeFailed: events.append("write failed")
      case .closed: events.append("closed")
      }
    }
  }
}

@Suite("A front end's connection")
struct UnixConnectionTests {
  private let loop: EventLoop

  init() throws { loop = try EventLoop() }

  /// Makes both ends and lends them.
  private func withPeer(_ body: (Peer, consuming OwnedFD) throws -> Void) throws {
    try Sockets.pair().split { ours, theirs in
      try body(Peer(loop: loop, taking: ours), theirs)
    }
  }

  @Test("Writes of one turn leave in one call and arrive in order")
  func coalesces() throws {
    try withPeer { peer, theirs in
      let counts = try SyscallTrace.countingThisThread {
        for byte in 0..<100 { peer.connection.write([UInt8(byte)]) }
        try loop.run("drained", until: { peer.events == ["drained"] })
      }
      #expect(counts["send"] == 1)
      #expect(try readAll(theirs.raw) == (0..<100).map { UInt8($0) })
    }
  }

  @Test("What is told goes at once, in one call, and nothing follows")
  func tells() throws {
    try withPeer { peer, theirs in
      let counts = try SyscallTrace.countingThisThread {
        #expect(peer.connection.writeAtOnce([1, 2]))
        for _ in 0..<3 { try loop.turn(block: false) }
      }
      #expect(counts["send"] == 1 && counts["epoll_ctl"] == nil && peer.events == [])
      #expect(try readAll(theirs.raw) == [1, 2])
      try theirs.close()
      #expect(!peer.connection.writeAtOnce([3]), "somebody has to find out")
      try loop.run("closed", until: { peer.events.last == "closed" })
      #expect(peer.connection.writeAtOnce([4]))
    }
  }

  @Test("What is told behind what waits, or does not fit, keeps its place, and is drained at last")
  func tellsLater() throws {
    try withPeer { peer, theirs in
      let big = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
      peer.connection.write([1])
      #expect(!peer.connection.writeAtOnce([2]))
      try loop.run("drained", until: { peer.events == ["drained"] })
      #expect(!peer.connection.writeAtOnce(big))
      try loop.turn(block: false)
      #expect(!peer.connection.writeAtOnce([3]))
      var got: [UInt8] = []
      while got.count < big.count + 3 {
        got += try readAll(theirs.raw)
        try loop.turn(block: false)
      }
      #expect(got == [1, 2] + big + [3])
      #expect(peer.events == ["drained", "drained"] && peer.connection.pendingBytes == 0)
    }
  }

  @Test("Descriptors come with their bytes, 16 at most, closed by exec, and none stays open")
  func passesDescriptors() throws {
    var inodes: Set<UInt64> = []
    try withPeer { peer, theirs in
      let files = try (0..<20).map { _ in PassedDescriptor(taking: try Files.inMemory([7])) }
      inodes = try Set(files.map { try Files.attributes($0.raw).inode })
      #expect(try Sockets.send(theirs.raw, [1], passing: Array(files[..<3])) == 1)
      #expect(try Sockets.send(theirs.raw, [2]) == 1)
      try loop.run("received", until: { peer.received == [1, 2] })
      #expect(peer.descriptors.count == 3)
      for descriptor in peer.descriptors {
        #expect(fcntl(descriptor.raw, F_GETFD) == FD_CLOEXEC)
        #expect(try Files.readAll(descriptor.raw, limit: 10) == [7])
      }
      #expect(throws: Errno.self) { try Sockets.send(theirs.raw, [3], passing: files) }
      peer.connection.write([4], passing: peer.descriptors.removeFirst())
      peer.connection.write([5])
      #expect(peer.connection.untakenDescriptors == 1)
      try loop.run("drained", until: { peer.events.last == "drained" })
      #expect(peer.connection.untakenDescriptors == 1)
      var passed: [PassedDescriptor] = []
      #expect(try Sockets.receive(theirs.raw, atMost: 10, &passed) == [4])
      #expect(try Sockets.receive(theirs.raw, atMost: 10, &passed) == [5])
      #expect(passed.count == 1)
      try loop.run("taken", until: { peer.events.last == "taken 1" })
      #expect(peer.connection.untakenDescriptors == 0)
      // Descriptors that are not read are closed with the connection.
      peer.connection.write([6], passing: peer.descriptors.removeFirst())
      peer.connection.close()
      peer.descriptors = []
    }
    let directory = try Files.openDirectory("/proc/self/fd")
    let open = try Files.names(in: directory.raw).compactMap { CInt($0) }
    #expect(inodes.count == 20)
    #expect(open.allSatisfy { (try? Files.attributes($0)).map { !inodes.contains($0.inode) } ?? true })
  }

  @Test("One who is turned away may go on writing until it has read why; then its close ends it")
  func lingers() throws {
    try withPeer { peer, theirs in
      peer.connection.write([1])
      peer.connection.closeAfterFlush(lingering: true)
      try loop.run("flushed", until: { peer.connection.pendingBytes == 0 })
      for _ in 0..<3 {
        try Descriptors.writeAll(theirs.raw, Array("a request\n".utf8))
        try loop.turn()
      }
      #expect(try Descriptors.read(theirs.raw, atMost: 10) == [1])
      #expect(try Descriptors.read(theirs.raw, atMost: 10) == [], "the end")
      #expect(peer.events == [] && peer.received.isEmpty)
      try theirs.close()
      try loop.run("closed", until: { peer.events == ["closed"] })
    }
  }

  @Test("One who is turned away and does not close is closed after a while")
  func lingersOnce() throws {
    try withPeer { peer, theirs in
      peer.connection.write([1])
      peer.connection.closeAfterFlush(within: .milliseconds(5), lingering: true)
      try loop.run("closed", until: { peer.events == ["closed"] })
      withExtendedLifetime(theirs.raw) {}
    }
  }

  @Test("After the end of input what is written still arrives; then the peer's close ends it")
  func halfClose() throws {
    try withPeer { peer, theirs in
      try Descriptors.writeAll(theirs.raw, Array("status\n".utf8))
      try Sockets.shutdownWriting(theirs.raw)
      try loop.run("end of input", until: { peer.events == ["received", "end"] })
      peer.connection.write([1, 2, 3])
      try loop.run("drained", until: { peer.events.last == "drained" })
      try loop.turn(block: false)
      #expect(try readAll(theirs.raw) == [1, 2, 3])
      #expect(peer.connection.isOpen)
      try theirs.close()
      try loop.run("closed", until: { peer.events.last == "closed" })
      #expect(peer.events.count == 4)
    }
  }

  @Test("What a peer sent before it went away with our bytes unread is all delivered")
  func vanished() throws {
    try withPeer { peer, theirs in
      peer.connection.write([9])
      try loop.run("greeted", until: { peer.events == ["drained"] })
      try Descriptors.writeAll(theirs.raw, [UInt8](repeating: 7, count: 100_000))
      try theirs.close()
      try loop.run("closed", until: { peer.events.last == "closed" })
      #expect(peer.received.count == 100_000)
      #expect(peer.events == ["drained", "write failed", "received", "end", "closed"])
    }
  }

  @Test("A full socket waits, counts, and goes on when the peer reads")
  func backPressure() throws {
    try withPeer { peer, theirs in
      let big = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
      peer.connection.write(big)
      try loop.turn(block: false)
      try loop.turn(block: false)
      #expect(peer.connection.pendingBytes > 1_000_000)
      #expect(peer.events == [])
      var got: [UInt8] = []
      while got.count < big.count {
        got += try readAll(theirs.raw)
        try loop.turn(block: false)
      }
      #expect(got == big)
      #expect(peer.events == ["drained"] && peer.connection.pendingBytes == 0)
    }
  }

  @Test("Paused, it reads nothing and keeps what was sent, also where the peer has gone")
  func paused() throws {
    try withPeer { peer, theirs in
      peer.connection.pauseReading()
      try Descriptors.writeAll(theirs.raw, [1, 2])
      try theirs.close()
      peer.connection.write([5])
      for _ in 0..<5 { try loop.turn(block: false) }
      #expect(peer.received == [] && peer.connection.pendingBytes == 0)
      #expect(!peer.events.contains("closed"))
      peer.connection.resumeReading()
      try loop.run("closed", until: { peer.events.last == "closed" })
      #expect(peer.received == [1, 2])
    }
  }

  @Test("To one who has gone with our bytes unread all that is written is drained, and nothing waits for ever")
  func goneWhileBlocked() throws {
    try withPeer { peer, theirs in
      peer.connection.pauseReading()
      try Descriptors.writeAll(theirs.raw, [1, 2])
      peer.connection.write([UInt8](repeating: 7, count: 3_000_000))
      try loop.turn(block: false)
      try loop.turn(block: false)
      #expect(peer.connection.pendingBytes > 1_000_000 && peer.events == [])
      try theirs.close()
      try loop.run("drained", until: { peer.events == ["write failed", "drained"] })
      for count in 2...4 {
        peer.connection.write([5])
        try loop.run("drained", until: { peer.events.count(where: { $0 == "drained" }) == count })
      }
      #expect(peer.connection.pendingBytes == 0 && peer.events.count { $0 == "write failed" } == 1)
      peer.connection.resumeReading()
      try loop.run("closed", until: { peer.events.last == "closed" })
      #expect(peer.received == [1, 2])
    }
  }

  @Test("closeAfterFlush sends the rest first; a peer that does not read loses it")
  func closeAfterFlush() throws {
    try withPeer { peer, theirs in
      peer.connection.write([1])
      peer.connection.closeAfterFlush()
      peer.connection.write([2])
      try loop.run("closed", until: { peer.events == ["closed"] })
      #expect(try readAll(theirs.raw) == [1])
    }
    try withPeer { peer, theirs in
      peer.connection.write([UInt8](repeating: 0, count: 3_000_000))
      peer.connection.closeAfterFlush(within: .milliseconds(5))
      try loop.run("closed", until: { peer.events == ["closed"] })
      withExtendedLifetime(theirs.raw) {}
    }
  }

  @Test("Closed by its owner inside its own event, it says no more")
  func closeInEvent() throws {
    try withPeer { peer, theirs in
      var calls = 0
      peer.connection.onEvent = { [unowned peer] _ in
        calls += 1
        peer.connection.close()
      }
      try Descriptors.writeAll(theirs.raw, [1])
      try Sockets.shutdownWriting(theirs.raw)
      try loop.turn()
      try loop.turn(block: false)
      #expect(calls == 1 && loop.watchCount == 0)
    }
  }

  @Test(
    "A peer that goes while reading is paused is told of once, and what it sent before is read when reading goes on")
  func goneWhilePaused() throws {
    try withPeer { peer, theirs in
      peer.connection.pauseReading()
      _ = try Sockets.send(theirs.raw, Array("last words".utf8))
      try loop.turn(block: false)
      #expect(peer.events.isEmpty)
      try theirs.close()
      try loop.run("the hang-up", until: { !peer.events.isEmpty })
      let counts = try SyscallTrace.countingThisThread { for _ in 0..<3 { try loop.turn(block: false) } }
      #expect(peer.events == ["write failed"] && counts["recvmsg"] == nil)
      peer.connection.resumeReading()
      try loop.run("closed", until: { peer.events.last == "closed" })
      #expect(String(decoding: peer.received, as: UTF8.self) == "last words")
      #expect(peer.events == ["write failed", "received", "end", "closed"])
    }
  }
}
