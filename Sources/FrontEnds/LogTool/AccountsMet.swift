import Bytes
import State
import MessageLog
import Records

/// The accounts that a log's records are of, and those of which it says whose they are.
struct AccountsMet {
  private var met: Set<UInt64> = []
  private var known: Set<UInt64> = []
  /// The account of the last record, which mostly has the next one, too.
  private var last: UInt64?

  /// The met accounts that the log does not know, by number.
  var unknown: [UInt64] { met.subtracting(known).sorted() }

  init(readingAllOf storage: any LogStorage) throws(RecoveryError) {
    var recovery = try Recovery(readingAllOf: storage)
    _ = try recovery.run { note($0) }
  }

  private mutating func note(_ frame: borrowing LogFrame) {
    guard let account = Self.account(of: frame) else { return }
    if account != last { met.insert(account) }
    last = account
    if Self.saysWhose(frame) { known.insert(account) }
  }

  /// Field 1, which comes first, or where fields lead, behind the time.
  private static func account(of frame: borrowing LogFrame) -> UInt64? {
    let kind = frame.kind
    return frame.withFields(RecordKind.leadingFields(of: kind)) { reader in
      for _ in 0..<2 { if (try? reader.next()) == 1 { return try? reader.uint() } }
      return kind == RecordKind.message.rawValue ? UInt64(MessageRecord.usualAccount) : nil
    }
  }

  private static func saysWhose(_ frame: borrowing LogFrame) -> Bool {
    guard [RecordKind.account, .stream].contains(where: { $0.rawValue == frame.kind }) else { return false }
    return switch Record(reading: frame) {
    case .account(let record): !record.jid.isEmpty
    case .stream(let stream): stream.beginning?.jid.isEmpty == false
    default: false
    }
  }
}
