import Facts
import Records

/// What front ends had appended and no sync covers yet, as far as the next request has to know of it: the facts say
/// nothing of it, and a crash could still take it back.
struct UnderWay {
  /// An account and a conversation's JID in it.
  private struct Name: Hashable {
    let account: UInt32
    let name: String
  }

  /// An idempotency key, of an account and the `[socket NAME]` section by which it came.
  private struct Key: Hashable {
    let account: UInt32
    let socket: String?
    let key: String
  }

  private var keys: [Key: UInt64] = [:]
  private var wishes: [UInt32: (sequence: UInt64, wish: AccountWish)] = [:]
  /// Positions of named cursors; nil: forgotten.
  private var cursors: [String: (sequence: UInt64, position: UInt64?)] = [:]
  private var reads: [Name: (sequence: UInt64, place: Conversation.Place)] = [:]

  /// Nothing is under way whose asker may have gone.
  var isEmpty: Bool { keys.isEmpty && wishes.isEmpty && cursors.isEmpty && reads.isEmpty }

  /// A record was appended for a front end.
  mutating func note(_ record: Record, sequence: UInt64) {
    switch record {
    case .message(let message):
      guard let key = message.key else { break }
      keys[Key(account: message.account, socket: message.sender?.socket, key: key)] = sequence
    case .wish(let wish): wishes[wish.account] = (sequence, wish)
    case .read(let read):
      reads[Name(account: read.account, name: read.jid)] = (sequence, Conversation.Place(read))
    case .cursor(let cursor): cursors[cursor.name] = (sequence, cursor.position)
    default: break
    }
  }

  /// A message with this idempotency key is on its way to the disk.
  func hasKey(_ key: String, of account: UInt32, _ socket: String?) -> Bool {
    keys[Key(account: account, socket: socket, key: key)] != nil
  }

  /// What the user will have wished last.
  func wish(of account: UInt32) -> AccountWish? { wishes[account]?.wish }

  /// Where the read position is going, and the record that moves it.
  func read(of account: UInt32, _ jid: String) -> (sequence: UInt64, place: Conversation.Place)? {
    reads[Name(account: account, name: jid)]
  }

  /// Where a named cursor will be, and the record that puts it there.
  func cursor(_ name: String) -> (sequence: UInt64, position: UInt64?)? { cursors[name] }

  var cursorCount: Int { cursors.count }

  /// Everything up to this number has become facts.
  mutating func settle(durable: UInt64) {
    if !keys.isEmpty { keys = keys.filter { $0.value > durable } }
    if !wishes.isEmpty { wishes = wishes.filter { $0.value.sequence > durable } }
    if !cursors.isEmpty { cursors = cursors.filter { $0.value.sequence > durable } }
    if !reads.isEmpty { reads = reads.filter { $0.value.sequence > durable } }
  }
}
