import CBytes

/// Short strings of bytes that are looked for all at once, letters of ASCII in either case, as fast as memory is read: what
/// is worth a closer look in a lot of bytes.
public struct FragmentSet: Sendable {
  /// Bytes of a fragment that are looked at; of longer ones the rest is not.
  public static let longest = Int(CBYTES_FRAGMENT)
  /// How many there may be.
  public static let most = Int(CBYTES_FRAGMENTS)

  private var set = cbytes_fragments()

  /// A set of fragments; nil if there are none, too many, or where one of them is empty.
  public init?(_ fragments: [[UInt8]]) {
    if fragments.isEmpty { return nil }
    for fragment in fragments {
      let count = min(fragment.count, Self.longest)
      guard unsafe cbytes_fragments_add(&set, fragment, count) != 0 else { return nil }
    }
  }

  /// The first place at or behind `start` where one of them stands.
  public func first(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var looks = 0
    return unsafe first(in: bytes, from: start, &looks)
  }

  private func first(in bytes: UnsafeRawBufferPointer, from start: Int, _ looks: inout Int) -> Int? {
    guard start < bytes.count else { return nil }
    let place = unsafe withUnsafePointer(to: set) {
      unsafe cbytes_fragments_find($0, bytes.baseAddress, bytes.count, start, &looks)
    }
    return place < bytes.count ? place : nil
  }

  /// The approximate cost of looking for the fragments in bytes of this kind, in positions that need a closer look; at
  /// most `most`. A found fragment counts as 64 positions, because the caller then works on it.
  public func burden(in bytes: RawSpan, most: Int = .max) -> Int {
    var burden = set.pairs != 0 ? 0 : bytes.byteCount / 256
    var next = 0
    unsafe bytes.withUnsafeBytes { bytes in
      while burden < most, let place = unsafe first(in: bytes, from: next, &burden) {
        burden += 64
        next = place + 1
      }
    }
    return min(burden, most)
  }

  /// Finds the first fragment without instructions that only some processors have: the tests compare the two.
  public func firstPlainly(in bytes: [UInt8], from start: Int) -> Int? {
    guard start < bytes.count else { return nil }
    var looks = 0
    let place = unsafe withUnsafePointer(to: set) {
      unsafe cbytes_fragments_find_plainly($0, bytes, bytes.count, start, &looks)
    }
    return place < bytes.count ? place : nil
  }

  /// Finds the first fragment by the instructions of this processor.
  public func first(in bytes: [UInt8], from start: Int) -> Int? {
    unsafe bytes.withUnsafeBytes { buffer in unsafe first(in: buffer, from: start) }
  }
}
