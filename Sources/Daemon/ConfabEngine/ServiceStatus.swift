import ConfabAccounts
import SocketClients

/// The state of the daemon in words, for the service manager (`systemctl status`).
struct ServiceStatus {
  /// Accounts that are not online and named one by one.
  private static let mostNamed = 3

  /// The last one that was reported.
  private var reported = ""

  /// The words, if they are new.
  mutating func changed(_ context: RequestContext) -> String? {
    let words = Self.words(context)
    guard words != reported else { return nil }
    reported = words
    return words
  }

  private static func words(_ context: RequestContext) -> String {
    let (storage, accounts) = (context.storage, context.accounts.all)
    if let replayed = storage.replayed { return "reading the log: \(replayed) % done" }
    let others = accounts.filter { $0.status.state != .online }
    let trouble = storage.trouble.map { "nothing can be stored: \($0)" }
    let named = others.prefix(mostNamed).map { "\($0.name) is \($0.status.state.rawValue): \($0.status.reason)" }
    let damage = context.damage == nil ? nil : "the log is damaged: see `confab status`"
    return ([trouble, damage, count(accounts, online: accounts.count - others.count)].compactMap(\.self) + named)
      .joined(separator: "; ")
  }

  private static func count(_ accounts: [Account], online: Int) -> String? {
    guard let first = accounts.first else { return "no accounts" }
    if accounts.count > 1 { return "\(online) of \(accounts.count) accounts online" }
    return online == 1 ? "\(first.name) is online" : nil
  }
}
