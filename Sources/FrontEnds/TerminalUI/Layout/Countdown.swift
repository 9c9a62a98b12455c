/// The time until something happens: in seconds during the last two minutes, in minutes and hours during the last two days,
/// in days before.
package struct Countdown: Sendable {
  /// A time as it is shown, so that two that read the same are equal.
  package struct Shown: Hashable, Sendable {
    fileprivate let seconds: Int64

    /// `90 s`, `5 min`, `2 h`, `2 h 5 min`, `3 days`.
    var words: String {
      guard seconds > Countdown.exact else { return "\(seconds) s" }
      guard seconds <= Countdown.near else { return "\(seconds / Countdown.day) days" }
      let (hours, minutes) = (seconds / 3600, seconds % 3600 / 60)
      return [hours > 0 ? "\(hours) h" : "", minutes > 0 ? "\(minutes) min" : ""].filter { !$0.isEmpty }
        .joined(separator: " ")
    }
  }

  /// Whole seconds, at least 1.
  let seconds: Int64
  /// So many seconds and fewer are counted one by one.
  private static let exact: Int64 = 120
  private static let day: Int64 = 86_400
  /// So many seconds and fewer are counted in hours and minutes.
  private static let near = 2 * day

  /// Whole minutes and days are rounded up.
  package var shown: Shown { Shown(seconds: (seconds + unit - 1) / unit * unit) }
  /// Seconds after which another time is shown.
  var secondsShown: Int64 { (seconds - 1) % unit + 1 }

  private var unit: Int64 { seconds > Self.near ? Self.day : seconds > Self.exact ? 60 : 1 }
}
