/// Places of the log where records should be and are not, as far as any of its readers found them.
package final class UnreadablePlaces {
  private static let most = 10_000
  private var places: Set<UInt64> = []

  package init() {}

  package var count: Int { places.count }

  /// Adds a place, packed. True if it is new; beyond ten thousand, none is.
  func note(_ location: UInt64) -> Bool { count < Self.most && places.insert(location).inserted }
}
