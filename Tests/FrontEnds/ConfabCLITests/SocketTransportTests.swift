import ConfabClient
import Syscalls
import TestSupport
import Testing

/// What the daemon's end writes waits in the kernel until it is read, so no second thread is needed.
@Suite("The client's end of the socket")
struct SocketTransportTests {
  private func withConnection(_ body: (SocketTransport, consuming OwnedFD) throws -> Void) throws {
    SignalFD.ignoreFailedWrites()
    try Sockets.pair().split { ours, theirs in
      try body(SocketTransport(taking: ours), theirs)
    }
  }

  @Test("lines come whole, however they were cut; an unfinished one at the end is none")
  func lines() throws {
    try withConnection { transport, server in
      for piece in ["{\"a\":1}\n{\"b\"", ":2}\n\n{\"c\":3}", "\n{\"cut"] {
        try Descriptors.writeAll(server.raw, Array(piece.utf8))
      }
      #expect(try transport.readLine() == Array("{\"a\":1}".utf8))
      #expect(try transport.readLine() == Array("{\"b\":2}".utf8))
      #expect(try transport.readLine() == [])
      #expect(try transport.readLine() == Array("{\"c\":3}".utf8))
      try server.close()
      #expect(try transport.readLine() == nil)
    }
  }

  @Test("requests arrive whole; writing to a daemon that is gone says that nothing was sent")
  func writes() throws {
    try withConnection { transport, server in
      try transport.write(Array("ping\n".utf8))
      #expect(try Descriptors.read(server.raw, atMost: 100) == Array("ping\n".utf8))
      try server.close()
      let failure = #expect(throws: TransportFailure.self) { try transport.write(Array("ping\n".utf8)) }
      #expect(failure?.kind == .cut && failure?.nothingSent == true)
    }
  }

  @Test("while it waits it notices that nobody reads the output any more")
  func outputCloses() throws {
    try withConnection { transport, server in
      try Descriptors.pipe().split { reading, writing in
        transport.endWithReader(of: writing.raw)
        try Descriptors.writeAll(server.raw, Array("{}\n".utf8))
        #expect(try transport.readLine() == Array("{}".utf8))
        try reading.close()
        let failure = #expect(throws: TransportFailure.self) { try transport.readLine() }
        #expect(failure?.kind == .outputClosed)
      }
    }
  }

  @Test("no socket, a file in its place, a path too long: no daemon, and nothing was sent")
  func noDaemon() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "")
    for path in [folder.file("none"), folder.file("file"), "/" + String(repeating: "x", count: 200)] {
      let failure = #expect(throws: TransportFailure.self) {
        try SocketTransport(SocketPath.Choice(path: path, isDefault: true))
      }
      #expect(failure?.kind == .noDaemon && failure?.nothingSent == true)
    }
  }

  @Test("a listener that never greets is told apart by whoever dials; one that greets is taken")
  func greets() throws {
    let folder = try TemporaryFolder()
    let listener = try Sockets.unixStream()
    try Sockets.bindUnix(listener.raw, path: folder.file("s"))
    try Sockets.listen(listener.raw)
    let client = try Sockets.connectUnixBlocking(path: folder.file("s"))
    #expect(try Descriptors.wait(toRead: client.raw, milliseconds: 0) == .timedOut)
    try close(Sockets.accept(listener.raw))
    #expect(try Descriptors.wait(toRead: client.raw, milliseconds: 0) == .readable)
  }

  private func close(_ server: consuming OwnedFD?) throws {
    guard let server else {
      Issue.record("nobody was accepted")
      return
    }
    try server.close()
  }

  @Test("tokens are 32 hexadecimal digits, each another")
  func tokens() throws {
    let tokens = try (0..<100).map { _ in try Entropy.token() }
    #expect(Set(tokens).count == 100)
    #expect(
      tokens.allSatisfy {
        $0.utf8.count == 32 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
      })
  }

  @Test("at a path that nobody named only one's own daemon, root's or the system's may answer")
  func trust() {
    let path = SocketPath.Choice(path: "/run/user/7/confab/socket", isDefault: true)
    #expect(path.distrust(of: 0) == nil && path.distrust(of: ProcessEnvironment.userID) == nil)
    #expect(path.distrust(of: 4321)?.contains("the user 4321 answers there") == true)
    #expect(SocketPath.Choice(path: path.path, isDefault: false).distrust(of: 4321) == nil)
  }

  @Test("once a daemon has answered, the path stays, and another user who answers there is not trusted")
  func address() {
    var chosen = "/run/user/7/confab/socket"
    var address = DaemonAddress { SocketPath.Choice(path: chosen, isDefault: true) }
    chosen = "/run/user/8/confab/socket"
    #expect(address.choice.path == chosen, "nobody has answered yet")
    address.keep(address.choice, owner: ProcessEnvironment.userID)
    chosen = SocketPath.system
    #expect(address.choice.path == "/run/user/8/confab/socket")
    #expect(address.choice.distrust(of: ProcessEnvironment.userID) == nil)
    #expect(address.choice.distrust(of: ProcessEnvironment.userID + 1)?.contains("another user") == true)
    address.keep(SocketPath.Choice(path: "/named", isDefault: false), owner: 7)
    #expect(address.choice.distrust(of: 0)?.contains("another user (0, not 7 as before)") == true)
  }
}
