import XML
import XMPPCore

/// XEP-0092: which software this is.
enum SoftwareVersion {
  static let requests = [
    Registry.Request(local: "query", namespace: Namespace.version) { _, context, writer throws(StanzaError) in
      writer.open("query", xmlns: Namespace.version)
      writer.element("name", text: context.software)
      writer.element("version", text: context.softwareVersion)
      if let system = context.operatingSystem { writer.element("os", text: system) }
      writer.close()
    }
  ]
}
