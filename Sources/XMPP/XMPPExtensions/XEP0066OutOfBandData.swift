import Bytes
import XML

/// XEP-0066: addresses in a message (section 2).
enum OutOfBandData {
  static let namespace: StaticString = "jabber:x:oob"

  static func urls(in message: Element) -> [String] {
    message.children("x", namespace).compactMap { FileURL.read($0.child("url", namespace)?.text ?? "") }
  }

  static func write(_ url: String, into writer: inout XMLWriter) {
    writer.open("x", xmlns: namespace)
    writer.element("url", text: url)
    writer.close()
  }
}
