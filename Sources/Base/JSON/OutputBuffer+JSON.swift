public import Bytes

/// Bytes that grow at their end, in memory of their own: so that a line of a dozen members is written by moving one place
/// forward, and each member makes sure of its room once.
@safe @usableFromInline struct OutputBuffer: ~Copyable {
  @usableFromInline private(set) var start: UnsafeMutablePointer<UInt8>
  /// The address of the next byte.
  @usableFromInline var place: UnsafeMutablePointer<UInt8>
  @usableFromInline private(set) var end: UnsafeMutablePointer<UInt8>

  init(_ capacity: Int) {
    unsafe start = .allocate(capacity: max(64, capacity))
    unsafe (place, end) = (start, start + max(64, capacity))
  }

  @inlinable deinit { unsafe start.deallocate() }

  var count: Int { unsafe place - start }

  /// The bytes written so far.
  var bytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: start, count: count)) }

  /// Sees to it that so many bytes can be written.
  @inlinable @inline(__always)
  mutating func reserve(_ more: Int) { if unsafe end - place < more { grow(more) } }

  @usableFromInline @inline(never)
  mutating func grow(_ more: Int) {
    let (count, capacity) = (count, max(count + more, unsafe 2 * (end - start)))
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    unsafe larger.update(from: start, count: count)
    unsafe start.deallocate()
    unsafe (start, place, end) = (larger, larger + count, larger + capacity)
  }
}

extension OutputBuffer {
  @inlinable @inline(__always)
  mutating func byte(_ byte: UInt8) {
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

  /// Appends the bytes that `write` gives, at most `most`.
  @inlinable @inline(__always)
  mutating func bytes(atMost most: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
    reserve(most)
    let buffer = unsafe UnsafeMutableBufferPointer(start: place, count: most)
    var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
    write(&output)
    unsafe place += output.finalize(for: buffer)
  }

  /// A name in quotes, and its colon.
  @inlinable @inline(__always)
  mutating func name(_ name: StaticString, afterComma: Bool) {
    reserve(name.utf8CodeUnitCount + 4)
    unsafe place = place.name(name, afterComma: afterComma)
  }

  mutating func digits(of number: UInt64) {
    reserve(20)
    unsafe place = place.digits(of: number)
  }
}

// Each writes where there is buffer, and says where the next one writes: so that of several the place is kept once.
extension UnsafeMutablePointer<UInt8> {
  @inlinable @inline(__always)
  func byte(_ byte: UInt8) -> Self {
    unsafe pointee = byte
    return unsafe self + 1
  }

  @inlinable @inline(__always)
  func bytes(_ bytes: UnsafeBufferPointer<UInt8>) -> Self {
    guard let source = bytes.baseAddress else { return unsafe self }
    unsafe update(from: source, count: bytes.count)
    return unsafe self + bytes.count
  }

  @inlinable @inline(__always)
  func word(_ word: StaticString) -> Self {
    unsafe bytes(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  @inlinable @inline(__always)
  func name(_ name: StaticString, afterComma: Bool) -> Self {
    unsafe pointee = UInt8(ascii: ",")
    let start = unsafe afterComma ? self + 1 : self
    return unsafe start.quoted(name).byte(UInt8(ascii: ":"))
  }

  @inlinable @inline(__always)
  func quoted(_ word: StaticString) -> Self {
    unsafe byte(UInt8(ascii: "\"")).word(word).byte(UInt8(ascii: "\""))
  }

  @inlinable @inline(__always)
  func flag(_ flag: Bool) -> Self { unsafe flag ? word("true") : word("false") }

  /// Without leading zeros; there must be room for 20 bytes.
  @inlinable @inline(__always)
  func digits(of number: UInt64) -> Self {
    guard number < 100_000_000 else { return unsafe manyDigits(of: number) }
    let digits = Digits.eight(UInt32(truncatingIfNeeded: number))
    let zeros = min(7, (digits & 0x0F0F_0F0F_0F0F_0F0F).trailingZeroBitCount / 8)
    return unsafe eight(digits &>> UInt64(8 * zeros)) - zeros
  }

  @usableFromInline @inline(never)
  func manyDigits(of number: UInt64) -> Self {
    let (high, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
    return unsafe digits(of: high).eight(Digits.eight(UInt32(truncatingIfNeeded: low)))
  }

  @inlinable @inline(__always)
  func eight(_ bytes: UInt64) -> Self {
    unsafe UnsafeMutableRawPointer(self).storeBytes(of: bytes.littleEndian, as: UInt64.self)
    return unsafe self + 8
  }
}
