import Bytes

/// An archive id of a message that the message's own record lacks. The message came without an id, or with one that
/// nothing vouched for; or it is a note to self, which the archive has twice; or the archive has given new ids since.
package struct ArchiveIDRecord: Sendable, Equatable {
  package var account: UInt32
  /// The number of the message's record.
  package var message: UInt64
  package var archiveID: String

  package init(account: UInt32, message: UInt64, archiveID: String) {
    (self.account, self.message, self.archiveID) = (account, message, archiveID)
  }
}

extension ArchiveIDRecord {
  func encode(into writer: inout FieldWriter) {
    writer.uint(1, UInt64(account))
    writer.uint(2, message)
    writer.string(3, archiveID)
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(account: 0, message: 0, archiveID: "")
    while let field = try reader.next() {
      switch field {
      case 1: account = try reader.uint(UInt32.self)
      case 2: message = try reader.uint()
      case 3: archiveID = try reader.string()
      default: break
      }
    }
  }
}
