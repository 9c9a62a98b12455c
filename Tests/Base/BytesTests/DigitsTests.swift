import Bytes
import Testing

@Suite("Digits")
struct DigitsTests {
  private static func text(_ number: UInt32) -> String {
    let digits = Digits.eight(number)
    return String(decoding: (0..<8).map { UInt8(truncatingIfNeeded: digits >> (8 * $0)) }, as: UTF8.self)
  }

  @Test("are eight, the highest first")
  func eight() {
    #expect(Self.text(0) == "00000000")
    #expect(Self.text(12_345_678) == "12345678")
    #expect(Self.text(99_999_999) == "99999999")
  }

  @Test("every pair of digits stands at its place", arguments: [0, 2, 4, 6])
  func pairs(_ place: Int) {
    let factor = (0..<place).reduce(UInt32(1)) { power, _ in power * 10 }
    for pair in UInt32(0)..<100 {
      let digits = (pair < 10 ? "0" : "") + "\(pair)"
      let expected = String(repeating: "0", count: 6 - place) + digits + String(repeating: "0", count: place)
      #expect(Self.text(pair * factor) == expected)
    }
  }

  @Test("every four digits stand at their place")
  func fours() {
    for four in UInt32(0)..<10_000 {
      let digits = String(repeating: "0", count: 4 - "\(four)".count) + "\(four)"
      guard Self.text(four) == "0000" + digits, Self.text(four * 10_000) == digits + "0000" else {
        Issue.record("\(four)")
        return
      }
    }
  }
}
