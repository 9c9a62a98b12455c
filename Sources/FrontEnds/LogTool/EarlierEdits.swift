import Clocks
import JSON
import LineProtocol
import Records
import State

/// Edits of a message in an export: the texts before them, and the ids by which later edits may name it.
struct EarlierEdits {
  private let versions: [MessageChange.EarlierText]
  private let ids: [String]

  /// - Parameters:
  ///   - message: as it is now.
  ///   - record: the message in a record with this number, as it was written.
  init(of message: MessageRecord, _ record: (UInt64) -> MessageRecord?) {
    versions = message.earlierTexts(atMost: Limits.page, record)
    ids = message.editIDs(atMost: Limits.page, record)
  }

  /// Writes the members `versions` and `edit_ids`, as far as there are any.
  func write(into writer: inout JSONWriter) {
    if !versions.isEmpty {
      writer.array("versions") { array in
        for version in versions {
          array.beginObject()
          array.member("text", version.text)
          array.member("time", Timestamp(milliseconds: version.time))
          array.endObject()
        }
      }
    }
    if !ids.isEmpty { writer.array("edit_ids") { array in ids.forEach { array.value($0) } } }
  }
}

extension MessageRecord {
  /// The stanzas' ids of its edits, newest first, of so many changes at most, and of those that it was imported with.
  fileprivate func editIDs(atMost most: Int, _ record: (UInt64) -> MessageRecord?) -> [String] {
    guard let last = details?.change, last.edited != nil || last.retraction != nil else { return [] }
    var (ids, change): ([String], MessageChange?) = ([], last)
    for _ in 0..<most {
      guard let present = change else { break }
      if present.kind == .edit, let id = present.stanzaID { ids.append(id) }
      ids += present.editIDs
      change = present.previous == 0 ? nil : record(present.previous)?.details?.change
    }
    return ids
  }
}
