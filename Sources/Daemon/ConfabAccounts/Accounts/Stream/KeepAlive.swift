import Clocks

/// Decides when a link is dead. On an idle link the kernel probes only the peer's kernel; the server itself is asked
/// after minutes of silence (`docs/decisions/0048-finding-dead-links.md`).
final class KeepAlive {
  /// Silence that ends a link while an answer is awaited.
  static let patience = Interval.seconds(30)
  /// Silence that ends a link while an answer is awaited, on a stream on which nothing was answered the last time.
  static let distrust = Interval.seconds(10)
  /// How long an answer may take while other stanzas come, which may stand before it.
  static let longestPatience = Interval.seconds(60)
  /// A deadline missed by this much was missed by us, asleep or stopped: an answer may be there unread.
  static let oversleeping = Interval.seconds(5)

  /// After the shortest silence the server is probed as soon as another event wakes the daemon; after the longest one,
  /// in any case.
  static let shortestIdle = Interval.minutes(5)
  static let longestIdle = Interval.minutes(10)

  private let stream: ReliableStream
  private let requests: Requests
  private let effects: Effects
  /// When the last stanza or answer came.
  private(set) var lastHeard: Instant

  init(_ stream: ReliableStream, _ requests: Requests, _ effects: Effects) {
    (self.stream, self.requests, self.effects) = (stream, requests, effects)
    lastHeard = effects.now.instant
  }

  func heard() { lastHeard = effects.now.instant }

  /// When an idle link is probed; nil while the server already owes an answer.
  var idleDue: Instant? { owesAnswer ? nil : lastHeard.advanced(by: Self.longestIdle) }

  private var owesAnswer: Bool {
    stream.ackRequests.isAwaited || stream.ackRequests.isPingWanted || stream.mode == .requested
      || requests.pending.deadline != nil
  }

  /// Probes a server that has been silent for minutes. A proxy, or the kernel of a hung server, would answer the
  /// kernel's probes for ever.
  func probeIfIdle() {
    guard effects.now.instant - lastHeard >= Self.shortestIdle, !owesAnswer else { return }
    stream.probe()
  }

  /// Nothing could be heard for a while through no fault of the server: it has its whole time again.
  func restartPatience() {
    if stream.ackRequests.isAwaited { stream.awaitAnswer() }
    requests.pending.renew(at: effects.now.instant)
  }

  /// When an answer is overdue.
  var deadline: Instant? { stream.ackRequests.due.orEarlier(requests.pending.deadline) }

  /// Checks for overdue answers; returns why the link is dead, if it is.
  ///
  /// - Parameter giveUp: gives up an overdue request, or waits further for its answer (false).
  func tick(giveUp: (PendingIQs.Purpose) -> Bool) -> String? {
    if let deadline, effects.now.instant - deadline >= Self.oversleeping { restartPatience() }
    return overdueAck() ?? overdueRequests(giveUp)
  }

  private func overdueAck() -> String? {
    let now = effects.now.instant
    guard let due = stream.ackRequests.due, due <= now else { return nil }
    if let limit = stream.ackRequests.limit, let later = extended(until: limit, now) {
      stream.ackRequests.wait(until: later)
      return nil
    }
    if stream.mode == .requested {
      return "the server did not answer the request for stream management within 30 seconds"
    }
    return stream.responsiveness.isDoubted
      ? "the server resumed the stream and again answered nothing on it"
      : "the server did not acknowledge anything for 30 seconds"
  }

  /// A later deadline, if the server sends other stanzas: the answer may stand behind them.
  private func extended(until limit: Instant, _ now: Instant) -> Instant? {
    let silence = lastHeard.advanced(by: stream.responsiveness.patience)
    return silence > now && limit > now ? min(silence, limit) : nil
  }

  private func overdueRequests(_ giveUp: (PendingIQs.Purpose) -> Bool) -> String? {
    let now = effects.now.instant
    for purpose in requests.pending.takeOverdue(at: now) {
      if case .ping = purpose { return "the server did not answer a ping for 30 seconds" }
      guard giveUp(purpose) else { continue }
      if purpose.mayBeSlow {
        stream.probe()
      } else if lastHeard.advanced(by: Self.patience) <= now {
        return "the server did not answer a request and sent nothing else for 30 seconds"
      }
    }
    return nil
  }
}
