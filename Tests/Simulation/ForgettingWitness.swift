import Clocks
import Records

/// Forgotten histories by the durable records (decisions 0030 and 0108).
final class ForgettingWitness {
  typealias Key = NodeWitness.Key

  private var forgettings: [Key: [(sequence: UInt64, record: ForgettingRecord)]] = [:]
  /// The conversations of records that are events, and the records of the messages that these are about.
  private var subjects: [UInt64: (key: Key, record: UInt64)] = [:]

  func note(_ record: Record, _ sequence: UInt64) {
    switch record {
    case .message(let message): subjects[sequence] = (Key(message), sequence)
    case .change(let message): subjects[sequence] = (Key(message), message.target ?? sequence)
    case .delivery(let delivery): subjects[sequence] = subjects[delivery.id]
    case .read(let read): subjects[sequence] = (Key(account: read.account, jid: read.jid), sequence)
    case .draft(let draft): subjects[sequence] = (Key(account: draft.account, jid: draft.jid), sequence)
    case .forgetting(let record):
      forgettings[Key(account: record.account, jid: record.jid), default: []].append((sequence, record))
    default: break
    }
  }

  /// True if a record is of a history that was forgotten later, or about a message of it.
  func hides(_ sequence: UInt64) -> Bool {
    guard let (key, record) = subjects[sequence], let last = forgettings[key]?.last?.sequence else { return false }
    return record < last
  }

  /// True if a conversation was ever forgotten.
  func hasAny(_ key: Key) -> Bool { forgettings[key] != nil }

  /// True if a message of the archive may stay away: the archive had it when its conversation was forgotten. What says
  /// something of another message may stay away up to two minutes later.
  func mayLack(_ parcel: Parcel) -> Bool {
    let isAbsent = forgettings[parcel.key, default: []].contains { _, record in
      record.archive.map { parcel.time.milliseconds < $0 - 119_000 } ?? false
    }
    return isAbsent || (parcel.change != nil || parcel.isSignal) && mayLackWords(of: parcel)
  }

  /// True if what a message says of others may stay away, and no text with it.
  func mayLackWords(of parcel: Parcel) -> Bool {
    forgettings[parcel.key, default: []].contains { _, record in
      record.time.map { parcel.time.milliseconds < $0 + 121_000 } ?? false
    }
  }
}
