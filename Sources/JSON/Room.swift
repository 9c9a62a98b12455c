import CBytes

/// Bytes that grow at their end, in memory of their own: so that a line of a dozen members is written by moving one place
/// forward, and each member makes sure of its room once.
@safe struct Room: ~Copyable {
  private(set) var start: UnsafeMutablePointer<UInt8>
  /// Where the next byte goes.
  var place: UnsafeMutablePointer<UInt8>
  private(set) var end: UnsafeMutablePointer<UInt8>

  init(_ capacity: Int) {
    unsafe start = .allocate(capacity: max(64, capacity))
    unsafe (place, end) = (start, start + max(64, capacity))
  }

  deinit { unsafe start.deallocate() }

  var count: Int { unsafe place - start }

  /// What has been written.
  var bytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: start, count: count)) }

  /// Sees to it that so many bytes can be written.
  @inline(__always) mutating func reserve(_ more: Int) { if unsafe end - place < more { grow(more) } }

  @inline(never) private mutating func grow(_ more: Int) {
    let (count, capacity) = (count, max(count + more, unsafe 2 * (end - start)))
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    unsafe larger.update(from: start, count: count)
    unsafe start.deallocate()
    unsafe (start, place, end) = (larger, larger + count, larger + capacity)
  }
}

extension Room {
  @inline(__always) mutating func byte(_ byte: UInt8) {
    reserve(1)
    unsafe place.pointee = byte
    unsafe place += 1
  }

  @inline(__always) mutating func bytes(_ bytes: UnsafeBufferPointer<UInt8>) {
    reserve(bytes.count)
    unsafe place = place.bytes(bytes)
  }

  @inline(__always) mutating func word(_ word: StaticString) {
    reserve(word.utf8CodeUnitCount)
    unsafe place = place.word(word)
  }

  /// What `write` appends, at most `most` bytes.
  @inline(__always) mutating func bytes(atMost most: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
    reserve(most)
    let buffer = unsafe UnsafeMutableBufferPointer(start: place, count: most)
    var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
    write(&output)
    unsafe place += output.finalize(for: buffer)
  }

  /// A name in quotes, and its colon.
  @inline(__always) mutating func name(_ name: StaticString, afterComma: Bool) {
    reserve(name.utf8CodeUnitCount + 4)
    unsafe place = place.name(name, afterComma: afterComma)
  }

  @inline(__always) mutating func digits(of number: UInt64) {
    reserve(20)
    unsafe place = place.digits(of: number)
  }

  /// Copies from the front of a text what has no byte in it with which something begins that must be escaped.
  ///
  /// - Returns: how many bytes that are.
  @inline(__always) mutating func harmless(of text: UnsafeBufferPointer<UInt8>) -> Int {
    reserve(text.count)
    let count = unsafe cbytes_copy_harmless(place, text.baseAddress, text.count)
    unsafe place += count
    return count
  }
}

// Each writes where there is room, and says where the next one writes: so that of several the place is kept once.
extension UnsafeMutablePointer<UInt8> {
  @inline(__always) func byte(_ byte: UInt8) -> Self {
    unsafe pointee = byte
    return unsafe self + 1
  }

  @inline(__always) func bytes(_ bytes: UnsafeBufferPointer<UInt8>) -> Self {
    guard let source = bytes.baseAddress else { return unsafe self }
    unsafe update(from: source, count: bytes.count)
    return unsafe self + bytes.count
  }

  @inline(__always) func word(_ word: StaticString) -> Self {
    unsafe bytes(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  @inline(__always) func name(_ name: StaticString, afterComma: Bool) -> Self {
    unsafe pointee = UInt8(ascii: ",")
    let start = unsafe afterComma ? self + 1 : self
    return unsafe start.byte(UInt8(ascii: "\"")).word(name).byte(UInt8(ascii: "\"")).byte(UInt8(ascii: ":"))
  }

  @inline(__always) func flag(_ flag: Bool) -> Self { unsafe flag ? word("true") : word("false") }

  func digits(of number: UInt64) -> Self {
    var (count, bound) = (1, UInt64(10))
    while number >= bound, count < 20 { (count, bound) = (count + 1, bound &* 10) }
    var (rest, next) = unsafe (number, self + count)
    while rest >= 100 {
      unsafe next -= 2
      unsafe next.update(from: Self.pairs.utf8Start + 2 * Int(rest % 100), count: 2)
      rest /= 100
    }
    unsafe next -= 1
    unsafe next.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
    if rest >= 10 { unsafe next[-1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest / 10) }
    return unsafe self + count
  }

  /// All pairs of digits.
  private static var pairs: StaticString {
    """
    0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
    5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
    """
  }
}
