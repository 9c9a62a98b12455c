import Clocks
import Settings

/// What the machine under us goes through.
extension Engine {
  /// A network that comes up says many things at once: the accounts hear of the first, and of the rest together.
  static let networkPause = Interval.seconds(1)

  func networkChanged() {
    guard networkDue == nil else { return }
    let next = networkTold.map { $0.advanced(by: Self.networkPause) }
    if let next, next > effects.now.instant { networkDue = next } else { tellOfNetwork() }
  }

  func tellOfNetwork() {
    networkTold = effects.now.instant
    networkDue = nil
    effects.journal(.debug, "the network changed")
    effects.act(.refreshNames)
    for account in accounts.alive { account.networkChanged() }
  }

  /// Whatever was connected may be gone, and whatever was not may be there.
  func woke() {
    effects.journal(.info, "the machine was asleep")
    tellOfNetwork()
  }

  /// Connections are not timed by the wall clock; what is told in its terms is told anew.
  func clockSet() {
    effects.journal(.info, "the clock was set")
    for account in accounts.alive { account.clockSet() }
  }
}
