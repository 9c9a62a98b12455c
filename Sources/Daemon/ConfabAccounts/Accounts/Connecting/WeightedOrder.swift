/// The order in which the records of a service are tried (RFC 2782): by priority, and among equal priorities drawn by
/// weight. Equal records and equal randomness give equal orders.
enum WeightedOrder {
  /// The priority and weight of a record, with its address.
  struct Entry<Value> {
    var priority: UInt16
    var weight: UInt16
    var value: Value
  }

  /// The values of all entries, each once.
  static func drawn<Value>(_ entries: [Entry<Value>], _ random: any RandomSource) -> [Value] {
    Dictionary(grouping: entries, by: \.priority).sorted { $0.key < $1.key }
      .flatMap { drawnByWeight($0.value, random) }
      .map(\.value)
  }

  /// Draws one entry after the other. Entries without weight stand first, as the RFC wants it, so that they have a
  /// small chance beside others; among themselves they keep their order.
  private static func drawnByWeight<Value>(
    _ entries: [Entry<Value>], _ random: any RandomSource
  ) -> [Entry<Value>] {
    var left = entries.filter { $0.weight == 0 } + entries.filter { $0.weight != 0 }
    var total = left.reduce(0) { $0 + UInt64($1.weight) }
    var order: [Entry<Value>] = []
    while left.count > 1, total > 0 {
      let next = left.remove(at: index(at: random.number(below: total + 1), in: left))
      total -= UInt64(next.weight)
      order.append(next)
    }
    return order + left
  }

  /// The first entry at which the sum of the weights reaches `number`.
  private static func index<Value>(at number: UInt64, in entries: [Entry<Value>]) -> Int {
    var sum: UInt64 = 0
    return entries.firstIndex {
      sum += UInt64($0.weight)
      return sum >= number
    } ?? 0
  }
}
