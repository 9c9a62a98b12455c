import Clocks
import State

/// When memory is given back that a burst, a login or a start needed: the rule alone.
struct MemoryRelease {
  /// The number of records in one batch that makes a burst: work that can be done later is put off.
  static let burst = 64
  /// Giving memory back walks the whole heap, and is not done for fewer records than this.
  static let worthwhile = 10_000
  /// So long nothing more comes over a link that is read again where it had no more.
  static let burstPause = Interval.milliseconds(50)
  /// How long after the last news of a connection, or the last burst, what only a start, a login or a burst needs is
  /// given back.
  static let longPause = Interval.seconds(10)

  /// The records stored since memory was given back.
  private var stored = 0
  /// When a burst is over, unless more of it comes.
  private var burstEnd: Instant?
  /// When nothing more is to be expected of a login, or of one burst behind another.
  private var pauseEnd: Instant?

  /// When `takeDue` has something.
  var deadline: Instant? { burstEnd.orEarlier(pauseEnd) }

  /// So much was stored that a burst leaves something to be given back.
  var isWorthwhile: Bool { stored >= Self.worthwhile }

  /// A stream came or went: more of that is to be expected.
  mutating func connectionsChanged(at now: Instant) { pauseEnd = now.advanced(by: Self.longPause) }

  /// Records were stored; `keepsBuffers` where memory is kept for more of them. True where a burst begins while a pause
  /// is made use of.
  mutating func stored(_ count: Int, isResting: Bool, keepsBuffers: Bool, at now: Instant) -> Bool {
    stored += count
    let interrupts = count >= Self.burst && (isResting || pauseEnd != nil)
    if interrupts || pauseEnd == nil && keepsBuffers { pauseEnd = now.advanced(by: Self.longPause) }
    return interrupts
  }

  /// All received stanzas are stored, and there may be more.
  mutating func expectEnd(at now: Instant) { burstEnd = now.advanced(by: Self.burstPause) }

  /// The pause that has come; call until nil.
  mutating func takeDue(at now: Instant) -> Eviction.Pause? {
    if let end = burstEnd, end <= now {
      burstEnd = nil
      return .betweenBursts
    }
    guard let end = pauseEnd, end <= now else { return nil }
    pauseEnd = nil
    return .long
  }

  /// It was given back: behind a burst, what the next one needs is kept for a while.
  mutating func given(in pause: Eviction.Pause, at now: Instant) {
    stored = 0
    burstEnd = nil
    if pause == .betweenBursts { pauseEnd = now.advanced(by: Self.longPause) }
  }
}
