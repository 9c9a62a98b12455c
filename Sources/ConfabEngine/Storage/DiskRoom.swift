import Clocks
import Settings

/// The room on the disk, as it was measured last.
struct DiskRoom {
  /// Bytes that may still be written; nil: nobody knows.
  fileprivate(set) var free: UInt64?
  /// When it is measured again, if anybody asks.
  fileprivate var due = Instant(milliseconds: 0)
  /// Until when the last measure counts.
  fileprivate var end = Instant(milliseconds: 0)
  /// How long a measure is good enough, and how long it is better than none. While texts are left somebody asks each minute.
  static let (pause, lifetime) = (Interval.seconds(10), Interval.minutes(2))
}

extension Effects {
  /// Whether there is too little room for texts of strangers (decision 0100): by the last measure, which is made anew if it
  /// is old.
  var isRoomShort: Bool {
    if room.due <= now.instant {
      room.due = now.instant.advanced(by: DiskRoom.pause)
      order(.measureRoom) { [weak self] outcome in if case .room(let free) = outcome { self?.measured(free) } }
    }
    guard let free = room.free, now.instant < room.end else { return false }
    return free < UInt64(daemon.strangersFloor)
  }

  private func measured(_ free: UInt64) {
    (room.free, room.end) = (free, now.instant.advanced(by: DiskRoom.lifetime))
  }
}
