package import ConfabClient
import JSON

/// The encryption of a conversation, as the daemon says it (`encrypt`).
package struct EncryptionState: Equatable, Sendable {
  /// `auto`, `always` or `never`.
  package let policy: String
  /// True if the next message will be encrypted, as far as is known.
  package let isActive: Bool
  /// A few words for people; not cleaned.
  package let reason: String
  /// The devices of the contact, and those of them that messages are encrypted to.
  package let deviceCount: Int
  package let usableCount: Int

  init?(_ answer: JSONValue) {
    guard let policy = answer["encrypt"]?.string, let isActive = answer["active"]?.bool else { return nil }
    (self.policy, self.isActive) = (policy, isActive)
    reason = answer["reason"]?.string ?? ""
    deviceCount = Int(clamping: answer["devices"]?.integer ?? 0)
    usableCount = Int(clamping: answer["usable"]?.integer ?? 0)
  }

  /// True if the next message fails, or some devices cannot read it.
  var hasTrouble: Bool { isActive && usableCount < max(1, deviceCount) }

  var word: String { isActive ? "encrypted" : "not encrypted" }

  /// `encrypted: some devices of the contact are left out`
  var words: String { reason.isEmpty ? word : "\(word): \(ShownLine.clean(reason, limit: 120))" }
}

/// The encryption as far as the UI knows it.
package struct EncryptionBook {
  /// Devices of one owner.
  package struct Devices {
    /// This device first, then those that are listed.
    package private(set) var rows: [DeviceRow] = []
    package private(set) var isLoaded = false
    private var incoming: [DeviceRow] = []

    mutating func receive(_ row: DeviceRow) { incoming.append(row) }

    mutating func finish() {
      rows = incoming.sorted {
        ($0.isThis ? 0 : $0.isActive ? 1 : 2, $0.id) < ($1.isThis ? 0 : $1.isActive ? 1 : 2, $1.id)
      }
      (incoming, isLoaded) = ([], true)
    }

    mutating func giveUp() { incoming = [] }
  }

  /// The states of conversations that are or were open.
  package internal(set) var states: [ConversationKey: EncryptionState] = [:]
  /// Devices by their owner, as pop-ups have asked for them.
  package internal(set) var devices: [ConversationKey: Devices] = [:]
  /// Sentences about devices in an open conversation, until somebody looks at its devices.
  package private(set) var news: [ConversationKey: [String]] = [:]

  /// Sentences that are kept of a conversation.
  private static let mostNews = 3

  mutating func note(_ sentence: String, of key: ConversationKey) {
    news[key] = Array(((news[key] ?? []).filter { $0 != sentence } + [sentence]).suffix(Self.mostNews))
  }

  mutating func forgetNews(of key: ConversationKey) { news[key] = nil }

  /// The connection is gone.
  mutating func giveUp() { for key in devices.keys { devices[key]?.giveUp() } }
}
