import Clocks
import XMPPExtensions

/// Checks that the server is alive. On an idle link the kernel probes only the peer's kernel; the server itself is
/// asked after minutes of silence (`docs/decisions/0048-finding-dead-links.md`).
extension Session {
  /// Silence that ends a link on which something waits for an answer.
  static let patience = Interval.seconds(30)
  /// The same for a stream on which nothing was answered the last time, and which is asked before anything else leaves.
  static let distrust = Interval.seconds(10)
  /// How long a question may stay unanswered where other things come, which may stand before the answer.
  static let longestPatience = Interval.seconds(60)
  /// A deadline missed by this much was missed by us, asleep or stopped: an answer may be there unread.
  static let oversleeping = Interval.seconds(5)

  /// After the shortest silence the server is asked as soon as anything else wakes the daemon; after the longest one,
  /// in any case.
  static let shortestIdle = Interval.minutes(5)
  static let longestIdle = Interval.minutes(10)

  /// The deadline for asking on an idle link; nil while the server already owes an answer.
  var idleDue: Instant? { owesAnswer ? nil : lastHeard.advanced(by: Self.longestIdle) }

  private var owesAnswer: Bool {
    asking.isAwaited || asking.isPingWanted || managementState == .asked || iqs.deadline != nil
  }

  /// Asks a server that has been silent for minutes. A proxy, or the kernel of a hung server, would answer the kernel's
  /// probes for ever.
  func askIfIdle() {
    guard effects.now.instant - lastHeard >= Self.shortestIdle, !owesAnswer else { return }
    probe()
  }

  /// Asks the server how far it is, once at a time.
  func request() {
    guard !asking.isAwaited else { return }
    awaitAnswer()
    asking.wantRequest()
  }

  /// The server owes an answer to `<r/>` or `<enable/>` from now on.
  func awaitAnswer() {
    let now = effects.now.instant
    asking.await(until: now.advanced(by: patienceNow), atMost: now.advanced(by: Self.longestPatience))
  }

  private var patienceNow: Interval { silences == 0 ? Self.patience : Self.distrust }

  /// Asks the server for a sign of life: something was sent that nobody answers, or the network is another.
  func probe() {
    switch managementState {
    case .on where !asking.isAwaited: request()
    case .on, .asked: asking.wantAgain()
    case .off: asking.wantPing()
    }
  }

  /// What asked is answered; what was sent meanwhile is asked about now. Says whether it was.
  func answered() -> Bool {
    guard asking.answered() else { return false }
    probe()
    return true
  }

  /// Nothing could be heard for a while, through no fault of the server's: it has its whole time again.
  func beginPatienceAnew() {
    if asking.isAwaited { awaitAnswer() }
    iqs.renew(at: effects.now.instant)
  }

  /// The earliest time at which something is due.
  var deadline: Instant? {
    answering.due.orEarlier(asking.due).orEarlier(asking.againDue).orEarlier(archive.retryDue).orEarlier(telling.due)
      .orEarlier(iqs.deadline)
  }

  /// Does what is due; returns the reason, in words, where the link is dead.
  func tick() -> String? {
    let now = effects.now.instant
    if let due = answering.due, due <= now { answer() }
    if let due = asking.againDue, due <= now { request() }
    tickTelling()
    if let due = archive.retryDue, due <= now { beginArchive() }
    if let due = asking.due.orEarlier(iqs.deadline), now - due >= Self.oversleeping {
      beginPatienceAnew()
    }
    return overdueAnswer(now) ?? overdueRequests()
  }

  /// The server says other things: the answer may stand behind them.
  private func isPatient(until limit: Instant, _ now: Instant) -> Instant? {
    let silence = lastHeard.advanced(by: patienceNow)
    return silence > now && limit > now ? min(silence, limit) : nil
  }

  private func overdueAnswer(_ now: Instant) -> String? {
    guard let due = asking.due, due <= now else { return nil }
    if let limit = asking.limit, let later = isPatient(until: limit, now) {
      asking.wait(until: later)
      return nil
    }
    if managementState == .asked { return "the server did not say within 30 seconds whether it acknowledges anything" }
    return silences == 0
      ? "the server did not acknowledge anything for 30 seconds"
      : "the server resumed the stream, and answered nothing on it again"
  }

  /// What is in doubt waits for the archive's answer as long as the link may still bring it: until something that was
  /// asked behind it is answered, or the link is given up.
  private func waitsForLink(_ purpose: PendingIQs.Purpose) -> Bool {
    let isLinkOpen = !archive.isLinkAsked || asking.isAwaited || iqs.isPingPending
    guard archive.isSettling, !archive.isOwedFromBefore, isLinkOpen else { return false }
    iqs.putBack(purpose, as: archive.requestID, at: effects.now.instant)
    if !archive.isLinkAsked { probe() }
    archive.isLinkAsked = true
    return true
  }

  private func overdueRequests() -> String? {
    let now = effects.now.instant
    for purpose in iqs.takeOverdue(at: now) {
      if case .ping = purpose { return "the server did not answer a ping for 30 seconds" }
      if case .archive = purpose, waitsForLink(purpose) { continue }
      fail(purpose, .timedOut)
      // A server may take its time with an archive, and be there all the same.
      if purpose.isOfArchive {
        probe()
        continue
      }
      if lastHeard.advanced(by: Self.patience) <= now {
        return "the server did not answer a request for 30 seconds, and said nothing else"
      }
    }
    return nil
  }
}
