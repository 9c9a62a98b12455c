import Bytes
import Clocks
import ConfabAccounts
import ConfabConfiguration
import JSON
import LineProtocol
import Records
import State
import XMPPCore

/// `encrypt`, `devices`, `trust` and others: the encryption end to end (XEP-0384).
extension Command {
  static let encryption: [Verb: Handler] = [
    .encrypt: { try $0.encrypt() },
    .devices: { try $0.listDevices() },
    .trust: { command in
      try command.decide(command.request.string(.verified) == nil ? .trusted : .verified)
    },
    .distrust: { try $0.decide(.distrusted) },
    .fingerprint: { try $0.fingerprint() },
    .verify: { try $0.verify() },
    .deviceRemove: { try $0.removeDevice() },
    .sessionReset: { try $0.resetSessions() },
  ]

  private func encrypt() throws(RequestFailure) {
    let account = try account()
    let jid = try bareJID()
    let encryption = account.parts.messaging.encryption
    guard let word = request.string(.policy), let policy = EncryptionPolicy.allCases.first(where: { $0.word == word })
    else {
      encryption.look(at: jid)
      return answer(request.answer(encryption.state(of: jid)))
    }
    guard client.socket.rights == .full else {
      throw RequestFailure(.notAllowed, "this socket may not change the encryption", argument: "policy")
    }
    if policy != .never, jid.contains("/") { throw Self.privateMessages("policy") }
    try context.checkStorage()
    let sequence = encryption.policies.set(policy, of: jid)
    answer(whenDurable: sequence, then: .encryption(account: account.number, jid))
  }

  private func listDevices() throws(RequestFailure) {
    let jid = request.string(.jid) == nil ? nil : try self.jid().bare
    var accounts = try context.accounts(of: request)
    if jid != nil { accounts = [try account()] }
    if request.string(.refresh) != nil {
      let account = try account()
      try context.checkOnline(account)
      return account.parts.messaging.encryption.refresh((jid ?? account.jid).description, for: lateTicket())
    }
    answer(
      accounts.flatMap { account in
        let jid = (jid ?? account.jid).description
        return account.parts.messaging.encryption.people(of: jid).flatMap { request.devices(of: $0, account) }
      } + request.ok())
  }

  private func decide(_ trust: DeviceTrust) throws(RequestFailure) {
    let digits = (request.list(.fingerprint) ?? []).joined().lowercased().filter { $0 != ":" }
    try decide(trust, about: try identity(digits, "fingerprint"), of: try jid().bare.description, try account())
  }

  private func decide(
    _ trust: DeviceTrust, about identity: [UInt8], of jid: String, _ account: Account
  ) throws(RequestFailure) {
    try context.checkStorage()
    answer(whenDurable: account.parts.messaging.encryption.decide(trust, about: identity, of: jid))
  }

  private func identity(_ digits: String, _ argument: String) throws(RequestFailure) -> [UInt8] {
    guard digits.utf8.count == 64, let bytes = Hex.decode(digits) else {
      throw RequestFailure(.badArgument, "a fingerprint has 64 hexadecimal digits", argument: argument)
    }
    return bytes
  }

  private func fingerprint() throws(RequestFailure) {
    let account = try account()
    guard let this = account.parts.messaging.encryption.devices.this else {
      if account.settings.encryption == .never {
        throw RequestFailure(.notSupported, "encryption is switched off for the account")
      }
      throw RequestFailure(.notFound, "this device has no keys yet: it makes them at its first login")
    }
    let digits = Hex.encode(this.identity)
    answerOK {
      $0.member("fingerprint", digits)
      $0.member("device", UInt64(this.id))
      $0.member("uri", "xmpp:\(account.jid)?omemo-sid-\(this.id)=\(digits)")
    }
  }

  private func verify() throws(RequestFailure) {
    let uri = request.string(.uri) ?? ""
    let jid = try context.jid(AddressURI.address(in: uri), "uri").bare.description
    let query = uri.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let keys = query.split(separator: ";").filter { $0.hasPrefix("omemo-sid-") }
    guard !keys.isEmpty else {
      throw RequestFailure(.badArgument, "the address has no identity keys", argument: "uri")
    }
    var identities: [[UInt8]] = []
    for key in keys {
      let number = key.dropFirst("omemo-sid-".count).prefix { $0 != "=" }
      guard let id = UInt32(number), id > 0, id < DeviceRecord.firstUnseen else {
        throw RequestFailure(.badArgument, "'\(number)' is not the number of a device", argument: "uri")
      }
      identities.append(try identity(key.split(separator: "=").last.map { $0.lowercased() } ?? "", "uri"))
    }
    let account = try account()
    try context.checkStorage()
    var last: UInt64 = 0
    for identity in identities {
      last = account.parts.messaging.encryption.decide(.verified, about: identity, of: jid)
    }
    answer(whenDurable: last)
  }

  private func device() throws(RequestFailure) -> UInt32? {
    guard let number = request.id(.id) else { return nil }
    guard let id = UInt32(exactly: number), id > 0, id < DeviceRecord.firstUnseen else {
      throw RequestFailure(.badArgument, "'\(number)' is not the number of a device", argument: "id")
    }
    return id
  }

  private func removeDevice() throws(RequestFailure) {
    let account = try account()
    guard let id = try device() else { return }
    try context.checkOnline(account)
    account.parts.messaging.encryption.remove(id, for: ticket())
  }

  private func resetSessions() throws(RequestFailure) {
    try context.checkStorage()
    let (account, jid, id) = (try account(), try jid().bare.description, try device())
    guard let sequence = account.parts.messaging.encryption.resetSessions(jid, id) else {
      throw RequestFailure(.notFound, "there is no session with such a device", argument: id == nil ? "jid" : "id")
    }
    answer(whenDurable: sequence)
  }

  /// The encryption that a request wants for its message; nil: what holds for the conversation.
  func encryptionWish(_ to: JID, _ account: Account) throws(RequestFailure) -> MessageSeal.Wish? {
    let isPrivate = account.room(to.bare) != nil && !to.isBare
    let wish = request.string(.encrypt).map { $0 == "yes" }
    if client.socket.encryption == .always, wish == false {
      throw RequestFailure(.notAllowed, "this socket encrypts all that it sends", argument: "encrypt")
    }
    let fixed = client.socket.encryption.map { $0 == .always } ?? wish
    guard let fixed else { return nil }
    if fixed, isPrivate {
      throw Self.privateMessages("encrypt")
    }
    let policy = account.parts.messaging.encryption.policies.policy(of: to.bare.description)
    if !fixed, policy == .always, !isPrivate, client.socket.encryption == nil {
      throw RequestFailure(.notAllowed, "the conversation is always encrypted", argument: "encrypt")
    }
    return fixed ? .required : MessageSeal.Wish.none
  }

  private static func privateMessages(_ argument: String) -> RequestFailure {
    RequestFailure(.notSupported, "messages to one occupant are not encrypted", argument: argument)
  }

  /// The place of a message of mine; of one that `send` stores with what is wanted of its encryption.
  func place(of message: MessageRecord, _ account: Account) -> MessagePlace {
    var place = MessagePlace(message)
    if request.verb == .send { place.encryption = wantedEncryption(of: message, account) }
    return place
  }

  func wantedEncryption(of message: MessageRecord, _ account: Account) -> MessageSeal.Wish {
    guard message.kind != .occupant else { return .none }
    if let wish = message.details?.seal?.wish { return wish }
    return switch account.parts.messaging.encryption.policies.policy(of: message.jid) {
    case .always: .required
    case .auto: .open
    case .never: .none
    }
  }
}

extension MessageRecord {
  /// Sets what is wanted of its encryption; nil: what holds for the conversation.
  mutating func want(_ wish: MessageSeal.Wish?) {
    guard let wish else { return }
    var details = details ?? MessageDetails()
    details.seal = MessageSeal(wish: wish)
    self.details = details
  }
}

extension Request {
  func answer(_ state: Encryption.State) -> [UInt8] {
    ok {
      $0.member("encrypt", state.policy.word)
      $0.member("active", state.isActive)
      $0.member("reason", state.reason)
      $0.member("devices", state.devices)
      $0.member("usable", state.usable)
    }
  }

  /// The devices of somebody, a line each.
  func devices(of jid: String, _ account: Account) -> [UInt8] {
    let encryption = account.parts.messaging.encryption
    return encryption.devices.all(of: jid).filter(\.isDevice).flatMap { device in
      data("device") { device.write(encryption, into: &$0) }
    }
  }
}

extension DeviceRecord {
  /// Writes the members of a device (docs/PROTOCOL.md, "device").
  func write(_ encryption: Encryption, into writer: inout JSONWriter) {
    writer.member("jid", jid)
    writer.member("id", UInt64(id))
    if let label { writer.member("label", label) }
    if !identity.isEmpty { writer.member("fingerprint", Hex.encode(identity)) }
    writer.member("trust", plain: encryption.devices.word(self))
    writer.array("versions") {
      if lists.contains(.legacy) { $0.value("0.3") }
      if lists.contains(.omemo2) { $0.value("2") }
    }
    writer.member("active", !lists.isEmpty)
    writer.member("session", isBroken ? "broken" : encryption.hasSession(self) ? "ok" : "none")
    if lastSeen > 0 { writer.member("last_seen", Timestamp(milliseconds: lastSeen)) }
    if !log.isEmpty { writer.member("this", true) }
  }
}
