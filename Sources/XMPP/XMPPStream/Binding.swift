import XML
import XMPPCore

/// The binding of a resource (RFC 6120, section 7): one iq, one answer.
struct Binding: Sendable {
  /// The account.
  let account: JID
  /// The id of our request.
  let id: String

  /// The full JID that the server bound, in the server's spelling. Throws for its error, for an answer to something else,
  /// and for a JID that is not the account's.
  func receive(_ element: Element) throws(StreamFailure) -> JID {
    guard element.isNamed("iq", Namespace.client), element.attribute("id").map(isOurs) == true else {
      throw .protocolViolation("\(Wording.name(element)) before a resource was bound")
    }
    switch element.attribute("type") {
    case "result": break
    case "error": throw Self.failure(element)
    default: throw .protocolViolation("the answer to the resource is neither a result nor an error")
    }
    let jid = try boundJID(element)
    guard isFromServer(element, bound: jid) else {
      throw .protocolViolation("the answer to the resource comes from somebody else")
    }
    return jid
  }

  /// Byte for byte: equal Strings need not be the same text.
  private func isOurs(_ id: String) -> Bool { id.utf8.elementsEqual(self.id.utf8) }

  private func boundJID(_ element: Element) throws(StreamFailure) -> JID {
    let bind = element.child("bind", Namespace.bind)
    guard let text = bind?.child("jid", Namespace.bind)?.text, let jid = try? JID(text) else {
      throw .protocolViolation("it bound no address")
    }
    guard jid.isSpelling(of: account), jid.resource != nil else {
      throw .protocolViolation("it bound the address \(text), which is not the account's")
    }
    return jid
  }

  /// An iq without `to` is answered by our own account: no `from`, or ours, or the server's (section 8.1.2.1).
  private func isFromServer(_ element: Element, bound: JID) -> Bool {
    guard let from = element.attribute("from") else { return true }
    guard let jid = try? JID(from) else { return false }
    return jid == account || jid == bound || jid == bound.bare || jid.description == account.domain
  }

  private static func failure(_ element: Element) -> StreamFailure {
    let error = StanzaError(parsing: element)
    return error.condition == "conflict" ? .resourceConflict : .bind(error)
  }
}
