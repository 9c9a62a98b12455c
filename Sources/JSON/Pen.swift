/// Writes into room that was made before; who writes more than that is stopped.
@safe struct Pen {
  private(set) var place: UnsafeMutablePointer<UInt8>
  private let end: UnsafeMutablePointer<UInt8>

  /// A pen for so many bytes.
  init(at place: UnsafeMutablePointer<UInt8>, room: Int) { unsafe (self.place, end) = (place, place + room) }

  @inline(__always)
  mutating func byte(_ byte: UInt8) {
    precondition(unsafe place < end)
    unsafe place.pointee = byte
    unsafe place += 1
  }

  @inline(__always)
  mutating func bytes(_ start: UnsafePointer<UInt8>, _ count: Int) {
    precondition(unsafe count <= end - place)
    unsafe place.update(from: start, count: count)
    unsafe place += count
  }

  /// A name and its colon.
  @inline(__always)
  mutating func name(_ name: StaticString, afterComma: Bool) {
    if afterComma { byte(UInt8(ascii: ",")) }
    byte(UInt8(ascii: "\""))
    unsafe bytes(name.utf8Start, name.utf8CodeUnitCount)
    byte(UInt8(ascii: "\""))
    byte(UInt8(ascii: ":"))
  }

  /// A text in which nothing has to be escaped.
  @inline(__always)
  mutating func quoted(_ text: UnsafeBufferPointer<UInt8>) {
    byte(UInt8(ascii: "\""))
    if let start = text.baseAddress { unsafe bytes(start, text.count) }
    byte(UInt8(ascii: "\""))
  }

  @inline(__always)
  mutating func flag(_ flag: Bool) {
    let word: StaticString = flag ? "true" : "false"
    unsafe bytes(word.utf8Start, word.utf8CodeUnitCount)
  }

  @inline(__always)
  mutating func digits(of number: UInt64) {
    var (count, rest) = (1, number)
    while rest > 9 { (count, rest) = (count + 1, rest / 10) }
    precondition(unsafe count <= end - place)
    rest = number
    for index in stride(from: count - 1, through: 0, by: -1) {
      unsafe place[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    unsafe place += count
  }
}

extension JSONWriter {
  /// Makes room for so many bytes at the end, and has them written.
  @inline(__always)
  mutating func put(_ most: Int, _ write: (inout Pen) -> Void) {
    bytes.append(addingCapacity: most) { output in
      unsafe output.withUnsafeMutableBufferPointer { room, count in
        guard let start = room.baseAddress else { return }
        var pen = unsafe Pen(at: start + count, room: most)
        write(&pen)
        count = unsafe pen.place - start
      }
    }
  }
}
