import Clocks
import Records

/// An amount that may be taken, and grows back with time up to where it was.
struct Allowance: Sendable {
  private let most: Int
  private let period: Interval
  private var left: Int
  private var since: Instant

  /// - Parameters:
  ///   - amount: there is at the start, and never more.
  ///   - period: in which all of it grows back.
  init(of amount: Int, each period: Interval, from now: Instant) {
    most = amount
    self.period = period
    left = amount
    since = now
  }

  /// Takes an amount where so much is left.
  mutating func take(_ amount: Int, at now: Instant) -> Bool {
    grow(at: now)
    guard amount <= left else { return false }
    left -= amount
    return true
  }

  private mutating func grow(at now: Instant) {
    let elapsed = min((now - since).milliseconds, period.milliseconds)
    let growth = Int64(most) * elapsed / period.milliseconds
    // Less than a unit is not lost: it is counted the next time.
    guard growth > 0 else { return }
    left = min(most, left + Int(growth))
    since = now
  }
}

/// What is kept of what people who are not in the roster send of themselves, which they may do without end.
struct StrangersAllowance {
  /// Bytes of unknown payloads.
  var payloads: Allowance
  /// Presences.
  var presences: Allowance

  init(from now: Instant) {
    payloads = Allowance(of: 1 << 20, each: .hours(1), from: now)
    presences = Allowance(of: 4 << 20, each: .hours(1), from: now)
  }
}

/// Limits the bytes kept of each contact's presence. Its size is bounded by the roster.
struct ContactsAllowance {
  private var left: [String: Allowance] = [:]

  /// Takes bytes for the contact with a bare JID; false if too few are left.
  mutating func take(_ amount: Int, of jid: String, at now: Instant) -> Bool {
    left[jid, default: Allowance(of: 64 << 10, each: .hours(1), from: now)].take(amount, at: now)
  }
}

extension PresenceRecord {
  /// The approximate size of the record in the log, in bytes.
  var cost: Int { 64 + jid.utf8.count + resource.utf8.count + status.utf8.count }
}
