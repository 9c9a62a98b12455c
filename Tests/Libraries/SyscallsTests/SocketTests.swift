import Glibc
import Syscalls
import Testing

@Suite("Sockets and addresses")
struct SocketTests {
  @Test(
    "Address literals",
    arguments: [
      ("127.0.0.1", "127.0.0.1:5222"), ("::1", "[::1]:5222"), ("[2001:db8::1]", "[2001:db8::1]:5222"),
      ("localhost", nil), ("127.1", nil), ("1.2.3.4.5", nil), ("", nil), ("[127.0.0.1]", nil), ("::1\0", nil),
    ])
  func literals(text: String, expected: String?) {
    #expect(InternetAddress(literal: text, port: 5222)?.description == expected)
  }

  @Test("An address has 4 or 16 bytes")
  func lengths() {
    #expect(InternetAddress(bytes: [1, 2, 3], port: 1) == nil)
    #expect(InternetAddress(bytes: [10, 0, 0, 1], port: 1)?.host == "10.0.0.1")
  }

  @Test("A refused connection is found by its pending error")
  func refusedConnection() throws {
    let listener = try Sockets.listening(at: try #require(.loopback(port: 0)))
    let address = try #require(try Sockets.localAddress(listener.raw))
    try listener.close()
    do {
      let fd = try Sockets.startConnecting(to: address)
      var poll = pollfd(fd: fd.raw, events: Int16(POLLOUT), revents: 0)
      unsafe Glibc.poll(&poll, 1, 5000)
      #expect(Sockets.pendingError(fd.raw, "connect", object: "")?.isRefused == true)
    } catch {
      #expect(error.isRefused)
    }
  }

  @Test("TCP options are taken by the kernel, and a listener is told from other sockets")
  func options() throws {
    let listener = try Sockets.listening(at: try #require(.loopback(port: 0)))
    #expect(!Sockets.isUnixListener(listener.raw))
    let address = try #require(try Sockets.localAddress(listener.raw))
    let fd = try Sockets.startConnecting(to: address)
    #expect(try Sockets.keepAlive(fd.raw) == nil)
    try Sockets.setTCPOptions(fd.raw, Sockets.KeepAlive())
    #expect(try Sockets.keepAlive(fd.raw) == Sockets.KeepAlive())
    #expect(try Sockets.accept(listener.raw) != nil)
    #expect(try Sockets.accept(listener.raw) == nil)
  }

  @Test("Datagrams go and come with their sender")
  func datagrams() throws {
    let one = try Sockets.datagram(at: try #require(.loopback(port: 0)))
    let two = try Sockets.datagram(at: try #require(.loopback(port: 0)))
    #expect(try Sockets.receiveDatagram(two.raw, atMost: 100) == nil)
    try Sockets.sendDatagram(one.raw, [1, 2], to: try #require(try Sockets.localAddress(two.raw)))
    let got = try #require(try Sockets.receiveDatagram(two.raw, atMost: 100))
    #expect(got.bytes == [1, 2])
    #expect(try got.from == Sockets.localAddress(one.raw))
  }

  @Test("A path that is too long for a Unix socket is an error that names it")
  func longPath() throws {
    let path = "/tmp/" + String(repeating: "x", count: Sockets.longestUnixPath)
    let error = #expect(throws: Errno.self) { _ = try Sockets.connectUnix(path: path) }
    #expect(error?.code == ENAMETOOLONG && error?.object == path)
  }

  @Test("The peer of a socket pair is this process")
  func credentials() throws {
    let pair = try Sockets.pair()
    let peer = try Sockets.peerCredentials(pair.first.raw)
    #expect(peer == PeerCredentials(uid: getuid(), gid: getgid(), pid: getpid()))
    var groups = [gid_t](repeating: 0, count: 1024)
    let count = unsafe getgroups(CInt(groups.count), &groups)
    #expect(try Set(Sockets.peerGroups(pair.first.raw)) == Set(groups[..<Int(count)]))
  }

  @Test("Groups by name and by number")
  func groups() {
    #expect(Groups.id(of: "root") == 0)
    #expect(Groups.id(of: "4711") == 4711)
    #expect(Groups.id(of: "no such group") == nil && Groups.id(of: "") == nil && Groups.id(of: "-1") == nil)
  }
}
