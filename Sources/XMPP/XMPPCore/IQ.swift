package import XML

/// Requests and answers as they go on a stream whose default namespace is `jabber:client` (RFC 6120, section 8.2.3).
package enum IQ {
  /// Writes what stands in an iq.
  package typealias Payload = (inout XMLWriter) -> Void

  /// A request for information. Without `to` it is for our own account.
  package static func get(to: String? = nil, id: String, _ payload: Payload) -> [UInt8] {
    iq("get", to: to, id: id, payload)
  }

  /// A request to change something.
  package static func set(to: String? = nil, id: String, _ payload: Payload) -> [UInt8] {
    iq("set", to: to, id: id, payload)
  }

  /// The answer that a request was done, with what was asked for if anything was.
  package static func result(to: String? = nil, id: String?, _ payload: Payload = { _ in }) -> [UInt8] {
    iq("result", to: to, id: id, payload)
  }

  /// The answer that a request was done, to whoever asked.
  package static func result(replyingTo request: Element, _ payload: Payload = { _ in }) -> [UInt8] {
    result(to: request.attribute("from"), id: request.attribute("id"), payload)
  }

  /// The error answer to a request, to its sender. It does not contain the request.
  package static func error(replyingTo request: Element, _ error: StanzaError) -> [UInt8] {
    iq("error", to: request.attribute("from"), id: request.attribute("id")) { error.write(into: &$0) }
  }

  private static func iq(_ type: StaticString, to: String?, id: String?, _ payload: Payload) -> [UInt8] {
    var writer = XMLWriter()
    writer.open("iq")
    writer.attribute("type", constant: type)
    writer.attribute("id", id)
    writer.attribute("to", to)
    payload(&writer)
    writer.close()
    return writer.bytes
  }
}
