import ConfabClient
import LineProtocol

/// Commands about encryption, which concern the conversation that is open.
struct EncryptionCommand {
  let slash: SlashCommand

  /// Nil: the word is no such command, or the words behind it are the daemon's.
  func intent(_ word: String, _ rest: String) -> Intent? {
    switch word {
    case "encrypt": encrypt(rest)
    case "devices": devices(rest)
    case "fingerprint" where rest.isEmpty: .ownDevices
    default: nil
    }
  }

  /// Shows how the conversation is encrypted, or sets it; with another person's name, of that conversation.
  private func encrypt(_ rest: String) -> Intent? {
    let words = rest.split(separator: " ").map(String.init)
    guard let key = words.count > 1 ? slash.key(of: words[0]) : slash.conversation else {
      return .say(words.count > 1 ? "No contact is called \(words[0])." : "Open the conversation first.")
    }
    guard let policy = words.last else { return .popup(.device(.list(key))) }
    guard ["auto", "always", "never"].contains(policy) else { return .say("Type /encrypt and auto, always or never.") }
    return DeviceMenu.set(policy, key)
  }

  private func devices(_ rest: String) -> Intent? {
    if ["me", "mine"].contains(rest) { return .ownDevices }
    guard !rest.contains("=") else { return nil }
    guard let key = rest.isEmpty ? slash.conversation : slash.key(of: rest) else {
      return rest.isEmpty ? .ownDevices : .say("No contact is called \(rest).")
    }
    return .popup(.device(.list(key)))
  }
}
