import Syscalls
import TestSupport
import Testing

@testable import Transport

@Suite("OutputBuffer")
struct OutputBufferTests {
  @Test("Bytes that the socket does not take wait, and leave in order")
  func waits() throws {
    let ends = try Sockets.pair()
    var buffer = OutputBuffer()
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
    buffer.append(Array(bytes[..<900_000]), sent: 100_000)
    buffer.append(Array(bytes[900_000...]))
    #expect(buffer.count == 900_000)
    var received: [UInt8] = []
    while try !buffer.flush(to: ends.first.raw) {
      while let some = try Descriptors.read(ends.second.raw, atMost: 1 << 16) { received += some }
    }
    while let some = try Descriptors.read(ends.second.raw, atMost: 1 << 16) { received += some }
    #expect(buffer.isEmpty && received == Array(bytes[100_000...]))
  }
}
