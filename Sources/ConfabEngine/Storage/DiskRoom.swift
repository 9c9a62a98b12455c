import Clocks
import Settings

/// The room on the disk, as it was measured last.
struct DiskRoom {
  /// Bytes that may still be written; nil: nobody knows.
  fileprivate(set) var free: UInt64?
  /// When it is measured again, if anybody asks.
  fileprivate var due = Instant(milliseconds: 0)
  /// How long a measure is good enough.
  static let pause = Interval.seconds(10)
}

extension Effects {
  /// Whether there is too little room for texts of strangers (decision 0100): by the last measure, which is made anew if it
  /// is old.
  var isRoomShort: Bool {
    if room.due <= now.instant {
      room.due = now.instant.advanced(by: DiskRoom.pause)
      order(.measureRoom) { [weak self] outcome in if case .room(let free) = outcome { self?.room.free = free } }
    }
    return room.free.map { $0 < UInt64(daemon.strangersFloor) } ?? false
  }
}
