import Bytes
import Testing

@Suite struct FragmentSetTests {
  /// Bytes of few values, so that there is much to be found.
  private static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return [0x61, 0x41, 0xC3, 0x9F, 0x20, 0xB1][Int(state >> 33) % 6]
    }
  }

  private static func lowercase(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }

  @Test("finds the first of them, with and without vectors, as a search does that tries every place", arguments: 1...20)
  func naive(_ seed: UInt64) throws {
    let bytes = Self.bytes(300, seed: seed)
    let fragments = (0..<Int(seed % 12) + 1).map { number in
      Self.bytes(1 + (number + Int(seed)) % 4, seed: seed &* 31 &+ UInt64(number))
    }
    let set = try #require(FragmentSet(fragments))
    for start in 0...bytes.count {
      let expected = (start..<max(start, bytes.count)).first { place in
        fragments.contains { Self.lowercase(bytes[place...]).starts(with: Self.lowercase($0[...])) }
      }
      #expect(set.first(in: bytes, from: start) == expected)
      #expect(set.firstPlainly(in: bytes, from: start) == expected)
    }
  }

  @Test(
    "the same of fragments that begin with one or two bytes, which are looked for in another way", arguments: 1...20)
  func fewStarts(_ seed: UInt64) throws {
    let bytes = Self.bytes(300, seed: seed)
    let fragments = (0..<Int(seed % 4) + 1).map { number in
      [[0x61, 0x41][number % 2], [0xC3, 0x9F][number / 2]] + Self.bytes(Int(seed) % 3, seed: seed &+ UInt64(number))
    }
    let set = try #require(FragmentSet(fragments))
    for start in 0...bytes.count {
      let expected = set.firstPlainly(in: bytes, from: start)
      #expect(set.first(in: bytes, from: start) == expected)
      for end in [64, 65, 66, 128] where start < end {
        let part = Array(bytes[..<end])
        #expect(set.first(in: part, from: start) == set.firstPlainly(in: part, from: start))
      }
    }
  }

  @Test("letters of ASCII are found in either case, and nothing else that differs by the same bit")
  func letters() throws {
    for byte in UInt8(0)...255 {
      let set = try #require(FragmentSet([[byte, 0x2E], [0x21, 0x22, 0x23, byte]]))
      for other in UInt8(0)...255 {
        let isSame = Self.lowercase([byte]) == Self.lowercase([other])
        for bytes in [[other, 0x2E], [0x21, 0x22, 0x23, other]] {
          let padded = bytes + Array(repeating: 0, count: 100)
          #expect((set.first(in: padded, from: 0) == 0) == isSame)
          #expect((set.firstPlainly(in: bytes, from: 0) == 0) == isSame)
        }
      }
    }
  }

  @Test("the burden of a set is what is to be looked at and what is found, up to what is asked for")
  func burden() throws {
    let bytes = Array(String(repeating: "abcabd....", count: 100).utf8)
    let (seldom, often) = try (#require(FragmentSet([Array("abx".utf8)])), #require(FragmentSet([Array("abc".utf8)])))
    #expect(unsafe seldom.burden(in: bytes.span.bytes) > 0)
    #expect(unsafe often.burden(in: bytes.span.bytes) > seldom.burden(in: bytes.span.bytes))
    #expect(unsafe often.burden(in: bytes.span.bytes, most: 40) == 40)
    #expect(try unsafe #require(FragmentSet([Array("xy".utf8)])).burden(in: bytes.span.bytes) == 0)
  }

  @Test func ofLongFragmentsTheBeginningIsLookedFor() throws {
    let long = [UInt8](repeating: 7, count: 40)
    let set = try #require(FragmentSet([long]))
    #expect(set.first(in: [1] + long.prefix(FragmentSet.longest), from: 0) == 1)
    #expect(set.first(in: [1] + long.prefix(FragmentSet.longest - 1), from: 0) == nil)
  }

  @Test func noneTooManyAndEmptyOnesAreNoSet() {
    #expect(FragmentSet([]) == nil)
    #expect(FragmentSet([[]]) == nil)
    #expect(FragmentSet(Array(repeating: [1], count: FragmentSet.most + 1)) == nil)
    #expect(FragmentSet(Array(repeating: [1], count: FragmentSet.most)) != nil)
  }
}
