import Bytes
package import Records

/// Hashes of what copies of one message have in common, in whatever way they come: sender, id and text; and where the
/// sender gave no id, about when it was sent. Many senders give each message the same id, or none.
///
/// A message that has an id of our archive's has another hash than one that has none: in an archive that keeps its ids, only
/// the latter can be a copy of what comes under an id that is not known.
package enum ContentHash {
  /// Some four minutes, in milliseconds, as a power of two.
  private static let spanBits: Int64 = 18
  /// Messages without an id are only copies of each other where their times are no further apart.
  package static let span: Int64 = 120_000

  /// The hashes that a copy of a message may have which has no id of the archive's.
  package static func all(_ message: MessageRecord) -> [UInt64] {
    guard message.originID == nil, message.stanzaID == nil else { return [message.lend { of($0, at: message.time) }] }
    let early = message.lend { of($0, at: message.time.subtracting(span)) }
    let late = message.lend { of($0, at: message.time.adding(span)) }
    return early == late ? [early] : [early, late]
  }

  /// The hash of the same message where our archive gave it an id.
  package static func ofNamed(_ hash: UInt64) -> UInt64 { ~hash }

  static func of(_ message: borrowing MessageRecord.Lent, at time: Int64) -> UInt64 {
    let sender = message.copyHash ?? TokenHash.of("", behind: message.senderHash) ^ UInt64(bitPattern: time >> spanBits)
    // An attacker who finds colliding texts gains nothing: each candidate is read.
    return (sender ^ UInt64(message.fields.text.utf8.span.cacheHash)) &* 0x100_0000_01b3
  }
}

extension MessageRecord {
  /// The hash that it is found by.
  package var contentToken: UInt64 { lend { $0.contentToken } }
}

extension Int64 {
  fileprivate func adding(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  fileprivate func subtracting(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? .min : difference
  }
}

extension ArchiveIDRecord {
  /// A hash that stands for the message: its records are found by it.
  var messageHash: UInt64 { Self.hash(ofMessage: message) }

  /// An archive's id has this hash by chance at most, and what is found is read.
  package static func hash(ofMessage id: UInt64) -> UInt64 { TokenHash.mixed(id) ^ 0xa5a5_a5a5_5a5a_5a5a }
}
