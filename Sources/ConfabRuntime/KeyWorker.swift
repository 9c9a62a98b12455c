import Bytes
import ConfabEngine
import Crypto
import Reactor
import SASL
import Settings
import Syscalls

/// Makes of passwords what logins need, off the loop, whatever iteration count a server asks for. Passwords are read here, anew for
/// each login, and go nowhere else; nothing is kept between logins.
final class KeyWorker {
  private let worker: WorkerThread
  private let results: Mailbox<(LinkID, Derived)>

  init(loop: EventLoop, onResult: @escaping (LinkID, Derived) -> Void) throws(Errno) {
    worker = try WorkerThread(name: "keys")
    results = loop.makeMailbox { onResult($0.0, $0.1) }
  }

  /// Makes what the login of a link's account needs; the result comes as an event.
  func derive(_ request: CredentialRequest, for link: LinkID, account: AccountSettings?) {
    let results = results
    do throws(Errno) {
      try worker.run { results.send((link, Self.derive(request, account))) }
    } catch {
      results.send((link, .failed("the password could not be used: \(error)")))
    }
  }

  private static func derive(_ request: CredentialRequest, _ account: AccountSettings?) -> Derived {
    guard let account else { return .failed("the account is no longer in the configuration") }
    do {
      let password = try account.password(files: RealSettingsFiles())
      return .credential(try request.credential(from: password.bytes))
    } catch {
      return .failed("\(error)")
    }
  }
}
