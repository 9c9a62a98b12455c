package import ConfabClient

/// A pop-up about the encryption of a conversation.
package enum DevicePopup: Equatable, Sendable {
  /// The devices of a contact and how the conversation is encrypted, or my own devices.
  case list(ConversationKey)
  /// One of them.
  case device(ConversationKey, UInt32)
  /// When messages are encrypted.
  case policy(ConversationKey)

  /// - Parameter name: how the other side of a conversation is called.
  func title(_ name: (ConversationKey) -> String) -> String {
    switch self {
    case .list(let key): "Devices of \(name(key)) that encrypt"
    case .device(let key, let id): "Device \(id) of \(name(key))"
    case .policy(let key): "Messages to \(name(key)) are encrypted"
    }
  }
}
