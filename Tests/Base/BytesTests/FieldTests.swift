import Bytes
import Testing

@Suite("Texts in fields")
struct TextFieldTests {
  /// The surroundings of a sequence decide how it is looked at: alone, in the last 8 or 16 bytes, between two others, on
  /// the border of 16 bytes.
  private static let surroundings = [
    ("", ""), ("abcdefg", ""), ("abcdefghij", "klm"), ("\u{E9}", "\u{1F600}xyz12345"), ("abcdefghijklmn", ""),
    ("abcdefghijklmno", "klm"), ("abcdefghijklm\u{20AC}", "\u{E9}"),
    ("abcdefghijklmnopqrstuvwxyz0123456789", "\u{1F600}xyz1234567890"),
  ]

  private static func isText(_ bytes: [UInt8]) -> Bool {
    var writer = FieldWriter()
    writer.bytes(1, bytes)
    let text = try? FieldReader.read(writer.bytes) { reader throws(FieldError) in
      _ = try reader.next()
      return try reader.string()
    }
    return text?.utf8.elementsEqual(bytes) == true
  }

  @Test("are well-formed UTF-8 and nothing else")
  func sequences() {
    let edges: [UInt8] = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xED, 0xF0, 0xF4, 0xFF]
    for first in UInt8.min...UInt8.max {
      for second in edges {
        for rest in [[], [0x80], [0xBF, 0x80], [0x80, 0xC0]] as [[UInt8]] {
          for (before, after) in Self.surroundings {
            let bytes = Array(before.utf8) + [first, second] + rest + Array(after.utf8)
            let expected = String(validating: bytes, as: UTF8.self) != nil
            guard Self.isText(bytes) != expected || FieldReader.isTextPlainly(bytes) != expected else { continue }
            Issue.record("\(bytes)")
          }
        }
      }
    }
  }

  @Test("of every length are looked at to their end", arguments: 0...70)
  func lengths(_ length: Int) {
    let bytes = [UInt8](repeating: 0x61, count: length)
    #expect(Self.isText(bytes))
    for place in 0..<length {
      var wrong = bytes
      wrong[place] = 0xC3
      #expect(!Self.isText(wrong) && !FieldReader.isTextPlainly(wrong), "\(place)")
    }
  }
}

@Suite struct FieldTests {
  @Test func bytesAreThoseOfTheDocument() {
    var writer = FieldWriter()
    writer.uint(1, 300)
    writer.string(2, "hé")
    writer.int(3, -2)
    writer.fixed64(4, 0x0102_0304_0506_0708)
    writer.bool(16, true)
    #expect(
      writer.bytes == [
        0x08, 0xAC, 0x02, 0x12, 0x03, 0x68, 0xC3, 0xA9, 0x18, 0x03, 0x21, 8, 7, 6, 5, 4, 3, 2, 1, 0x80, 0x01, 0x01,
      ])
  }

  @Test(arguments: [0, 1, 127, 128, 16_383, 16_384, UInt64(UInt32.max), UInt64.max])
  func unsignedNumbersComeBack(value: UInt64) throws {
    #expect(try roundTrip({ $0.uint(9, value) }) { reader throws(FieldError) in try reader.uint() } == value)
  }

  @Test("numbers of every width come back, whatever stands behind them", arguments: UInt64(0)..<64)
  func numbersOfEveryWidth(bits: UInt64) throws {
    let values: [UInt64] = [1 << bits, (1 << bits) - 1, .max >> (63 - bits), 0xA5A5_A5A5_A5A5_A5A5 >> bits]
    for value in values {
      for (length, filler) in [(0, 0), (1, 0x7F), (7, 0xFF), (8, 0), (12, 0xFF)] as [(Int, UInt8)] {
        var writer = FieldWriter()
        writer.uint(1, value)
        writer.bytes(2, [UInt8](repeating: filler, count: length))
        try FieldReader.read(writer.bytes) { reader throws(FieldError) in
          #expect(try reader.next() == 1)
          #expect(try reader.uint() == value)
          #expect(try reader.next() == 2)
          #expect(try reader.bytes().count == length)
        }
      }
    }
  }

  @Test(arguments: [0, -1, 1, 63, -64, 64, Int64.min, Int64.max])
  func signedNumbersComeBack(value: Int64) throws {
    #expect(try roundTrip({ $0.int(9, value) }) { reader throws(FieldError) in try reader.int() } == value)
  }

  @Test(arguments: [0, 1, 126, 127, 128, 129, 16_383, 16_384, 70_000])
  func nestedFieldsComeBackAtEveryWidthOfLength(count: Int) throws {
    let text = String(repeating: "x", count: count)
    let read = try roundTrip({ $0.message(9) { $0.string(1, text) } }) { reader throws(FieldError) in
      try reader.message { inner throws(FieldError) in
        _ = try inner.next()
        return try inner.string()
      }
    }
    #expect(read == text)
  }

  @Test func unknownFieldsOfEveryTypeArePassedOver() throws {
    let bytes: [UInt8] = [0x78, 0x05, 0x79, 0, 0, 0, 0, 0, 0, 0, 0, 0x7A, 0x01, 0xFF, 0x7D, 0, 0, 0, 0, 0x08, 0x2A]
    let found = try FieldReader.read(bytes) { reader throws(FieldError) in
      var found: UInt64?
      while let number = try reader.next() { if number == 1 { found = try reader.uint() } }
      return found
    }
    #expect(found == 42)
  }

  @Test func everyCutIsFoundOut() {
    var writer = FieldWriter()
    writer.uint(1, 1 << 40)
    writer.string(2, String(repeating: "y", count: 200))
    writer.fixed64(3, 1)
    let ends = [0, 7, 7 + 203, writer.bytes.count]
    for length in 0...writer.bytes.count {
      #expect(drain(Array(writer.bytes[..<length])) == (ends.contains(length) ? nil : .truncated), "\(length)")
    }
  }

  static let hostile: [([UInt8], FieldError)] = [
    ([0x00], .malformed),  // field number 0
    ([0x0B], .malformed),  // wire type 3
    ([0x08] + [UInt8](repeating: 0x80, count: 10), .malformed),  // a varint of more than 64 bits
    ([0x08] + [UInt8](repeating: 0xFF, count: 9) + [0x02], .malformed),
    ([0x0A, 0x05, 0x61], .truncated),
    ([0x0A] + [UInt8](repeating: 0xFF, count: 9) + [0x01], .truncated),  // a length of 2^64 - 1
  ]

  @Test(arguments: hostile)
  func hostileBytesAreErrors(bytes: [UInt8], expected: FieldError) {
    #expect(drain(bytes) == expected)
  }

  @Test func numbersWithoutTagsComeBack() throws {
    var writer = FieldWriter()
    writer.untagged(UInt64.max)
    writer.untagged(Int64.min)
    writer.untagged(UInt64(5))
    writer.bytes.append(0x80)
    try FieldReader.read(writer.bytes) { reader throws(FieldError) in
      let (largest, least) = (try reader.untagged(), try reader.untaggedInt())
      #expect(largest == .max && least == .min && reader.bytesLeft == 2)
      let small = try reader.untagged()
      #expect(small == 5 && reader.bytesLeft == 1)
      let cut = try? reader.untagged()
      #expect(cut == nil)
    }
  }

  @Test func wrongTypesAreErrors() {
    #expect(throws: FieldError.wrongType(number: 9)) {
      try roundTrip({ $0.string(9, "a") }) { reader throws(FieldError) in try reader.uint() }
    }
    #expect(throws: FieldError.wrongType(number: 9)) {
      try roundTrip({ $0.uint(9, 256) }) { reader throws(FieldError) in try reader.uint(UInt8.self) }
    }
    #expect(throws: FieldError.wrongType(number: 9)) {
      try roundTrip({ $0.uint(9, 2) }) { reader throws(FieldError) in try reader.bool() }
    }
    #expect(throws: FieldError.notUTF8(number: 9)) {
      try roundTrip({ $0.bytes(9, [0xC3, 0x28]) }) { reader throws(FieldError) in try reader.string() }
    }
  }

  /// What `read` makes of the one field that `write` writes.
  private func roundTrip<T>(
    _ write: (inout FieldWriter) -> Void, _ read: (inout FieldReader) throws(FieldError) -> T
  ) throws(FieldError) -> T {
    var writer = FieldWriter()
    write(&writer)
    return try FieldReader.read(writer.bytes) { reader throws(FieldError) in
      guard try reader.next() == 9 else { throw .truncated }
      return try read(&reader)
    }
  }

  /// The error that reading all fields of `bytes` ends in.
  private func drain(_ bytes: [UInt8]) -> FieldError? {
    do throws(FieldError) {
      try FieldReader.read(bytes) { reader throws(FieldError) in while try reader.next() != nil {} }
      return nil
    } catch {
      return error
    }
  }
}
