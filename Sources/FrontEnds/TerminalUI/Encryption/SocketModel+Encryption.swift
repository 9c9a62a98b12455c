package import ConfabClient
import JSON
import LineProtocol

/// Asks how conversations are encrypted and for devices, and takes their events.
extension SocketModel {
  /// True of a conversation that can be encrypted: one with a person, or a room.
  func mayBeEncrypted(_ key: ConversationKey) -> Bool { !key.isPrivate }

  /// The conversation-like key of my own devices, in the account of a conversation.
  func ownDevices(of account: String) -> ConversationKey? {
    let row = accounts.first { $0.name == account } ?? accounts.first
    return row.map { ConversationKey(account: account, jid: $0.jid) }
  }

  /// True if the devices are mine.
  func isOwn(_ key: ConversationKey) -> Bool {
    accounts.contains { $0.jid == key.jid && (key.account.isEmpty || key.account == $0.name) }
  }

  /// Asks whether messages of a conversation are encrypted.
  mutating func askEncryption(of key: ConversationKey) {
    guard mayBeEncrypted(key), !questions.contains(.encryption(key)) else { return }
    ask(Request(.encrypt, arguments: [.jid: .string(key.jid)], account: key.accountName), .encryption(key))
  }

  /// Asks again for each open conversation that an account's news may concern.
  mutating func askEncryption() { for key in windows.keys { askEncryption(of: key) } }

  /// - Parameter isFresh: the daemon asks the server first.
  package mutating func askDevices(of key: ConversationKey, isFresh: Bool = false) {
    var request = Request(.devices, arguments: [.jid: .string(key.jid)], account: key.accountName)
    if isFresh { request.options[.refresh] = .string("yes") }
    encryption.devices[key, default: .init()].giveUp()
    ask(request, .devices(key, isFresh: isFresh))
  }

  // MARK: Answers and events

  mutating func takeEncryption(_ answer: JSONValue, of key: ConversationKey) {
    encryption.states[key] = EncryptionState(answer)
  }

  mutating func takeDevice(_ object: JSONValue) -> [ModelEvent] {
    guard let key = key(of: object, "jid"), let row = object["device"].flatMap(DeviceRow.init) else { return [] }
    if encryption.devices[key] != nil { askDevices(of: key) }
    defer { isOwn(key) ? askEncryption() : askEncryptionIfOpen(key) }
    guard let sentence = sentence(about: row, object["change"]?.string ?? "", key) else { return [] }
    if windows[key] != nil { encryption.note(sentence, of: key) }
    return [.device(key, sentence)]
  }

  private mutating func askEncryptionIfOpen(_ key: ConversationKey) {
    if windows[key] != nil { askEncryption(of: key) }
  }

  /// Words for what a person should know; nil: it is nothing to look at. The first devices of a contact are none: they
  /// are what encryption begins with.
  private func sentence(about row: DeviceRow, _ change: String, _ key: ConversationKey) -> String? {
    let isMine = isOwn(key)
    let owner = isMine ? "You have" : "\(name(of: key)) has"
    let device = row.label.isEmpty ? "\(row.id)" : "\(row.label) (\(row.id))"
    switch change {
    case "new" where isMine || (encryption.states[key]?.deviceCount ?? 0) > 0:
      return "\(owner) a new device: \(device)."
    case "key-changed":
      let whose = isMine ? "your device" : "\(name(of: key))'s device"
      return "Another key was published for \(whose) \(device). Nothing is encrypted to that key."
    case "trust" where row.trust == .undecided:
      return "\(owner) a device that is undecided: nothing is encrypted to \(device) until you trust it."
    default: return nil
    }
  }
}
