import Bytes
import MessageLog
import Records

extension LogFrame {
  /// The record in it.
  func record() throws(FieldError) -> Record {
    let kind = kind
    return try withPayload { payload throws(FieldError) in try Record(kind: kind, payload: payload) }
  }
}
