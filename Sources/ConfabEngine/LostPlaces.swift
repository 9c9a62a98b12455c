import MessageLog

/// The places of the log of which it was found, when somebody asked, that no sound record begins there.
struct LostPlaces {
  private var known = RangeSet<UInt64>()
  /// Those that were found last, which the next one asked for mostly is among.
  private var last = 0..<UInt64(0)
  /// So many stretches are kept; what is found beyond that is found again.
  private static let most = 1_000

  /// Whether a place is known to be one of them.
  mutating func contains(_ place: UInt64) -> Bool {
    if last.contains(place) { return true }
    guard known.contains(place), let range = known.ranges.first(where: { $0.contains(place) }) else { return false }
    last = range
    return true
  }

  mutating func insert(_ stretch: LostStretch) {
    last = stretch.places
    guard !stretch.mayReturn, known.ranges.count < Self.most else { return }
    known.insert(contentsOf: stretch.places)
  }

  /// Forgets what may be there another time.
  mutating func forgetPassing() { last = 0..<0 }
}
