import ConfabAccounts
import Clocks
import LineProtocol
import Records
import ConfabConfiguration
import XMPPCore

/// A socket that front ends come by, as the configuration has it now; all its connections share it, and its rate.
final class ServedSocket {
  /// The section's name; nil for the main socket.
  let name: String?
  let rights: Rights
  /// Overrides the encryption of what is sent by it.
  private(set) var encryption: EncryptionSetting?
  private(set) var access: SocketAccess
  /// The names of the accounts that may be used; empty: all.
  let accounts: [String]
  private var recipients: [JID]
  private var rate: SendRate?
  private var limiter: RateLimiter?

  init(_ settings: SocketSettings) {
    name = settings.name
    rights = Rights(settings.rights)
    encryption = settings.encryption == .auto ? nil : settings.encryption
    encryption = settings.encryption == .auto ? nil : settings.encryption
    (access, accounts) = (settings.access, settings.accounts)
    recipients = Self.recipients(settings)
    limit(to: settings.rate)
  }

  /// Takes what changed; what was sent still counts where the rate is the same.
  func update(_ settings: SocketSettings) {
    (access, encryption) = (settings.access, settings.encryption == .auto ? nil : settings.encryption)
    recipients = Self.recipients(settings)
    if settings.rate != rate { limit(to: settings.rate) }
  }

  private func limit(to rate: SendRate?) {
    self.rate = rate
    limiter = rate.map { RateLimiter(of: Int($0.count), each: $0.interval) }
  }

  /// The request as one for an account of this socket; refused if it is for another one, or could be for several.
  func confined(_ request: Request, to all: Accounts) throws(RequestFailure) -> Request {
    guard !accounts.isEmpty, ![.ping, .help, .version, .quit].contains(request.verb) else { return request }
    if let name = request.account {
      guard let account = all.named(name), accounts.contains(account.name) else {
        throw RequestFailure(.notAllowed, "this socket may not use the account \(name)", argument: "account")
      }
      return request
    }
    guard accounts.count == 1 else {
      throw RequestFailure(
        .accountNeeded,
        "this socket may use several accounts (\(accounts.joined(separator: ", "))): choose one with "
          + "account=", argument: "account")
    }
    var request = request
    request.account = accounts[0]
    return request
  }

  /// Refuses a recipient that this socket may not write to. A bare JID that is listed allows all its resources.
  func check(recipient: JID) throws(RequestFailure) {
    guard !recipients.isEmpty, !recipients.contains(recipient), !recipients.contains(recipient.bare) else { return }
    throw RequestFailure(.notAllowed, "this socket may not write to \(recipient)", argument: "to")
  }

  /// Counts a message to be sent, or refuses it because there were too many.
  func countMessage(at now: Instant) throws(RequestFailure) {
    guard let rate, let wait = limiter?.wait(toTake: 1, at: now) else { return }
    var failure = RequestFailure(
      .limit, "this socket has reached its rate of \(rate): nothing was stored; try again in \(wait)")
    failure.retryAfter = wait
    throw failure
  }

  /// True if this socket may see a message of mine: one with the right `send` sees only its own messages.
  func mayFollow(_ message: MessageRecord) -> Bool {
    rights != .send || message.sender.map { $0.socket == name } ?? false
  }

  /// In each spelling that `send` may make of them.
  private static func recipients(_ settings: SocketSettings) -> [JID] {
    settings.recipients.flatMap { text in
      let typed = try? JID(typed: text)
      return [typed].compactMap(\.self) + JID.otherSpellings(ofTyped: text, than: typed)
    }
  }
}

extension Rights {
  fileprivate init(_ rights: SocketRights) {
    switch rights {
    case .full: self = .full
    case .send: self = .send
    case .read: self = .read
    }
  }
}
