import Bytes

/// Where a consumer of events is, by a name that it gave itself: of the whole log, not of an account.
package struct CursorRecord: Sendable, Equatable {
  /// 1 to 64 printable ASCII bytes.
  package var name: String
  /// It has dealt with everything up to this sequence number; nil: the name is forgotten.
  package var position: UInt64?

  package init(name: String, position: UInt64? = nil) {
    self.name = name
    self.position = position
  }
}

extension CursorRecord {
  func encode(into writer: inout FieldWriter) {
    writer.string(2, name)
    if let position { writer.uint(3, position) }
  }

  init(from reader: inout FieldReader) throws(FieldError) {
    self.init(name: "")
    while let field = try reader.next() {
      switch field {
      case 2: name = try reader.string()
      case 3: position = try reader.uint()
      default: break
      }
    }
  }
}
