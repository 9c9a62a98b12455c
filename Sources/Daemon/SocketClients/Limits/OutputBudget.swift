import ConfabConfiguration
/// The bytes that wait to be read by front ends, all together, and how many one may have waiting: as configured, or a
/// share once all together have too much. One for all connections.
final class OutputBudget {
  var limits = ConnectionLimits()
  /// Handed to the driver and not reported as gone.
  private(set) var waiting = 0

  /// At which nothing more is made for a connection.
  var allowance: Int {
    guard waiting >= limits.totalOutput else { return limits.output }
    return max(1, min(limits.output, limits.totalOutput / limits.connections))
  }

  func add(_ count: Int) { waiting += count }

  func remove(_ count: Int) { waiting -= count }
}
