/// The properties of a cluster that decide its width.
struct ClusterShape {
  /// Columns where code points are counted.
  private var sum = 0
  private var widest = 0
  private var lastWidth = 0
  /// Selectors that widen a narrow symbol.
  private var variationCount = 0
  private var toneCount = 0
  /// Columns of emoji with a skin tone where code points are counted.
  private var tonedSum = 0
  private var joinerCount = 0
  private var flagCount = 0
  private var newestCount = 0
  private var isPictographic = false
  private var isPrivate = false

  mutating func add(_ value: UInt32, _ traits: CodePointTraits) {
    if value == 0xFE0F, lastWidth == 1 { variationCount += 1 }
    if (0x1F3FB...0x1F3FF).contains(value), isPictographic {
      toneCount += 1
      tonedSum += lastWidth + traits.width
    }
    lastWidth = traits.width
    sum += traits.width
    widest = max(widest, traits.width)
    if traits.contains(.pictographic) { isPictographic = true }
    if traits.contains(.newest) { newestCount += 1 }
    switch value {
    case 0x200D: joinerCount += 1
    case 0x1F1E6...0x1F1FF: flagCount += 1
    case 0xE000...0xF8FF, 0xF0000...0x10_FFFF: isPrivate = true
    default: break
    }
  }

  /// True if a scalar begins a new cluster although UAX #29 continues the old one: a skin tone that follows no emoji,
  /// or one more letter of an endless row.
  func isTooWide(with value: UInt32, _ traits: CodePointTraits) -> Bool {
    if (0x1F3FB...0x1F3FF).contains(value), !isPictographic { return true }
    return traits.width > 0 && sum + traits.width > Clusters.widthLimit
  }

  /// True if terminals show the cluster as a coloured emoji.
  var isEmoji: Bool { variationCount > 0 || flagCount == 2 || (isPictographic && widest == 2) }

  var isDoubtful: Bool {
    sum != clusterWidth || variationCount + toneCount + joinerCount + flagCount + newestCount > 0 || isPrivate
  }

  /// Columns in a terminal; 0 if it does not draw the cluster.
  func width(in model: WidthModel) -> Int {
    switch model {
    case .codePoints: max(1, sum)
    case .clusters: clusterWidth
    case .measured(let widths): measuredWidth(widths)
    }
  }

  private var clusterWidth: Int { variationCount > 0 || flagCount == 2 ? 2 : max(1, widest) }

  private func measuredWidth(_ widths: EmojiWidths) -> Int {
    if newestCount > 0, widths.newest == 0 { return 0 }
    if flagCount == 2 { return Int(widths.flag) }
    guard isPictographic || variationCount > 0 else { return widths.vowelSign == 1 ? clusterWidth : max(1, sum) }
    // 4 columns for a probe of two emoji, or of one and its skin tone, say that the terminal shows each for itself.
    if joinerCount > 0, widths.joined != 4 { return Int(widths.joined) }
    var width = sum + variationCount * (Int(widths.variation) - 1) + newestCount * (Int(widths.newest) - 2)
    if widths.skinTone != 4 { width += toneCount * Int(widths.skinTone) - tonedSum }
    return max(0, width)
  }
}
