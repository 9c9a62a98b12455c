import Reactor
import Syscalls
import Testing

@testable import Transport

@Suite("The kernel watches over links")
struct KeepAliveTests {
  @Test("each connection is probed by the kernel before NATs forget it, and four lost probes end it, not one")
  func options() throws {
    let loop = try EventLoop()
    let server = try ServerPeer(loop: loop)
    let client = try Client(loop: loop)
    client.link?.connect(host: "127.0.0.1", port: server.address.port)
    try loop.run("connected", until: { client.isOpen && server.isConnected })
    let raw = try #require(client.link?.rawSocket)
    let watched = try #require(try Sockets.keepAlive(raw))
    #expect(watched.idleSeconds < 300)
    let probing = (watched.idleSeconds + watched.probes * watched.intervalSeconds) * 1000
    #expect(watched.probes == 4 && watched.unacknowledgedMilliseconds >= probing)
  }
}

extension Link {
  fileprivate var rawSocket: CInt? { fd?.raw }
}
