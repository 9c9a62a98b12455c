/// The names and namespaces of tapes, each once, by their numbers; those of `KnownName` stand first.
struct NameList: Sendable {
  private struct Place {
    var offset: Int32
    var count: Int32
  }

  private var places: [Place] = []
  private var bytes: [UInt8] = []
  /// Bytes of those beside the ones that are known.
  private(set) var byteCount = 0

  /// None but those that are known.
  static let known = NameList(KnownName.allCases.map(\.text))

  private init(_ texts: [StaticString]) {
    for text in texts {
      let offset = bytes.count
      text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
      note(from: offset)
    }
    byteCount = 0
  }

  /// How many there are.
  var total: Int { places.count }

  /// Adds a name, where it is none that is known; its number.
  mutating func add(_ name: BorrowedBytes) -> UInt32 {
    let offset = bytes.count
    bytes.append(contentsOf: name.copy())
    for known in KnownName.allCases where bytes.hasBytes(known.text, at: offset..<bytes.count) {
      bytes.removeSubrange(offset...)
      return known.number
    }
    note(from: offset)
    return UInt32(places.count - 1)
  }

  private mutating func note(from offset: Int) {
    places.append(Place(offset: Int32(clamping: offset), count: Int32(clamping: bytes.count - offset)))
    byteCount += bytes.count - offset
  }

  subscript(number: UInt32) -> ArraySlice<UInt8> { bytes[range(of: number)] }

  /// True if a name is this one. Most differ in length.
  @inline(__always)
  func isNamed(_ number: UInt32, _ expected: StaticString) -> Bool {
    let range = range(of: number)
    return range.count == expected.utf8CodeUnitCount && (range.isEmpty || bytes.hasBytes(expected, at: range))
  }

  @inline(__always)
  private func range(of number: UInt32) -> Range<Int> {
    let place = places[Int(number)]
    return Int(place.offset)..<Int(place.offset) + Int(place.count)
  }
}
