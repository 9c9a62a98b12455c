import Clocks

/// Tracks if the server answers on a stream that it resumed. Some resume a stream and then ignore the stanzas sent on
/// it.
struct Responsiveness {
  /// Resumptions in a row without any answer after which the stream is given up.
  static let mostUnanswered = 2

  /// True if the server has acknowledged something since the stream was resumed, or has nothing left to acknowledge.
  private(set) var isProven = true
  /// Resumptions in a row on which nothing was answered.
  private var unansweredCount = 0

  /// True if the last resumption stayed unanswered. Such a stream is probed before anything else leaves on it.
  var isDoubted: Bool { unansweredCount > 0 }

  /// Silence that ends the link while an answer is awaited.
  var patience: Interval { isDoubted ? KeepAlive.distrust : KeepAlive.patience }

  /// The server resumed the stream.
  mutating func resumed() { isProven = false }

  /// The server acknowledged something; true if it was doubted before.
  mutating func answered() -> Bool {
    defer { unansweredCount = 0 }
    isProven = true
    return isDoubted
  }

  /// The server answered nothing for too long; true if the stream is to be given up.
  mutating func wasSilent() -> Bool {
    guard !isProven else { return false }
    unansweredCount += 1
    return unansweredCount >= Self.mostUnanswered
  }
}
