import Bytes
import Conversations
import Records

// What a checkpoint says of conversations that are not in memory: field 1 the account, 2 how many of their messages nobody
// has read, 3 (many) a run.
extension State {
  func writeEvicted(_ account: AccountState, unread: Int, into writer: inout FieldWriter) {
    guard let evicted = account.conversations.evicted, !evicted.isEmpty else { return }
    writer.message(Field.evicted) {
      $0.uint(1, UInt64(account.number))
      $0.uint(2, UInt64(max(0, unread)))
      evicted.runs.write(3, into: &$0)
    }
  }

  func readEvicted(_ reader: inout FieldReader) throws(FieldError) {
    var (account, unread): (UInt32, Int) = (0, 0)
    var runs: [Run] = []
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: unread = Int(clamping: try reader.uint())
      case 3: runs.append(try reader.message { inner throws(FieldError) in try Run.read(&inner) })
      default: break
      }
    }
    guard let conversations = accounts[account]?.conversations else { return }
    guard let evicted = conversations.evicted else { throw .malformed }
    evicted.runs.restore(runs)
    conversations.unread += unread
  }
}
