import Bytes
import JSON
import Records

// The hashes of a message's files, without which a fetch would take any bytes: `"hashes":[{"attachment":0,
// "function":"sha-256","value":BASE64}]`, each with the index of its file in `attachments`; of a message inside also with
// the index of that one in `forwarded`. Front ends do not see them.

extension MessageDetails {
  /// Writes the member `hashes`, if there are any.
  func writeHashes(into writer: inout JSONWriter) {
    let all = [(nil, attachments)] + forwarded.enumerated().map { ($0.offset as Int?, $0.element.attachments) }
    guard all.contains(where: { $0.1.contains { !$0.hashes.isEmpty } }) else { return }
    writer.array("hashes") { array in
      for (message, files) in all { files.writeHashes(inside: message, into: &array) }
    }
  }

  /// Gives a file a hash; false if there is no such file.
  ///
  /// - Parameter message: the index of the message inside that the file is in.
  fileprivate mutating func add(_ hash: Attachment.Hash, to file: Int, inside message: Int?) -> Bool {
    guard let message else { return attachments.add(hash, to: file) }
    return forwarded.indices.contains(message) && forwarded[message].attachments.add(hash, to: file)
  }
}

extension [Attachment] {
  fileprivate func writeHashes(inside message: Int?, into writer: inout JSONWriter) {
    for (index, attachment) in enumerated() {
      for hash in attachment.hashes {
        writer.beginObject()
        if let message { writer.member("forwarded", message) }
        writer.member("attachment", index)
        writer.member("function", hash.function)
        writer.member("value", Base64.encode(hash.value))
        writer.endObject()
      }
    }
  }

  fileprivate mutating func add(_ hash: Attachment.Hash, to index: Int) -> Bool {
    guard indices.contains(index) else { return false }
    self[index].hashes.append(hash)
    return true
  }
}

extension ImportedObject {
  /// Gives files their hashes.
  func readHashes(into details: inout MessageDetails) throws(LineProblem) {
    for value in try list("hashes") {
      let message = value["forwarded"].map { Self.index($0) ?? -1 }
      guard let file = value["attachment"].flatMap(Self.index), let function = value["function"]?.string,
        let hash = value["value"]?.string.flatMap({ Base64.decode($0) }),
        details.add(.init(function: function, value: hash), to: file, inside: message)
      else {
        throw LineProblem("'hashes' needs 'attachment', the index of a file from 0, 'function', and 'value' in Base64")
      }
    }
  }

  private static func index(_ value: JSONValue) -> Int? { value.integer.flatMap { Int(exactly: $0) } }
}
