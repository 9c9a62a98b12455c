import JSON
package import XMPPCore

/// `confabd --addresses`: addresses prepared for `confab log import`, since the command line has none of the libraries
/// for it. A line of input is a JSON object with one member: `typed`, an address as a person typed it, or `written`,
/// one out of a file. The line that answers has `address`, or `reason`: why it is none.
package enum AddressLines {
  /// Bytes of a question.
  package static let longest = 64 << 10

  /// The answer to a line, with its LF.
  package static func answer(_ line: [UInt8]) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    let question = try? JSONParser.parse(line)
    do throws(JIDError) {
      let jid: JID
      if let text = question?["written"]?.string {
        jid = try written(text)
      } else {
        jid = try JID(typed: question?["typed"]?.string ?? "")
      }
      writer.member("address", jid.description)
    } catch {
      writer.member("reason", error.sentence)
    }
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }

  /// A JID in the form in which servers' addresses are kept stays as it is: it may be of a server that prepares them in
  /// another way. All other text is prepared.
  package static func written(_ text: String) throws(JIDError) -> JID {
    if let jid = try? JID(text), jid.description.utf8.elementsEqual(text.utf8) { return jid }
    return try JID(typed: text)
  }
}
