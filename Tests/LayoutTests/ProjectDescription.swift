import XML
import XMPPExtensions

/// docs/confab.doap: the description of a project that programs read (XEP-0453, DOAP), made from the table of extensions.
enum ProjectDescription {
  private static let extensions = "https://xmpp.org/extensions/xep-"
  private static let documents = "https://xmpp.org/rfcs/rfc"

  static var text: String {
    var writer = XMLWriter(Array("<?xml version='1.0' encoding='UTF-8'?>\n".utf8))
    writer.open(
      "rdf:RDF", xmlns: "http://usefulinc.com/ns/doap#",
      attributes: [
        "xmlns:rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "xmlns:xmpp": "https://linkmauve.fr/ns/xmpp-doap#",
      ])
    writer.open("Project", attributes: ["xml:lang": "en"])
    writeProject(into: &writer)
    for number in ["6120", "6121", "7590", "7622"] {
      writer.line(2) { $0.empty("implements", attributes: ["rdf:resource": "\(documents)\(number).html"]) }
    }
    for row in Registry.rows { writer.line(2) { write(row, into: &$0) } }
    writer.line(1) { $0.close() }
    writer.line(0) { $0.close() }
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  private static func writeProject(into writer: inout XMLWriter) {
    writer.line(2) { $0.element("name", text: "Confab") }
    writer.line(2) { $0.element("shortdesc", text: "XMPP messaging client that runs as a daemon") }
    writer.line(2) {
      $0.element(
        "description",
        text:
          "Keeps the session with the user's server, stores each conversation in an append-only log, and serves shell "
          + "scripts and terminal front ends over a Unix socket.")
    }
    writer.line(2) { $0.element("programming-language", text: "Swift") }
    writer.line(2) { $0.element("os", text: "Linux") }
    writer.line(2) {
      $0.empty("category", attributes: ["rdf:resource": "https://linkmauve.fr/ns/xmpp-doap#category-client"])
    }
  }

  private static func write(_ row: Registry.Row, into writer: inout XMLWriter) {
    writer.open("implements")
    writer.open("xmpp:SupportedXep")
    writer.empty(
      "xmpp:xep", attributes: ["rdf:resource": "\(extensions)\(XEPDocumentTests.digits(row.number)).html"])
    writer.element("xmpp:status", text: row.isPartial ? "partial" : "complete")
    writer.element("xmpp:version", text: row.version)
    writer.element("xmpp:note", text: row.scope)
    writer.close()
    writer.close()
  }
}

extension XMLWriter {
  /// Something on a line of its own.
  fileprivate mutating func line(_ depth: Int, _ body: (inout XMLWriter) -> Void) {
    text("\n" + String(repeating: "  ", count: depth))
    body(&self)
  }
}
