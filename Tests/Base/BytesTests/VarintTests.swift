import Bytes
import Testing

@Suite("Varint")
struct VarintTests {
  private func read(_ bytes: [UInt8]) -> (value: UInt64?, offset: Int) {
    var offset = 0
    let value = Varint.read(bytes.span, at: &offset)
    return (value, offset)
  }

  @Test("A number is read as it was written", arguments: [0, 1, 127, 128, 300, 1 << 62, UInt64.max])
  func roundTrip(value: UInt64) {
    var bytes: [UInt8] = []
    Varint.append(value, to: &bytes)
    #expect(read(bytes) == (value, bytes.count))
    #expect(read(bytes.dropLast()).value == nil)
  }

  @Test("More than 64 bits are no number")
  func tooLong() {
    #expect(read([UInt8](repeating: 0xFF, count: 9) + [2]).value == nil)
    #expect(read([UInt8](repeating: 0x80, count: 11)).value == nil)
  }

  @Test("Signed numbers survive, and small ones are short", arguments: [0, -1, 1, -64, Int64.min, .max])
  func zigzag(value: Int64) {
    #expect(Varint.unzigzag(Varint.zigzag(value)) == value)
    #expect(Varint.zigzag(value) < 128 || value.magnitude > 63)
  }
}
