import Bytes
package import MessageLog
package import Records

extension Record {
  /// The record in a frame; nil where its fields are not sound, which its checksum makes all but impossible.
  package init?(reading frame: borrowing LogFrame) {
    let kind = frame.kind
    guard
      let record = try? frame.withPayload({ payload throws(FieldError) in try Record(kind: kind, payload: payload) })
    else { return nil }
    self = record
  }
}

extension MessageView {
  /// Calls `body` with the message in a frame; false where that has none, or its fields are not sound.
  @discardableResult
  package static func read(_ frame: borrowing LogFrame, _ body: (borrowing MessageView) -> Void) -> Bool {
    guard frame.kind == RecordKind.message.rawValue else { return false }
    let read: Void? = try? frame.lendFields(RecordKind.leadingFields(of: frame.kind)) { fields throws(FieldError) in
      body(try MessageView(fields))
    }
    return read != nil
  }
}
