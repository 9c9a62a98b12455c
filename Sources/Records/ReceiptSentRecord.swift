import Bytes

/// What the senders of messages were owed has gone to them: receipts and markers.
package struct ReceiptSentRecord: Sendable, Equatable {
  package var account: UInt32
  /// The records that it was owed by: messages that owe a receipt, read positions that owe a marker.
  package var sequences: [UInt64]

  package init(account: UInt32, sequences: [UInt64]) {
    self.account = account
    self.sequences = sequences
  }
}

extension ReceiptSentRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    for sequence in sequences { writer.uint(2, sequence) }
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0, sequences: [])
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: sequences.append(try reader.uint())
      default: break
      }
    }
  }
}
