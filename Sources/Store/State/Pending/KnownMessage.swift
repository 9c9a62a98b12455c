package import Records

/// A message that is stored, or whose record is pending.
package struct KnownMessage {
  /// The number of its record.
  package let id: UInt64
  package let record: MessageRecord
  /// The record, with its number, that gives the message another archive id; empty if the message was not found by such
  /// a record.
  package let named: [(record: ArchiveIDRecord, number: UInt64)]

  package init(id: UInt64, record: MessageRecord, named: [(record: ArchiveIDRecord, number: UInt64)] = []) {
    (self.id, self.record, self.named) = (id, record, named)
  }
}
