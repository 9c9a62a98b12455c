package import ConfabAccounts
import SocketClients
import Clocks
import LineProtocol
import MessageLog
import AddressPreparation
import Records
package import ConfabConfiguration
import State
import XMPPCore

extension Engine {
  /// Checks what the configuration's own rules cannot: that the JIDs are accounts', and the resources some.
  package static func check(_ configuration: Configuration) throws(ConfigurationProblem) {
    var names: [String: String] = [:]
    for account in configuration.accounts {
      let jid: JID
      do throws(JIDError) {
        jid = try account.address
      } catch {
        throw ConfigurationProblem(description: "[account \(account.name)]: \(error.sentence)")
      }
      if let other = names.updateValue(account.name, forKey: jid.description) {
        throw ConfigurationProblem(
          description: "[account \(account.name)] jid: expected a JID that no other account has, found that of \(other)"
        )
      }
      try check(account.server?.host, "server", of: account)
      try check(account.proxy?.server.host, "proxy", of: account)
    }
    for socket in configuration.sockets {
      for recipient in socket.recipients where (try? JID(typed: recipient)) == nil {
        throw ConfigurationProblem(
          description: "[socket \(socket.name ?? "")] to: expected a JID such as ops@example.org, found \(recipient)")
      }
    }
    for hook in configuration.hooks {
      for jid in hook.conversations where (try? JID(typed: jid)) == nil {
        throw ConfigurationProblem(
          description: "[hook \(hook.name)] in: expected bare JIDs such as bob@example.org, found \(jid)")
      }
    }
  }

  private static func check(
    _ host: String?, _ key: String, of account: AccountSettings
  ) throws(ConfigurationProblem) {
    do throws(DomainNameError) {
      _ = try host.map { (host) throws(DomainNameError) in try DomainName.ascii(host) }
    } catch {
      throw ConfigurationProblem(
        description: "[account \(account.name)] \(key): expected the name of a host: \(error.reason)")
    }
  }

  /// The answer to a client for which no descriptor is left.
  package static var turnedAwayLine: [UInt8] {
    RequestFailure(.limit, "the daemon has no descriptor left for another connection").line()
  }

  /// Makes the accounts what the configuration says.
  func configure(_ configuration: Configuration) {
    self.configuration = configuration
    var kept: [Account] = []
    let known = accounts.alive
    for settings in configuration.accounts {
      if let same = accounts.all.first(where: { $0.settings == settings }) {
        kept.append(same)
      } else if let account = takeUp(settings, among: known) {
        kept.append(account)
      }
    }
    let gone = known.filter { account in !kept.contains { $0 === account } }
    for account in gone { account.retire() }
    accounts.all = kept
    accounts.retired = gone
    clients.configure(configuration)
    for account in kept { account.start() }
    tellOfAccountsLeftOut()
  }

  /// The account of a new or changed section. An account with the same JID is reused with its state.
  private func takeUp(_ settings: AccountSettings, among known: [Account]) -> Account? {
    guard let address = try? settings.address else {
      effects.journal(
        .error, "account \(settings.name): \(settings.jid) is not a bare JID of an account",
        about: JournalFields(account: settings.name))
      return nil
    }
    let state = accountState(settings, address.bare.description)
    let resource = address.resource ?? stableResource()
    if let same = known.first(where: { $0.state === state }) {
      same.reconfigure(settings, resource: resource)
      return same
    }
    return Account(settings: settings, jid: address.bare, state: state, resource: resource, effects, storage, decisive)
  }

  /// The account's state; a JID seen for the first time gets a number, in a record that comes before all others of that
  /// account, and a section that was renamed keeps the one that it had. An account that began when JIDs were prepared
  /// by PRECIS alone is called in the log what it was then.
  private func accountState(_ settings: AccountSettings, _ jid: String) -> AccountState {
    let name = settings.name
    let known = knownState(name, jid) ?? knownState(name, spelledBefore: settings.jid)
    let jid = known?.record.jid ?? jid
    if let known, known.record.name == name, known.record.jid == jid { return known }
    let record = AccountRecord(number: known?.number ?? state.accounts.freeNumber, name: name, jid: jid)
    storage.appendUrgently(.account(record))
    // A name that changes does so when its record is durable, as a checkpoint says it until then.
    if let known { return known }
    storage.undeclared.insert(record.number)
    state.apply(.account(record), sequence: 0, location: 0)
    return state.accounts.account(record.number)
  }

  /// The log's state of the account of a section that was made when JIDs were prepared by PRECIS alone.
  private func knownState(_ name: String, spelledBefore jid: String) -> AccountState? {
    (try? JID(typed: jid, spelling: .precis)).flatMap { knownState(name, $0.bare.description) }
  }

  /// The log's state of the account of a section, which may have had another name before.
  private func knownState(_ name: String, _ jid: String) -> AccountState? {
    let known = state.accounts.account(name, jid) { other in
      configuration.accounts.contains { $0.name == other && (try? $0.address.bare.description) == jid }
    }
    if let old = known?.record.name, !old.isEmpty, old != name {
      effects.journal(
        .info, "account \(name) continues account \(old)", about: JournalFields(account: name, jid: jid))
    }
    return known
  }

  /// Tells of accounts of the log that are in no section of the configuration, where that may not be meant: messages
  /// wait in them, or one of the same JID has begun without them.
  private func tellOfAccountsLeftOut() {
    for left in state.accounts.all
    where !left.record.jid.isEmpty && accounts.numbered(left.number) == nil {
      let (waiting, jid) = (left.outbox.count + left.outbox.held.count, left.record.jid)
      let isOfNewOne = accounts.all.contains { $0.jid.description == jid && storage.undeclared.contains($0.number) }
      guard waiting > 0 || isOfNewOne else { continue }
      effects.journal(
        .warning,
        "account \(left.label) of the log (\(jid)) is not in the configuration: "
          + "\(waiting) message\(waiting == 1 ? " waits" : "s wait") in it to be sent, and its history is not shown; "
          + "add a section with its name and JID to continue it",
        about: JournalFields(account: left.label, jid: jid))
    }
  }

  /// Tells of histories of which nobody knows whose they are.
  func reportUnknownAccounts() {
    for account in state.accounts.unknown {
      effects.journal(
        .error,
        "the log is damaged: the owner of account \(account.label) is unknown; its history is kept but hidden, and `confab log export` "
          + "shows it: see REPAIR, \"A damaged log\"")
    }
  }

  /// A resource of this log: random to others, the same at each start.
  private func stableResource() -> String { "confab-" + log.description.filter { $0 != "-" }.prefix(8) }

  func configurationRead(_ outcome: ConfigurationOutcome) {
    switch outcome {
    case .refused(let reason):
      effects.journal(.error, "rejected the new configuration: \(reason)")
      clients.reloaded(.failure(ReloadFailure(reason: reason)))
    case .read(let read):
      let old = configuration
      let changes = ConfigurationChanges(from: old, to: read)
      var new = read
      // These stay what they are until the next start.
      (new.daemon.socket, new.daemon.data) = (old.daemon.socket, old.daemon.data)
      if new.daemon.logLevel != old.daemon.logLevel { effects.act(.logLevel(new.daemon.logLevel)) }
      if new.daemon.dnsServers != old.daemon.dnsServers { effects.act(.refreshNames) }
      if replay == nil {
        configure(new)
        if new.daemon.snapInterval != state.accounts.gap { changeGap(new.daemon.snapInterval) }
      } else {
        configuration = new
        clients.configure(new)
      }
      effects.journal(.info, "reloaded the configuration")
      clients.reloaded(.success(changes))
      reportServiceStatus()
    }
  }

  private func changeGap(_ gap: Interval) {
    state.accounts.changeGap(gap)
    for account in state.accounts.all {
      for jid in account.conversations.jids.sorted() {
        effects.publish(.sections(account: account.number, conversation: jid))
      }
    }
  }
}
