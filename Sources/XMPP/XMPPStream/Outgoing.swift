import Bytes
import SASL
import XML
import XMPPCore

/// The bytes that the client writes while a stream is negotiated.
enum Outgoing {
  /// The opening of a stream (RFC 6120, section 4.7). Our address is sent only on an encrypted stream (section 4.7.1).
  static func header(to domain: String, from jid: JID?) -> [UInt8] {
    var writer = XMLWriter(Array("<?xml version='1.0'?>".utf8))
    writer.open("stream:stream", xmlns: Namespace.client)
    writer.attribute("xmlns:stream", constant: Namespace.streams)
    writer.attribute("from", jid?.description)
    writer.attribute("to", domain)
    writer.attribute("version", constant: "1.0")
    writer.attribute("xml:lang", constant: "en")
    writer.endStartTag()
    return writer.bytes
  }

  /// Section 5.4.2.1.
  static let startTLS = Array("<starttls xmlns='\(Namespace.tls)'/>".utf8)

  /// Section 6.4.2, with the mechanism's first message.
  static func auth(_ mechanism: Mechanism, initial: [UInt8]) -> [UInt8] {
    var writer = XMLWriter()
    writer.element(
      "auth", xmlns: Namespace.sasl, attributes: ["mechanism": mechanism.rawValue],
      text: Base64.encode(initial))
    return writer.bytes
  }

  /// Section 6.4.3. An empty response is an empty element.
  static func response(_ message: [UInt8]) -> [UInt8] {
    var writer = XMLWriter()
    writer.open("response", xmlns: Namespace.sasl)
    if !message.isEmpty { writer.text(Base64.encode(message)) }
    writer.close()
    return writer.bytes
  }

  /// Section 6.4.4.
  static let abort = Array("<abort xmlns='\(Namespace.sasl)'/>".utf8)

  /// Sections 7.6.1 and 7.7.1: with an empty resource the server chooses one.
  static func bind(id: String, resource: String) -> [UInt8] {
    var writer = XMLWriter()
    writer.open("iq", attributes: ["type": "set", "id": id])
    writer.open("bind", xmlns: Namespace.bind)
    if !resource.isEmpty { writer.element("resource", text: resource) }
    writer.close()
    writer.close()
    return writer.bytes
  }

  /// Section 4.4.
  static let close = Array("</stream:stream>".utf8)
}
