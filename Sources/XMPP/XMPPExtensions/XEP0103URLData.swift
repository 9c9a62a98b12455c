import Bytes
import XML

/// XEP-0103: an address of a file.
enum URLData {
  static let namespace: StaticString = "http://jabber.org/protocol/url-data"

  static func url(_ element: Element) -> String? { FileURL.read(element.attribute("target") ?? "") }

  static func write(_ url: String, into writer: inout XMLWriter) {
    writer.empty("url-data", xmlns: namespace, attributes: ["target": url])
  }
}
