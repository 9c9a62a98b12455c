import Bytes
import Testing

@Suite struct CRC32CTests {
  /// RFC 3720, appendix B.4, and the check value of every catalogue.
  static let vectors: [([UInt8], UInt32)] = [
    ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
    ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
    ([UInt8](0..<32), 0x46DD_794E),
    ([UInt8]((0..<32).reversed()), 0x113F_DB5C),
    ([UInt8]("123456789".utf8), 0xE306_9283),
    ([], 0),
  ]

  @Test(arguments: vectors)
  func publishedVectors(bytes: [UInt8], expected: UInt32) {
    #expect(CRC32C.checksum(bytes) == expected)
    #expect(CRC32C.checksumByTables(bytes) == expected)
  }

  @Test func instructionAndTablesAgreeAtEveryLengthAndAlignment() {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }
    for start in 0..<9 {
      for end in start...bytes.count {
        let part = Array(bytes[start..<end])
        #expect(CRC32C.checksum(bytes[start..<end], continuing: 7) == CRC32C.checksumByTables(part, continuing: 7))
      }
    }
  }

  @Test func goesOnWhereItStopped() {
    let bytes = [UInt8]("the whole is what its parts are".utf8)
    for cut in 0...bytes.count {
      let front = CRC32C.checksum(bytes[..<cut])
      #expect(CRC32C.checksum(bytes[cut...], continuing: front) == CRC32C.checksum(bytes))
    }
  }
}
