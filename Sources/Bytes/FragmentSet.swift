import CBytes

/// Short strings of bytes that are looked for all at once, as fast as memory is read: what is worth a closer look in a lot
/// of bytes.
public struct FragmentSet: Sendable {
  /// Bytes of a fragment that are looked at; of longer ones the rest is not.
  public static let longest = Int(CBYTES_FRAGMENT)
  /// How many there may be.
  public static let most = Int(CBYTES_FRAGMENTS)

  private var set = cbytes_fragments()

  /// A set of fragments; nil where there are none, too many, or where one of them is empty.
  public init?(_ fragments: [[UInt8]]) {
    if fragments.isEmpty { return nil }
    for fragment in fragments {
      let count = min(fragment.count, Self.longest)
      guard unsafe cbytes_fragments_add(&set, fragment, count) != 0 else { return nil }
    }
  }

  /// The first place at or behind `start` where one of them stands.
  public func first(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start < bytes.count else { return nil }
    let place = unsafe withUnsafePointer(to: set) {
      unsafe cbytes_fragments_find($0, bytes.baseAddress, bytes.count, start)
    }
    return place < bytes.count ? place : nil
  }

  /// The same without what only some processors have: the tests compare the two.
  public func firstPlainly(in bytes: [UInt8], from start: Int) -> Int? {
    guard start < bytes.count else { return nil }
    let place = unsafe withUnsafePointer(to: set) {
      unsafe cbytes_fragments_find_plainly($0, bytes, bytes.count, start)
    }
    return place < bytes.count ? place : nil
  }

  /// The same by what this processor has.
  public func first(in bytes: [UInt8], from start: Int) -> Int? {
    unsafe bytes.withUnsafeBytes { buffer in unsafe first(in: buffer, from: start) }
  }
}
