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

  @Test("A descriptor goes with its line alone, however little the socket takes at a time")
  func passes() throws {
    let ends = try Sockets.pair()
    let before = [UInt8](repeating: 0x61, count: 300_000)
    let line = Array("{\"ok\":true}\n".utf8)
    let file = PassedDescriptor(taking: try Files.inMemory([1, 2, 3]))
    let inode = try Files.attributes(file.raw).inode
    var buffer = OutputBuffer()
    buffer.append(before, sent: 20_000)
    buffer.append(line, passing: file)
    buffer.append(line)
    var (received, passed): ([UInt8], [PassedDescriptor]) = ([], [])
    var endsAtLine = false
    repeat {
      let isWhole = try buffer.flush(to: ends.first.raw)
      while let some = try Sockets.receive(ends.second.raw, atMost: 1 << 16, &passed) {
        received += some
        if passed.count == 1, !endsAtLine {
          #expect(received.count == 280_000 + line.count)
          endsAtLine = true
        }
      }
      if isWhole { break }
    } while true
    #expect(received == before[20_000...] + line + line)
    #expect(passed.count == 1 && endsAtLine)
    #expect(try passed.map { try Files.attributes($0.raw).inode } == [inode])
  }
}
