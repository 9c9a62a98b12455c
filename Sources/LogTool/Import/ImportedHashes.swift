import Bytes
import JSON
import Records

// The hashes of a message's files, without which a fetch would take any bytes: `"hashes":[{"attachment":0,
// "function":"sha-256","value":BASE64}]`, each with the place of its file in `attachments`. Front ends do not see them.

extension [Attachment] {
  /// Writes the member `hashes`, if there are any.
  func writeHashes(into writer: inout JSONWriter) {
    guard contains(where: { !$0.hashes.isEmpty }) else { return }
    writer.array("hashes") { array in
      for (place, attachment) in enumerated() {
        for hash in attachment.hashes {
          array.beginObject()
          array.member("attachment", place)
          array.member("function", hash.function)
          array.member("value", Base64.encode(hash.value))
          array.endObject()
        }
      }
    }
  }
}

extension ImportedObject {
  /// Gives files their hashes.
  func readHashes(into attachments: inout [Attachment]) throws(LineProblem) {
    for value in try list("hashes") {
      guard let place = value["attachment"]?.integer.flatMap({ Int(exactly: $0) }),
        attachments.indices.contains(place), let function = value["function"]?.string,
        let hash = value["value"]?.string.flatMap({ Base64.decode($0) })
      else {
        throw LineProblem("'hashes' needs 'attachment', the place of a file from 0, 'function', and 'value' in Base64")
      }
      attachments[place].hashes.append(.init(function: function, value: hash))
    }
  }
}
