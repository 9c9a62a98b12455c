package import Bytes
package import Timelines
package import MessageLog
package import Records

extension Record {
  /// The record in a frame; an error if its fields are not sound, which its checksum makes all but impossible.
  package init(in frame: borrowing LogFrame) throws(FieldError) {
    let kind = frame.kind
    self = try frame.withPayload { payload throws(FieldError) in try Record(kind: kind, payload: payload) }
  }

  /// The record of a frame; nil if it is unsound. For callers that look for some records and pass over all others;
  /// `State.apply` counts the unsound ones.
  package init?(reading frame: borrowing LogFrame) {
    do throws(FieldError) { try self.init(in: frame) } catch { return nil }
  }
}

extension MessageView {
  /// Calls `body` with the message in a frame, as it stood then; false if that has none, or its fields are not sound.
  @discardableResult
  package static func read(_ frame: borrowing LogFrame, _ body: (borrowing MessageView) -> Void) -> Bool {
    guard RecordKind.isMessage(frame.kind) else { return false }
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

extension LogReader {
  /// A message as it stands, which an entry of a timeline leads to; nil where there is none.
  package func message(_ entry: Entry, in index: LogIndex) throws(StorageError) -> MessageRecord? {
    let isChanged = entry.flags.contains(.changed)
    var found: MessageRecord?
    do throws(LogReadError) {
      try read(isChanged ? nil : entry.id, at: LogLocation(packed: entry.location), in: index) { frame in
        switch Record(reading: frame) {
        case .message(let message)? where !isChanged: found = message
        case .change(let message)? where isChanged && message.target == entry.id: found = message
        default: break
        }
      }
    } catch { if case .storage(let error) = error { throw error } }
    return found
  }

  /// The message of a record, changed or not, as it was written; nil where there is none.
  package func message(numbered number: UInt64, in index: LogIndex) throws(StorageError) -> MessageRecord? {
    switch try record(numbered: number, in: index) {
    case .message(let message)?, .change(let message)?: message
    default: nil
    }
  }

  /// The record with a number; nil where there is none.
  package func record(numbered number: UInt64, in index: LogIndex) throws(StorageError) -> Record? {
    var cursor = try locate(number, in: index)
    var found: Record?
    try read(&cursor, in: index) { frame in
      if frame.sequence == number { found = Record(reading: frame) }
      return false
    }
    return found
  }
}
