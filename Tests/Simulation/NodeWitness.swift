import Bytes
import Records

/// What the durable records say of people: nicknames, avatars, and how far conversations are read.
final class NodeWitness {
  struct Key: Hashable {
    let account: UInt32
    let jid: String
  }

  private(set) var nicknames: [Key: String] = [:]
  /// Hashes in hexadecimal digits; empty: there is none.
  private(set) var avatars: [Key: String] = [:]
  /// The furthest position of each conversation, in milliseconds since 1970.
  private var furthest: [Key: Int64] = [:]
  /// Conversations whose position the user has moved back.
  private var movedBack: Set<Key> = []

  func note(_ nickname: NicknameRecord) {
    nicknames[Key(account: nickname.account, jid: nickname.jid)] = nickname.nickname
  }

  func note(_ avatar: AvatarRecord) {
    avatars[Key(account: avatar.account, jid: avatar.jid)] = Hex.encode(avatar.hash)
  }

  func note(_ read: ReadRecord) {
    let key = Key(account: read.account, jid: read.jid)
    furthest[key] = max(read.time, furthest[key] ?? .min)
    if read.movedBackAt != nil { movedBack.insert(key) }
  }

  /// Whether a message is read, or may have become unread by the user's word.
  func isRead(_ message: MessageRecord) -> Bool {
    let key = Key(account: message.account, jid: message.jid)
    return movedBack.contains(key) || furthest[key].map { $0 >= message.time } ?? false
  }
}
