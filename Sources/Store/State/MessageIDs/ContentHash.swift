import Bytes
package import Records

/// Hashes of the content that all copies of one message share, however they come: sender, id and text, and the
/// approximate time if the sender gave no id. Many senders give each message the same id, or none.
///
/// A message with an archive id has another hash than one without: in an archive that keeps its ids, only a message
/// without an archive id can be a copy of a message under an unknown id.
package enum ContentHash {
  /// The time is rounded to 2^18 ms, about four minutes.
  private static let spanBits: Int64 = 18
  /// Messages without an id are copies only if their times differ by at most this, in milliseconds.
  package static let span: Int64 = 120_000

  /// The hashes that a copy without an archive id may have.
  package static func all(_ message: MessageRecord) -> [UInt64] {
    guard message.originID == nil, message.stanzaID == nil else { return [message.lend { of($0, at: message.time) }] }
    let early = message.lend { of($0, at: message.time.subtracting(span)) }
    let late = message.lend { of($0, at: message.time.adding(span)) }
    return early == late ? [early] : [early, late]
  }

  /// The hash of the same message with an archive id.
  package static func ofNamed(_ hash: UInt64) -> UInt64 { ~hash }

  static func of(_ message: borrowing MessageRecord.Lent, at time: Int64) -> UInt64 {
    let sender =
      message.copyHash ?? MessageIDHash.of("", behind: message.senderHash) ^ UInt64(bitPattern: time >> spanBits)
    // An attacker who finds texts with equal hashes gains nothing: each candidate is read and compared.
    return (sender ^ UInt64(message.fields.text.utf8.span.cacheHash)) &* 0x100_0000_01b3
  }
}

extension MessageRecord {
  /// The hash under which the message is indexed.
  package var contentHash: UInt64 { lend { $0.contentHash } }
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
  /// The hash that stands for the message, by which its records are found.
  var messageHash: UInt64 { Self.hash(ofMessage: message) }

  /// An archive id has this hash only by chance, and each record found is read and compared.
  package static func hash(ofMessage id: UInt64) -> UInt64 { MessageIDHash.mixed(id) ^ 0xa5a5_a5a5_5a5a_5a5a }
}
