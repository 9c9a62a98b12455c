import Bytes
import Testing

@Suite struct Base64Tests {
  /// RFC 4648, section 10.
  static let vectors = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ]

  @Test(arguments: vectors)
  func vectorsBothWays(plain: String, encoded: String) {
    #expect(Base64.encode(plain.utf8) == encoded)
    #expect(Base64.decode(encoded) == Array(plain.utf8))
  }

  @Test func urlAlphabetHasNoPadding() {
    #expect(Base64.encodeURL([0xfb, 0xff, 0xfe, 0xff]) == "-__-_w")
    #expect(Base64.encode([0xfb, 0xff, 0xfe, 0xff]) == "+//+/w==")
  }

  @Test(
    arguments: [
      "Z", "Zg", "Zg=", "Zg===", "=", "==", "====", "Z===", "Zm9v=", "Zm9vYg==Zm9v", "Zg==Zg==", "Zm8=Zg==",
      "Zm9v\n", " Zm9v", "Zm 9v", "Zm9v\0", "Zm9-", "Zm9_", "Zh==", "Zm9=", "Zg=a", "Zm=v", "é===",
    ])
  func refused(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test func everyByteAtEveryPlace() {
    for length in 1...4 {
      for byte in UInt8.min...UInt8.max {
        for place in 0..<length {
          var bytes = [UInt8](repeating: 0x5a, count: length)
          bytes[place] = byte
          #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
      }
    }
  }

  /// Strictness: whatever is accepted is exactly what `encode` would write.
  @Test func acceptedTextsAreCanonical() {
    var state: UInt64 = 42
    let alphabet = Array("AQgw=/+9zZ".utf8)
    for _ in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let text = (0..<8).map { alphabet[Int(state >> UInt64(8 + $0 * 6)) % alphabet.count] }
      guard let bytes = Base64.decode(text) else { continue }
      #expect(Array(Base64.encode(bytes).utf8) == text)
    }
  }
}

@Suite struct HexTests {
  @Test func bothWays() {
    #expect(Hex.encode([0, 1, 0xab, 0xff]) == "0001abff")
    #expect(Hex.decode("0001abff") == [0, 1, 0xab, 0xff])
    #expect(Hex.decode("") == [])
  }

  @Test(arguments: ["0", "0g", "AB", " 0", "00 ", "0x00", "é"])
  func refused(text: String) {
    #expect(Hex.decode(text) == nil)
  }
}
