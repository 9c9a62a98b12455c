@testable import Transport
import Syscalls
import Testing

@Suite("The order of a host's addresses")
struct AddressQueueTests {
  private static func addresses(_ texts: [String]) -> [InternetAddress] {
    texts.compactMap { InternetAddress(literal: $0, port: 5222) }
  }

  private static func drain(_ queue: inout AddressQueue) -> [String] {
    var order: [String] = []
    while let address = queue.next() { order.append(address.host) }
    return order
  }

  @Test("The families alternate, IPv6 first, each in the order of its answer")
  func interleaved() {
    var queue = AddressQueue()
    queue.add(Self.addresses(["10.0.0.1", "10.0.0.2", "10.0.0.3"]), .v4)
    queue.add(Self.addresses(["::1", "::2"]), .v6)
    #expect(Self.drain(&queue) == ["::1", "10.0.0.1", "::2", "10.0.0.2", "10.0.0.3"])
    #expect(queue.isEmpty)
  }

  @Test("What comes late has its turn next")
  func late() {
    var queue = AddressQueue()
    queue.add(Self.addresses(["10.0.0.1", "10.0.0.2"]), .v4)
    #expect(queue.next()?.host == "10.0.0.1")
    queue.add(Self.addresses(["::1", "::2"]), .v6)
    #expect(Self.drain(&queue) == ["::1", "10.0.0.2", "::2"])
  }

  @Test("No address is tried twice")
  func duplicates() {
    var queue = AddressQueue()
    queue.add(Self.addresses(["10.0.0.1", "10.0.0.1", "10.0.0.2"]), .v4)
    #expect(Self.drain(&queue) == ["10.0.0.1", "10.0.0.2"])
    queue.add(Self.addresses(["10.0.0.2"]), .v4)
    #expect(queue.isEmpty)
  }
}
