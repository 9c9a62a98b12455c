import Glibc
import Reactor
import ConfabConfiguration
import Syscalls
import TestSupport
import Testing
import Transport

@testable import ConfabAccounts
@testable import ConfabRuntime

@Suite("The connections of front ends")
struct ClientConnectionsTests {
  @Test(
    "Two hundred clients that read nothing cost 16 MiB of the kernel's buffers at most, and sixteen have large ones")
  func stalled() throws {
    let loop = try EventLoop()
    let clients = ClientConnections(loop: loop, HeldDescriptors())
    var peers: [PassedDescriptor] = []
    var last = ClientID(0)
    clients.onEvent = { id, _ in last = id }
    let output = [UInt8](repeating: 0x41, count: 1 << 20)
    var taken: [Int] = []
    for _ in 0..<200 {
      try Sockets.pair().split { ours, theirs in
        clients.accept(try UnixConnection(taking: ours, loop: loop), SocketSettings())
        peers.append(PassedDescriptor(taking: theirs))
      }
      clients.perform(.write(output), on: last)
      // All that the kernel takes leaves in this turn.
      try loop.turn(block: false)
      taken.append(output.count - (clients[last]?.pendingBytes ?? 0))
    }
    #expect(taken[..<16].allSatisfy { $0 > 128 << 10 }, "\(taken)")
    #expect(taken[16...].allSatisfy { (8 << 10...64 << 10).contains($0) }, "\(taken)")
    #expect(taken.reduce(0, +) <= 16 << 20)
    #expect(peers.count == 200)
  }
}
