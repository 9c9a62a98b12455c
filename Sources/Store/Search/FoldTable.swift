import AddressPreparation
/// The foldings of single scalars, looked up in libunistring once each: texts without marks are folded by it. Confined
/// to one thread.
final class FoldTable {
  /// Values above every scalar.
  private static let unknown: UInt32 = .max
  /// It may be one character with what stands before it.
  private static let joining: UInt32 = 1 << 31
  /// It becomes several scalars.
  private static let expanding: UInt32 = 1 << 30

  /// Pages of 256 scalars, those that were needed.
  private var pages = [[UInt32]](repeating: [], count: 0x110000 >> 8)
  private var expansions: [UInt32: [UInt32]] = [:]

  /// Appends the folded form of a scalar that stands alone; false where it may join what stands before it.
  @inline(__always)
  func append(_ scalar: UInt32, to folded: inout [UInt32]) -> Bool {
    let entry = entry(scalar)
    if entry < Self.expanding {
      folded.append(entry)
      return true
    }
    guard entry == Self.expanding else { return false }
    folded += expansions[scalar] ?? []
    return true
  }

  @inline(__always)
  private func entry(_ scalar: UInt32) -> UInt32 {
    let page = Int(scalar >> 8)
    let place = Int(scalar & 0xFF)
    if !pages[page].isEmpty, pages[page][place] != Self.unknown { return pages[page][place] }
    return learn(scalar)
  }

  private func learn(_ scalar: UInt32) -> UInt32 {
    let page = Int(scalar >> 8)
    if pages[page].isEmpty { pages[page] = Array(repeating: Self.unknown, count: 256) }
    let entry = find(scalar)
    pages[page][Int(scalar & 0xFF)] = entry
    return entry
  }

  private func find(_ scalar: UInt32) -> UInt32 {
    if CaseFolding.joins(scalar) { return Self.joining }
    guard CaseFolding.mayChange(scalar), let folded = CaseFolding.fold([scalar]) else { return scalar }
    if folded.count == 1 { return folded[0] }
    expansions[scalar] = folded
    return Self.expanding
  }
}
