/// Phrases and what they stand for, by the thousand, in few allocations: the bytes of all, and the phrases in order.
/// The longest one that begins at a place is found byte by byte, by narrowing down those that begin like the text.
package struct PhraseTable: Sendable {
  /// Bytes of a phrase; longer ones are not taken.
  package static let phraseLimit = 255

  /// A phrase; its target follows it, and behind that stand bytes that are the caller's.
  package struct Entry: Sendable {
    fileprivate let start: UInt32
    fileprivate let phraseCount: UInt16
    fileprivate let targetCount: UInt16
    fileprivate let restCount: UInt16
    /// The caller's.
    package let tag: UInt16
  }

  private var bytes: [UInt8] = []
  package private(set) var entries: [Entry] = []
  /// Indices of entries, sorted by their phrases; of several of one phrase the first.
  private var order: [UInt32] = []
  /// For each byte where the phrases that begin with it do, in the order.
  private var firsts: [UInt32] = []
  /// The bytes that phrases begin with.
  package private(set) var starters = ByteSet()

  package init() {}

  package init(_ phrases: [(phrase: String, target: String)]) {
    for (phrase, target) in phrases { append(phrase, target) }
    sort()
  }

  package var isEmpty: Bool { entries.isEmpty }
  /// Bytes of memory, about.
  package var byteCount: Int { bytes.count + entries.count * MemoryLayout<Entry>.stride + order.count * 4 }

  /// Adds a phrase, which is found once the table is sorted again. False if it is too long, or empty.
  @discardableResult
  package mutating func append(_ phrase: String, _ target: String, rest: String = "", tag: UInt16 = 0) -> Bool {
    guard !phrase.isEmpty, phrase.utf8.count <= Self.phraseLimit, let start = UInt32(exactly: bytes.count),
      let targetCount = UInt16(exactly: target.utf8.count), let restCount = UInt16(exactly: rest.utf8.count)
    else { return false }
    entries.append(
      Entry(
        start: start, phraseCount: UInt16(phrase.utf8.count), targetCount: targetCount, restCount: restCount, tag: tag))
    bytes.append(contentsOf: phrase.utf8)
    bytes.append(contentsOf: target.utf8)
    bytes.append(contentsOf: rest.utf8)
    return true
  }

  /// Sorts what was added, and gives back memory that is not needed.
  package mutating func sort() {
    (bytes, entries) = (Array(bytes), Array(entries))
    let sorted = entries.indices.sorted { one, other in
      let (first, second) = (phraseBytes(one), phraseBytes(other))
      return first.elementsEqual(second) ? one < other : first.lexicographicallyPrecedes(second)
    }
    order = []
    order.reserveCapacity(sorted.count)
    for index in sorted where order.last.map({ !phraseBytes(Int($0)).elementsEqual(phraseBytes(index)) }) ?? true {
      order.append(UInt32(index))
    }
    findFirsts()
  }

  private mutating func findFirsts() {
    firsts = [UInt32](repeating: UInt32(order.count), count: 257)
    starters = ByteSet(order.map { bytes[Int(entries[Int($0)].start)] })
    for (place, index) in order.enumerated().reversed() {
      firsts[Int(bytes[Int(entries[Int(index)].start)])] = UInt32(place)
    }
    for byte in (0..<256).reversed() { firsts[byte] = min(firsts[byte], firsts[byte + 1]) }
  }
}

// MARK: - Entries

extension PhraseTable {
  private func phraseBytes(_ index: Int) -> ArraySlice<UInt8> {
    let start = Int(entries[index].start)
    return bytes[start..<start + Int(entries[index].phraseCount)]
  }

  package func phrase(_ index: Int) -> String { String(decoding: phraseBytes(index), as: UTF8.self) }

  /// In bytes.
  package func phraseLength(_ index: Int) -> Int { Int(entries[index].phraseCount) }

  package func target(_ index: Int) -> String {
    let start = Int(entries[index].start) + Int(entries[index].phraseCount)
    return String(decoding: bytes[start..<start + Int(entries[index].targetCount)], as: UTF8.self)
  }

  package func rest(_ index: Int) -> String {
    let entry = entries[index]
    let start = Int(entry.start) + Int(entry.phraseCount) + Int(entry.targetCount)
    return String(decoding: bytes[start..<start + Int(entry.restCount)], as: UTF8.self)
  }

  /// The entry with exactly this phrase.
  package func index(of phrase: String) -> Int? {
    var search = PhraseSearch()
    for byte in phrase.utf8 where !search.advance(byte, in: self) { return nil }
    return search.match(in: self)
  }

  /// The longest phrase that begins a text, and its length.
  package func longestMatch(in text: ArraySlice<UInt8>) -> (index: Int, count: Int)? {
    var search = PhraseSearch()
    var longest: (index: Int, count: Int)?
    for byte in text {
      guard search.advance(byte, in: self) else { break }
      if let index = search.match(in: self) { longest = (index, search.depth) }
    }
    return longest
  }
}

/// The phrases of a table that begin with the bytes looked at so far.
struct PhraseSearch {
  private var places = 0..<0
  /// Bytes looked at.
  private(set) var depth = 0

  /// Goes on with the next byte. False if no phrase does.
  mutating func advance(_ byte: UInt8, in table: PhraseTable) -> Bool {
    places = depth == 0 ? table.places(beginningWith: byte) : table.places(places, with: byte, at: depth)
    depth += 1
    return !places.isEmpty
  }

  /// The entry whose phrase has been looked at to its end.
  func match(in table: PhraseTable) -> Int? {
    guard depth > 0, !places.isEmpty else { return nil }
    return table.entry(at: places.lowerBound, ofLength: depth)
  }
}

extension PhraseTable {
  fileprivate func places(beginningWith byte: UInt8) -> Range<Int> {
    firsts.isEmpty ? 0..<0 : Int(firsts[Int(byte)])..<Int(firsts[Int(byte) + 1])
  }

  /// The part of `range` with this byte at `depth`; the phrases of `range` are equal before that.
  fileprivate func places(_ range: Range<Int>, with byte: UInt8, at depth: Int) -> Range<Int> {
    if range.count == 1 { return self.byte(of: range.lowerBound, at: depth) == Int(byte) ? range : 0..<0 }
    let start = first(in: range) { self.byte(of: $0, at: depth) >= Int(byte) }
    return start..<first(in: start..<range.upperBound) { self.byte(of: $0, at: depth) > Int(byte) }
  }

  fileprivate func entry(at place: Int, ofLength length: Int) -> Int? {
    let index = Int(order[place])
    return Int(entries[index].phraseCount) == length ? index : nil
  }

  /// -1 behind the end.
  private func byte(of place: Int, at depth: Int) -> Int {
    let entry = entries[Int(order[place])]
    return depth < Int(entry.phraseCount) ? Int(bytes[Int(entry.start) + depth]) : -1
  }

  private func first(in range: Range<Int>, where isBehind: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
