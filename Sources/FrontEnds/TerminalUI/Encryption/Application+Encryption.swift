import ConfabClient
import LineProtocol

/// Pop-ups about encryption.
extension Application {
  /// Opens the devices of the conversation that is open, or at the cursor.
  func pushDevices() {
    guard let key = screen.concerned else { return pushOwnDevices() }
    guard model.mayBeEncrypted(key) else { return say("Messages to one occupant are not encrypted.") }
    push(.device(.list(key)))
  }

  func pushOwnDevices() {
    guard let key = model.ownDevices(of: newAccount) else { return say("No account is configured.") }
    push(.device(.list(key)))
  }

  /// Asks for devices that a pop-up shows; the news of them are looked at by that.
  func lookAtDevices(of key: ConversationKey) {
    model.encryption.forgetNews(of: key)
    model.askDevices(of: key)
    if !model.isOwn(key) { model.askEncryption(of: key) }
  }

  func verify(_ text: String, _ key: ConversationKey) {
    let request = Request(.verify, arguments: [.uri: .string(text.trimmingSpaces)], account: key.accountName)
    model.command(request, "verify the keys in the address")
  }

  /// Says what is new of somebody's devices, unless it is in the open conversation.
  func tellDevice(_ key: ConversationKey, _ sentence: String) {
    guard screen.panes[key] == nil else { return }
    say("\(sentence) \(appearance.keyName(.devices)) shows the devices.")
  }
}
