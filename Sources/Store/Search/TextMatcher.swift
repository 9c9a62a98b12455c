import AddressPreparation
/// Finds one text in others, whatever the case of either and however their characters are composed. Confined to one
/// thread.
package final class TextMatcher {
  /// Hits of one text that are told.
  package static let mostHits = 100

  /// The folded text to search for.
  let needle: [UInt32]
  private let pattern: Pattern<UInt32>
  private let isASCII: Bool
  /// Fragments to search for before the whole needle. Lazy, because they take some time to make.
  private(set) lazy var fragments = FragmentChoice(needle)
  private let table = FoldTable()
  private var folded: [UInt32] = []

  package init(_ text: String) {
    let scalars = text.unicodeScalars.map(\.value)
    let needle = CaseFolding.fold(scalars) ?? scalars
    self.needle = needle
    pattern = Pattern(needle)
    isASCII = needle.allSatisfy { $0 < 0x80 }
  }

  /// True if a text, given as UTF-8, contains the needle.
  package func matches(_ text: RawSpan) -> Bool {
    if Self.isASCII(text) { return isASCII && isHeld(in: text) }
    fold(Self.string(text))
    return first(in: folded, from: 0) != nil
  }

  /// The matches in a text, in Unicode scalars: the first `mostHits`, from the left, without overlap. A match in a part
  /// of a character covers the whole character.
  package func hits(in text: String) -> [Range<Int>] {
    var hits: [Range<Int>] = []
    let map = FoldedMap(text, table)
    var start = 0
    while hits.count < Self.mostHits, let place = first(in: map.folded, from: start) {
      let hit = map.range(of: place..<place + needle.count)
      if let last = hits.last, hit.lowerBound < last.upperBound {
        hits[hits.count - 1] = last.lowerBound..<max(last.upperBound, hit.upperBound)
      } else {
        hits.append(hit)
      }
      start = place + needle.count
    }
    return hits
  }

  /// Folds a text into `folded`: by the table where it has no marks, else by the library.
  private func fold(_ text: String) {
    folded.removeAll(keepingCapacity: true)
    for scalar in text.unicodeScalars where !table.append(scalar.value, to: &folded) {
      let scalars = text.unicodeScalars.map(\.value)
      folded = CaseFolding.fold(scalars) ?? scalars
      return
    }
  }

  private func first(in text: [UInt32], from start: Int) -> Int? {
    pattern.first(from: start, to: text.count) { text[$0] }
  }

  static func string(_ text: RawSpan) -> String {
    unsafe text.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }

  private static func isASCII(_ text: RawSpan) -> Bool {
    var seen: UInt64 = 0
    var place = 0
    while place + 8 <= text.byteCount {
      seen |= unsafe text.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)
      place += 8
    }
    while place < text.byteCount {
      seen |= UInt64(unsafe text.unsafeLoad(fromByteOffset: place, as: UInt8.self))
      place += 1
    }
    return seen & 0x8080_8080_8080_8080 == 0
  }

  /// True if an ASCII text contains the needle.
  private func isHeld(in text: RawSpan) -> Bool {
    unsafe text.withUnsafeBytes { bytes in
      pattern.first(from: 0, to: bytes.count) { UInt32(unsafe Self.lowercase(bytes[$0])) } != nil
    }
  }

  @inline(__always)
  private static func lowercase(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}

/// A text folded, with the way back from each of its folded scalars to the character that it is of.
private struct FoldedMap {
  private(set) var folded: [UInt32] = []
  /// For each folded scalar the scalars of the text that it was made of.
  private var origins: [Range<Int>] = []

  init(_ text: String, _ table: FoldTable) {
    let scalars = text.unicodeScalars.map(\.value)
    var start = 0
    while start < scalars.count {
      var end = start + 1
      while end < scalars.count, CaseFolding.joins(scalars[end]) { end += 1 }
      append(scalars[start..<end], from: start, table)
      start = end
    }
  }

  private mutating func append(_ scalars: ArraySlice<UInt32>, from start: Int, _ table: FoldTable) {
    let before = folded.count
    if scalars.count > 1 || !table.append(scalars[start], to: &folded) {
      folded += CaseFolding.fold(Array(scalars)) ?? Array(scalars)
    }
    origins += repeatElement(start..<scalars.endIndex, count: folded.count - before)
  }

  func range(of place: Range<Int>) -> Range<Int> {
    origins[place.lowerBound].lowerBound..<origins[place.upperBound - 1].upperBound
  }
}
