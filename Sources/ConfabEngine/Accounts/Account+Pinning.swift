import Facts
import Records
import SASL

/// No login is weaker than the one before it, unless a person says that it may be: `unpin`.
extension Account {
  /// Notes what a login had, where that is news.
  func remember(_ login: LoginMethod) {
    let record = LoginRecord(
      account: number, mechanism: login.mechanism.rawValue, channelBinding: login.channelBinding?.rawValue)
    if facts.login != record { storage.append(.login(record)) }
  }

  /// What logins had counts no more: a try that is under way, or was refused for it, begins anew. A session stays.
  func unpinned() {
    switch phase {
    case .online, .closing: return
    case .idle where !facts.wish.connected: return
    case .idle, .waiting, .resolving, .connecting, .negotiating: break
    }
    dropLink()
    phase = .idle
    start()
  }

  /// Why a login leaves the channel binding unused that the server offers.
  static let unknownBinding = "the server names no type of it that this connection has"
}

extension LoginRecord {
  /// The weakest mechanism that a login may use from now on. Nil also for one that a later version wrote and this one does
  /// not know: there is no telling what is weaker, and nobody is to be locked out for that.
  var pin: Mechanism? { mechanism.flatMap(Mechanism.init(named:)) }

  /// Such as `SCRAM-SHA-256-PLUS tls-exporter`.
  var words: String { [mechanism, channelBinding].compactMap(\.self).joined(separator: " ") }
}
