import ConfabAccounts
import Reactor
import SASL
import ConfabConfiguration
import Syscalls

/// Makes of passwords what logins need, off the loop, whatever iteration count a server asks for and however long a
/// password command takes. Each account has a queue of its own, so none waits for another's command.
///
/// A password is read here, when it is needed because no key is kept, and goes nowhere else.
final class KeyWorker {
  private struct Account {
    let jobs: JobQueue
    let commands = RealPasswordCommands()
    var settings: AccountSettings
    /// Another object once these are forgotten: what is being derived meanwhile is kept nowhere.
    var keys = KeyCache()
  }

  private let results: Mailbox<(LinkID, Derived)>
  private var accounts: [String: Account] = [:]

  init(loop: EventLoop, onResult: @escaping (LinkID, Derived) -> Void) {
    results = loop.makeMailbox { onResult($0.0, $0.1) }
  }

  /// Makes what the login of a link's account needs; the result comes as an event.
  func derive(_ request: CredentialRequest, for link: LinkID, account settings: AccountSettings?) {
    let results = results
    guard let settings else { return results.send((link, .failed("the account was removed from the configuration"))) }
    do throws(Errno) {
      let account = account(settings)
      try account.jobs.run { [keys = account.keys, commands = account.commands] in
        let derived = keys.derived(request) { () throws(ConfigurationError) in
          try settings.password(files: RealSettingsFiles(), commands: commands)
        }
        results.send((link, derived))
      }
    } catch {
      results.send((link, .failed("the password could not be used: \(error)")))
    }
  }

  /// The password is to be read anew at the next login.
  func forget(_ account: String) { accounts[account]?.keys = KeyCache() }

  /// Forgets keys and passwords of accounts that are gone from the configuration, or changed in it, and ends their
  /// commands.
  func keep(only settings: [AccountSettings]) {
    for (name, account) in accounts where !settings.contains(account.settings) {
      account.commands.killAll()
      let new = settings.first { $0.name == name }
      accounts[name] = new.map { Account(jobs: account.jobs, settings: $0) }
    }
  }

  /// Ends the running commands without waiting for them.
  func stop() { accounts.values.forEach { $0.commands.killAll() } }

  private func account(_ settings: AccountSettings) -> Account {
    var account: Account
    if let known = accounts[settings.name] {
      account = known
      if account.settings != settings { account.keys = KeyCache() }
      account.settings = settings
    } else {
      account = Account(jobs: JobQueue(name: "keys"), settings: settings)
    }
    accounts[settings.name] = account
    return account
  }
}
