import XML
import XMPPCore

/// XEP-0492: of which messages of a room the user is told, in the extensions of its bookmark (XEP-0402).
package enum ChatNotification: String, Sendable, CaseIterable {
  case always
  case onMention = "on-mention"
  case never

  package static let namespace: StaticString = "urn:xmpp:notification-settings:1"

  /// Our own identity (XEP-0030), by which settings may differ.
  private static let (category, type) = ("client", "pc")

  private var name: StaticString {
    switch self {
    case .always: "always"
    case .onMention: "on-mention"
    case .never: "never"
    }
  }

  private init?(_ element: Element) {
    guard element.isIn(Self.namespace) else { return nil }
    self.init(rawValue: element.local)
  }

  /// The setting for us among the elements of a bookmark: the one that is most particular (section 3).
  static func of(_ extensions: [Element]) -> ChatNotification? {
    let settings = Self.settings(extensions)
    let best = settings.compactMap(rank).max()
    return settings.first { rank($0) == best && best != nil }.flatMap { ChatNotification($0) }
  }

  /// Changes the setting that counts for us, and adds one for all if there is none. The others stay, and so does what
  /// stands in it (section 3). Nil takes all away that are for us.
  static func set(_ setting: ChatNotification?, in extensions: [UInt8]) -> [UInt8] {
    let elements = KeptXML.read(extensions)
    guard of(elements) != setting else { return extensions }
    let settings = changed(Self.settings(elements), to: setting)
    var writer = XMLWriter()
    for element in elements where !element.isNamed("notify", namespace) { writer.raw(KeptXML.write(element)) }
    guard !settings.isEmpty else { return writer.bytes }
    writer.open("notify", xmlns: namespace)
    writer.raw(settings)
    writer.close()
    return writer.bytes
  }

  private static func changed(_ settings: [Element], to setting: ChatNotification?) -> [UInt8] {
    let best = settings.compactMap(rank).max()
    var writer = XMLWriter()
    var isWritten = false
    for element in settings {
      guard let rank = rank(element), rank == best || setting == nil else {
        writer.raw(written(element))
        continue
      }
      // Of several that contradict each other one stays.
      if !isWritten { setting?.write(like: element, into: &writer) }
      isWritten = true
    }
    if let setting, !settings.contains(where: { rank($0) == 0 }) { writer.empty(setting.name) }
    return writer.bytes
  }

  private func write(like element: Element, into writer: inout XMLWriter) {
    writer.open(
      name,
      attributes: [
        "identity-category": element.attribute("identity-category"),
        "identity-type": element.attribute("identity-type"),
      ])
    for child in element.children { writer.raw(Self.written(child)) }
    writer.close()
  }

  private static func written(_ element: Element) -> [UInt8] {
    var bytes: [UInt8] = []
    element.serialize(into: &bytes, inheriting: "\(namespace)")
    return bytes
  }

  private static func settings(_ extensions: [Element]) -> [Element] {
    extensions.first { $0.isNamed("notify", namespace) }.map { Array($0.children) } ?? []
  }

  /// The rank of a setting: 2 is for our kind of client, 1 for clients, 0 for all; nil: it is not for us.
  private static func rank(_ element: Element) -> Int? {
    guard ChatNotification(element) != nil else { return nil }
    switch (element.attribute("identity-category"), element.attribute("identity-type")) {
    case (nil, nil): return 0
    case (category, nil): return 1
    case (category, type): return 2
    default: return nil
    }
  }
}
