import AddressPreparation
/// The scalars that fold to a given scalar: libunistring's tables, inverted once.
struct FoldSources: Sendable {
  /// Read when it is first wanted, which takes some milliseconds; some 30 KiB.
  static let all = FoldSources()

  /// Single scalars that become another single one: that one and the source, in order.
  private var singles: [(target: UInt32, source: UInt32)] = []
  /// Scalars that become several, and the starters of those.
  private(set) var several: [(source: UInt32, starters: [UInt32])] = []
  /// Marks that become others.
  private var marks: [(source: UInt32, folded: [UInt32])] = []

  private init() {
    for scalar in Self.scalars where CaseFolding.mayChange(scalar) {
      guard let folded = CaseFolding.fold([scalar]), folded != [scalar] else { continue }
      if CaseFolding.joins(scalar) {
        marks.append((scalar, folded))
      } else if folded.count == 1 {
        singles.append((folded[0], scalar))
      } else {
        several.append((scalar, folded.map(Self.starter)))
      }
    }
    singles.sort { $0 < $1 }
  }

  /// The planes that have letters with case, and the compatible ideographs.
  private static var scalars: some Sequence<UInt32> {
    [0..<0xD800, 0xE000..<0x20000, 0x2F800..<0x2FA20].joined().lazy.map { UInt32($0) }
  }

  /// The scalars that become this one, itself among them.
  func sources(of scalar: UInt32) -> [UInt32] {
    var low = 0
    var high = singles.count
    while low < high {
      let middle = (low + high) / 2
      if singles[middle].target < scalar { low = middle + 1 } else { high = middle }
    }
    return [scalar] + singles[low...].prefix { $0.target == scalar }.map(\.source)
  }

  /// The starter of marks, and of other scalars that may form one character with those before them.
  static let joining: UInt32 = 0

  /// A scalar without the marks that it is composed with.
  static func starter(of scalar: UInt32) -> UInt32 {
    CaseFolding.joins(scalar) ? joining : CaseFolding.decompose([scalar])?.first ?? scalar
  }

  /// The marks by which this scalar may have been composed, or of which it was made, as they may have been written.
  func marks(in scalar: UInt32) -> [UInt32] {
    let own = (CaseFolding.decompose([scalar]) ?? []).filter(CaseFolding.joins)
    return own + marks.filter { $0.folded.contains { $0 == scalar || own.contains($0) } }.map(\.source)
  }
}
