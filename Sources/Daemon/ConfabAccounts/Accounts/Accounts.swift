import XMPPCore

/// The configured accounts, in the order of the configuration. Confined to the engine's thread.
package final class Accounts {
  package var all: [Account] = []
  /// Accounts that were removed from the configuration and whose sessions have not ended yet.
  package var retired: [Account] = []
  /// All accounts with work to do.
  package var alive: [Account] { retired.isEmpty ? all : all + retired }

  package init() {}

  /// By its name or its JID.
  package func named(_ name: String) -> Account? {
    all.first { $0.name == name } ?? (try? JID(typed: name)).flatMap { jid in all.first { $0.jid == jid.bare } }
  }

  package func numbered(_ number: UInt32) -> Account? { all.first { $0.number == number } }

  package func linked(_ link: LinkID) -> Account? { all.first { $0.link == link } ?? retired.first { $0.link == link } }

  /// Removes retired accounts whose sessions have ended.
  package func forgetEnded() {
    if !retired.isEmpty { retired.removeAll(where: \.isIdle) }
  }
}
