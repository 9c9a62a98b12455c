package import ConfabConfiguration
package import Records
import State

/// Decides which conversations are encrypted: by command, else by the setting of the account. From the first encrypted message
/// on, either way, nothing goes in plain text by itself.
package final class EncryptionPolicies {
  enum Decision {
    /// Encrypted, or not at all.
    case required
    /// Encrypted where the contact has devices.
    case open
    case never
  }

  private let state: AccountState
  private let storage: Storage
  package var setting = EncryptionSetting.auto
  /// True of a room that is for members only and shows them to each other; nil: there is no such room.
  var isPrivateRoom: (String) -> Bool? = { _ in nil }
  /// True of a room that is for members only; nil: there is no such room.
  var isForMembers: (String) -> Bool? = { _ in nil }

  init(_ state: AccountState, _ storage: Storage) { (self.state, self.storage) = (state, storage) }

  private func record(_ jid: String) -> EncryptionRecord {
    storage.pending.encryption(of: jid, state.number) ?? state.encryption[jid]
      ?? EncryptionRecord(account: state.number, jid: jid)
  }

  /// The policy that holds for a conversation. Only a room whose members are known has the setting of the account by
  /// itself, or one in which something was encrypted before.
  package func policy(of jid: String) -> EncryptionPolicy {
    let record = record(jid)
    if let policy = record.policy { return policy }
    if isPrivateRoom(jid) == false, !record.isEncrypted { return .never }
    return switch setting {
    case .auto: .auto
    case .always: .always
    case .never: .never
    }
  }

  /// True if a message of the conversation was encrypted.
  package func isEncrypted(_ jid: String) -> Bool { record(jid).isEncrypted }

  /// Sets the policy of a conversation; returns the record's number.
  package func set(_ policy: EncryptionPolicy, of jid: String) -> UInt64 {
    var record = record(jid)
    record.policy = policy
    return storage.appendUrgently(.encryption(record))
  }

  /// True if a message that cannot be read makes its conversation an encrypted one. Anybody can write such a message in a
  /// room that is open.
  func countsUnreadable(in jid: String) -> Bool { isForMembers(jid) ?? true }

  /// A message of the conversation is encrypted. Said before the message is stored: behind a crash the next one must not
  /// go in plain text.
  func noteEncrypted(_ jid: String) {
    var record = record(jid)
    guard !record.isEncrypted else { return }
    record.isEncrypted = true
    storage.append(.encryption(record))
  }

  func decision(for message: MessageRecord) -> Decision {
    switch message.details?.seal?.wish {
    case .some(.required): return .required
    case .some(MessageSeal.Wish.none): return .never
    case .some(.open), nil: break
    }
    switch policy(of: message.jid) {
    case .always: return .required
    case .never: return .never
    case .auto: return isEncrypted(message.jid) || message.hasSealedFiles ? .required : .open
    }
  }
}
