/// An input read as a script: numbers and pieces of bytes, one after the other; at the end there are zeros.
struct Script {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isOver: Bool { rest.isEmpty }

  mutating func byte() -> Int { Int(rest.popFirst() ?? 0) }

  /// Two bytes, the higher one first.
  mutating func word() -> Int { byte() << 8 | byte() }

  /// As many bytes as the next one says.
  mutating func piece() -> [UInt8] { take(byte()) }

  mutating func take(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func remaining() -> [UInt8] { take(rest.count) }
}

extension Array where Element == UInt8 {
  /// The same bytes in pieces whose lengths follow from a seed.
  func pieces(_ seed: Int) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var (start, state) = (0, UInt32(truncatingIfNeeded: seed))
    while start < count {
      state = state &* 1_664_525 &+ 1_013_904_223
      let end = Swift.min(count, start + 1 + Int(state >> 24) % (1 + seed & 63))
      pieces.append(self[start..<end])
      start = end
    }
    return pieces
  }
}
