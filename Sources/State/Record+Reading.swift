package import Bytes
package import MessageLog
package import Records

extension Record {
  /// The record in a frame; an error if its fields are not sound, which its checksum makes all but impossible.
  package init(in frame: borrowing LogFrame) throws(FieldError) {
    let kind = frame.kind
    self = try frame.withPayload { payload throws(FieldError) in try Record(kind: kind, payload: payload) }
  }

  /// The same for callers that look for some records and pass over all others; `State.apply` counts the unsound ones.
  package init?(reading frame: borrowing LogFrame) {
    do throws(FieldError) { try self.init(in: frame) } catch { return nil }
  }
}

extension MessageView {
  /// Calls `body` with the message in a frame; false if that has none, or its fields are not sound.
  @discardableResult
  package static func read(_ frame: borrowing LogFrame, _ body: (borrowing MessageView) -> Void) -> Bool {
    guard frame.kind == RecordKind.message.rawValue else { return false }
    do throws(FieldError) {
      try frame.lendFields(RecordKind.leadingFields(of: frame.kind)) { fields throws(FieldError) in
        body(try MessageView(fields))
      }
      return true
    } catch {
      return false
    }
  }
}
