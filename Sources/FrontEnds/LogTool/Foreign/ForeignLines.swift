import Clocks
import JSON
import Records

extension ForeignMessage {
  /// Writes the message as a line of `confab log import`, with its place (`place`), which that ignores.
  ///
  /// - Parameter account: the account that it goes to.
  func write(into writer: inout JSONWriter, for account: AccountRecord) {
    writer.beginObject()
    writer.member("account", account.jid.isEmpty ? account.name : account.jid)
    writer.member("conversation", conversation)
    writer.member("time", Timestamp(milliseconds: time).rfc3339)
    if let word = kind.word { writer.member("kind", word) }
    writer.member("mine", isMine)
    writeSender(into: &writer, account)
    writer.member("text", text)
    if let stanzaID { writer.member("stanza_id", stanzaID) }
    if let archiveID { writer.member("archive_id", archiveID) }
    writeCorrections(into: &writer)
    writer.member("place", place.text)
    writer.endObject()
    writer.endLine()
  }

  private func writeSender(into writer: inout JSONWriter, _ account: AccountRecord) {
    switch kind {
    case .person:
      if isMine {
        if let resource { writer.member("resource", resource) }
      } else {
        writer.member("from", resource.map { conversation + "/" + $0 } ?? conversation)
      }
    case .room: writer.member("from", nick.map { conversation + "/" + $0 } ?? account.jid)
    case .occupant: writer.member("from", isMine ? account.jid : conversation)
    }
  }

  private func writeCorrections(into writer: inout JSONWriter) {
    if let edited { writer.member("edited", Timestamp(milliseconds: edited).rfc3339) }
    if !editIDs.isEmpty { writer.array("edit_ids") { array in editIDs.forEach { array.value($0) } } }
    guard !earlierTexts.isEmpty else { return }
    writer.array("versions") { array in
      for earlier in earlierTexts {
        array.beginObject()
        array.member("text", earlier.text)
        array.member("time", Timestamp(milliseconds: earlier.time).rfc3339)
        array.endObject()
      }
    }
  }
}
