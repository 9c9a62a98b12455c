/// How the accounts are, for who looks after the daemon (`systemctl status`).
extension Engine {
  /// Accounts that are not online and told of one by one.
  private static let mostTold = 3

  /// Says it, where it is not what was said last.
  func tellServiceManager() {
    let words = serviceStatus
    guard words != saidToServiceManager else { return }
    saidToServiceManager = words
    effects.act(.serviceStatus(words))
  }

  private var serviceStatus: String {
    if let replayed = storage.replayed { return "the log is being read: \(replayed) %" }
    let others = accounts.all.filter { $0.status.state != .online }
    let trouble = storage.trouble.map { "nothing can be stored: \($0)" }
    let told = others.prefix(Self.mostTold).map { "\($0.name) is \($0.status.state.rawValue): \($0.status.reason)" }
    let damage = clients.context.damage == nil ? nil : "the log is damaged: see `confab status`"
    return ([trouble, damage, count(online: accounts.all.count - others.count)].compactMap(\.self) + told)
      .joined(separator: "; ")
  }

  private func count(online: Int) -> String? {
    guard let first = accounts.all.first else { return "no accounts" }
    if accounts.all.count > 1 { return "\(online) of \(accounts.all.count) accounts online" }
    return online == 1 ? "\(first.name) is online" : nil
  }
}
