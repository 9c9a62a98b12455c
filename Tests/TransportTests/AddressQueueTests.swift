import NameService
import Syscalls
import Testing

@testable import Transport

@Suite("AddressQueue")
struct AddressQueueTests {
  private static func addresses(_ literals: String...) -> [InternetAddress] {
    literals.compactMap { InternetAddress(literal: $0, port: 5222) }
  }

  @Test("The families alternate, IPv6 first, each in the name server's order")
  func alternates() {
    var queue = AddressQueue()
    queue.add(Self.addresses("192.0.2.1", "192.0.2.2", "192.0.2.3"), .v4)
    queue.add(Self.addresses("2001:db8::1", "2001:db8::2"), .v6)
    var taken: [InternetAddress] = []
    while let address = queue.next() { taken.append(address) }
    #expect(taken == Self.addresses("2001:db8::1", "192.0.2.1", "2001:db8::2", "192.0.2.2", "192.0.2.3"))
    #expect(queue.isEmpty)
  }

  @Test("A repeated address is tried once, even if it comes again after it was taken")
  func repeated() {
    var queue = AddressQueue()
    queue.add(Self.addresses("192.0.2.1", "192.0.2.1"), .v4)
    #expect(queue.next() != nil && queue.next() == nil)
    queue.add(Self.addresses("192.0.2.1"), .v4)
    #expect(queue.isEmpty)
  }
}
