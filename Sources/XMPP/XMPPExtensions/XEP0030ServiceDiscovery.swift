package import XML
package import XMPPCore

/// XEP-0030: what an entity is and can do.
package struct DiscoInfo: Sendable, Equatable {
  package struct Identity: Sendable, Hashable {
    package var category: String
    package var type: String
    package var name: String?
    /// `xml:lang` of the name.
    package var language: String?

    package init(category: String, type: String, name: String? = nil, language: String? = nil) {
      (self.category, self.type, self.name, self.language) = (category, type, name, language)
    }
  }

  /// The node that this is about, as it came; nil: the entity itself.
  package var node: String?
  /// The identities as received, duplicates included.
  package var identities: [Identity]
  /// The features as received, duplicates included.
  package var features: [String]
  /// The forms with further facts (XEP-0128); a form that is too long is left out.
  package var forms: [DataForm]

  package init(node: String? = nil, identities: [Identity], features: [String], forms: [DataForm] = []) {
    (self.node, self.identities, self.features, self.forms) = (node, identities, features, forms)
  }

  /// Reads the `<query/>` of a result, or the iq that it stands in; nil where it is neither. Identities without a
  /// category or type, features and fields without a name are left out.
  package init?(_ element: Element) {
    let isQuery = element.isNamed("query", Namespace.discoInfo)
    guard let query = isQuery ? element : element.child("query", Namespace.discoInfo) else { return nil }
    node = query.attribute("node")
    identities = query.children("identity", Namespace.discoInfo).compactMap(Identity.init)
    features = query.children("feature", Namespace.discoInfo).compactMap { $0.attribute("var") }
    forms = query.children("x", Namespace.dataForms).compactMap { try? DataForm($0) }
  }

  /// The first form of a type (XEP-0068).
  package func form(_ type: StaticString) -> DataForm? { forms.first { $0.formType == "\(type)" } }

  package func has(_ feature: StaticString) -> Bool { features.contains("\(feature)") }

  /// Writes the `<query/>` of a result. Forms are not written: there are none of ours.
  func write(into writer: inout XMLWriter) {
    writer.open("query", xmlns: Namespace.discoInfo, attributes: ["node": node])
    for identity in identities {
      writer.open(
        "identity", attributes: ["category": identity.category, "type": identity.type, "name": identity.name])
      writer.attribute("xml:lang", identity.language)
      writer.close()
    }
    for feature in features { writer.empty("feature", attributes: ["var": feature]) }
    writer.close()
  }
}

extension DiscoInfo.Identity {
  fileprivate init?(_ element: Element) {
    guard let category = element.attribute("category"), let type = element.attribute("type") else { return nil }
    self.init(category: category, type: type, name: element.attribute("name"), language: element.language)
  }
}

/// XEP-0030: asking and answering.
package enum ServiceDiscovery {
  /// Asks an entity what it is and can do.
  package static func infoRequest(to jid: JID, node: String? = nil, id: String) -> [UInt8] {
    IQ.get(to: jid.description, id: id) { $0.empty("query", xmlns: Namespace.discoInfo, attributes: ["node": node]) }
  }

  /// Asks an entity what belongs to it.
  package static func itemsRequest(to jid: JID, id: String) -> [UInt8] {
    IQ.get(to: jid.description, id: id) { $0.empty("query", xmlns: Namespace.discoItems) }
  }

  /// The entities that an answer to that names, each once; nodes are left out.
  package static func items(in iq: Element) -> [JID] {
    var found: [JID] = []
    for item in iq.child("query", Namespace.discoItems)?.children("item", Namespace.discoItems) ?? []
    where item.attribute("node") == nil {
      if let jid = item.attribute("jid").flatMap({ try? JID($0) }), !found.contains(jid) { found.append(jid) }
    }
    return found
  }

  static let requests = [
    Registry.Request(local: "query", namespace: Namespace.discoInfo, answer: answerInfo),
    Registry.Request(local: "query", namespace: Namespace.discoItems, answer: answerItems),
  ]

  /// The node of our capabilities is ourselves (XEP-0115, section 6.2); there are no others.
  @Sendable
  private static func answerInfo(
    _ query: Element, _ context: ExtensionContext, _ writer: inout XMLWriter
  ) throws(StanzaError) {
    var info = Registry.info(context)
    if let node = query.attribute("node") {
      guard let caps = EntityCapabilities.own(context), node == caps.discoNode else { throw .itemNotFound }
      info.node = node
    }
    info.write(into: &writer)
  }

  @Sendable
  private static func answerItems(
    _ query: Element, _ context: ExtensionContext, _ writer: inout XMLWriter
  ) throws(StanzaError) {
    guard query.attribute("node") == nil else { throw .itemNotFound }
    writer.empty("query", xmlns: Namespace.discoItems)
  }
}
