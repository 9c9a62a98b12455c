/// The time until something happens: in seconds during the last two minutes, in minutes and hours before.
package struct Countdown: Sendable {
  /// A time as it is shown, so that two that read the same are equal.
  package struct Shown: Hashable, Sendable {
    fileprivate let seconds: Int64

    /// `90 s`, `5 min`, `2 h`, `2 h 5 min`.
    var words: String {
      guard seconds > Countdown.exact else { return "\(seconds) s" }
      let (hours, minutes) = (seconds / 3600, seconds % 3600 / 60)
      return [hours > 0 ? "\(hours) h" : "", minutes > 0 ? "\(minutes) min" : ""].filter { !$0.isEmpty }
        .joined(separator: " ")
    }
  }

  /// Whole seconds, at least 1.
  let seconds: Int64
  /// So many seconds and fewer are counted one by one.
  private static let exact: Int64 = 120

  /// Whole minutes are rounded up.
  package var shown: Shown { Shown(seconds: seconds > Self.exact ? (seconds + 59) / 60 * 60 : seconds) }
  /// Seconds after which another time is shown.
  var secondsShown: Int64 { seconds > Self.exact ? (seconds - 1) % 60 + 1 : 1 }
}
