import Clocks
import State

extension Outbox.Entry {
  /// When it expires: by its own time, or by its age, which is nobody's of a change: its time is its message's.
  func expiry(_ maximumAge: Interval?) -> Timestamp? {
    [expires, target == nil ? maximumAge.map { standsAt.advanced(by: $0) } : nil].compactMap { $0 }.min()
  }

  func hasExpired(at now: Timestamp, _ maximumAge: Interval?) -> Bool { expiry(maximumAge).map { $0 <= now } ?? false }
}
