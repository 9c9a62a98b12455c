import Bytes

/// A message of mine that was kept back goes out now, behind all that waits already.
package struct ReleaseRecord: Sendable, Equatable {
  package var account: UInt32
  /// The message.
  package var id: UInt64

  package init(account: UInt32, id: UInt64) {
    self.account = account
    self.id = id
  }
}

extension ReleaseRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    writer.uint(2, id)
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0, id: 0)
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: id = try reader.uint()
      default: break
      }
    }
  }
}
