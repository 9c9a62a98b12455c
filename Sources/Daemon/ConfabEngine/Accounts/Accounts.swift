import XMPPCore

/// The configured accounts, in the order of the configuration. Confined to the engine's thread.
final class Accounts {
  var all: [Account] = []
  /// Accounts that were removed from the configuration and whose sessions have not ended yet.
  var retired: [Account] = []
  /// All accounts with work to do.
  var alive: [Account] { retired.isEmpty ? all : all + retired }

  /// By its name or its JID.
  func named(_ name: String) -> Account? {
    all.first { $0.name == name } ?? (try? JID(typed: name)).flatMap { jid in all.first { $0.jid == jid.bare } }
  }

  func numbered(_ number: UInt32) -> Account? { all.first { $0.number == number } }

  func linked(_ link: LinkID) -> Account? { all.first { $0.link == link } ?? retired.first { $0.link == link } }

  /// Removes retired accounts whose sessions have ended.
  func forgetEnded() {
    if !retired.isEmpty { retired.removeAll(where: \.isIdle) }
  }
}
