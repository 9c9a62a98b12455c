import Clocks
import ConfabConfiguration
import XMPPCore

/// Reports an account's connection to `status`, watchers and the journal.
final class StatusReporter {
  /// The name in the configuration, which may change.
  var name: String
  private let jid: JID
  private let number: UInt32
  private let effects: Effects
  var status: AccountStatus
  private var troubles = RepeatSuppressor()

  init(_ name: String, _ jid: JID, _ number: UInt32, _ effects: Effects) {
    (self.name, self.jid, self.number, self.effects) = (name, jid, number, effects)
    status = AccountStatus(since: effects.now.wall)
  }

  /// Changes what `status` says, and reports the change to watchers and the journal.
  ///
  /// - Parameter pause: until the next try, if the account waits.
  func report(_ state: AccountStatus.State, _ reason: String, nextTryIn pause: Interval? = nil) {
    if status.state != state { status.since = effects.now.wall }
    let changed = status.state != state || status.reason != reason
    status.state = state
    status.reason = reason
    status.retryAt = state == .waiting ? pause.map { effects.now.wall.advanced(by: $0) } ?? status.retryAt : nil
    if state == .stopped { status.server = nil }
    guard changed else { return }
    effects.publish(.connection(account: number))
    let line = "\(state.rawValue): \(reason)"
    switch state {
    case .refused: journal(.error, line)
    case .connecting: journal(.debug, line)
    case .online, .stopped: journal(.info, line)
    case .waiting: journal(trouble: line + nextTry(pause), reason)
    }
  }

  private func nextTry(_ pause: Interval?) -> String {
    guard let pause else { return "" }
    let heard = status.lastHeard.map { "; last heard \((effects.now.wall - $0).inSeconds) ago" } ?? ""
    return "\(heard); next try in \(pause.inSeconds)"
  }

  /// Writes a trouble to the journal: a new one at once, a repeated one ever more rarely.
  func journal(trouble line: String, _ reason: String) {
    let count = troubles.note(reason)
    let times = count == 1 ? "" : " (\(count) times)"
    journal(RepeatSuppressor.isReported(count) ? .info : .debug, line + times)
  }

  /// Connections work again, or are asked for anew.
  func forgetTroubles() { troubles = RepeatSuppressor() }

  /// Writes a line for the journal that is about this account.
  func journal(_ level: LogLevel, _ line: String) {
    effects.journal(
      level, "account \(name): \(line)", about: JournalFields(account: name, jid: jid.description))
  }
}

extension Interval {
  /// In whole seconds, for people; never less than none.
  fileprivate var inSeconds: Interval { .seconds(max(0, (milliseconds + 999) / 1000)) }
}
