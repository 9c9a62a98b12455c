import Clocks
import ConfabConfiguration
/// Compares the free space of the disk with `strangers-floor` (decision 0100). Measured on demand, and not often.
final class StrangersFloor {
  /// How long a measure is good enough, and how long it is better than none. While texts are left somebody asks each
  /// minute.
  static let (pause, lifetime) = (Interval.seconds(10), Interval.minutes(2))

  private let effects: Effects
  /// Bytes that may still be written; nil: nobody knows.
  private var bytes: UInt64?
  /// When it is measured again, if anybody asks.
  private var due = Instant(milliseconds: 0)
  /// Until when the last measure counts.
  private var end = Instant(milliseconds: 0)

  init(_ effects: Effects) { self.effects = effects }

  /// True if there is too little space for texts of strangers: by the last measure, which is made anew if it is old.
  var isReached: Bool {
    let now = effects.now.instant
    if due <= now { measure(at: now) }
    guard let bytes, now < end else { return false }
    return bytes < UInt64(effects.daemon.strangersFloor)
  }

  /// True if the last measure is good enough, and found enough space: asked for each message, before all else.
  var isFar: Bool { effects.now.instant < due && !isReached }

  private func measure(at now: Instant) {
    due = now.advanced(by: Self.pause)
    effects.order(.measureFreeSpace) { [weak self] in if case .freeSpace(let bytes) = $0 { self?.measured(bytes) } }
  }

  private func measured(_ bytes: UInt64) {
    (self.bytes, end) = (bytes, effects.now.instant.advanced(by: Self.lifetime))
  }
}
