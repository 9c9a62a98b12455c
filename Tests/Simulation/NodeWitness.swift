import Bytes
import Records

/// Nicknames and avatars by the durable records.
final class NodeWitness {
  struct Key: Hashable {
    let account: UInt32
    let jid: String

    init(account: UInt32, jid: String) { (self.account, self.jid) = (account, jid) }

    init(_ message: MessageRecord) { self.init(account: message.account, jid: message.jid) }
  }

  private(set) var nicknames: [Key: String] = [:]
  /// Hashes in hexadecimal digits; empty: there is none.
  private(set) var avatars: [Key: String] = [:]

  func note(_ nickname: NicknameRecord) {
    nicknames[Key(account: nickname.account, jid: nickname.jid)] = nickname.nickname
  }

  func note(_ avatar: AvatarRecord) {
    avatars[Key(account: avatar.account, jid: avatar.jid)] = Hex.encode(avatar.hash)
  }
}
