import XML

/// The person behind an account, by its own word: read from a vCard 4 (XEP-0292, RFC 6351), or from an older one
/// (XEP-0054). All of it is by the account's own word.
package struct Profile: Sendable, Equatable {
  /// One property, in the order in which they are shown.
  package enum Property: CaseIterable, Sendable {
    case fullName, nickname, email, phone, addressOfXMPP, url, birthday, organisation, title, role, address, language
    case note

    /// The field's name in `profile`.
    package var name: StaticString {
      switch self {
      case .fullName: "full_name"
      case .nickname: "nickname"
      case .email: "email"
      case .phone: "phone"
      case .addressOfXMPP: "xmpp"
      case .url: "url"
      case .birthday: "birthday"
      case .organisation: "organisation"
      case .title: "title"
      case .role: "role"
      case .address: "address"
      case .language: "language"
      case .note: "note"
      }
    }
  }

  /// Values of one property, and scalars of one value.
  package static let mostValues = 20
  package static let longestValue = 2_000

  package private(set) var values: [Property: [String]] = [:]

  package var isEmpty: Bool { values.isEmpty }

  init() {}

  /// Adds a value, in one line unless it is a note, without white space around it, unless there is nothing left, it is there already, or there are too many.
  mutating func add(_ text: String, to property: Property) {
    let text = property == .note ? text : text.split(whereSeparator: \.isNewline).joined(separator: ", ")
    let value = Self.trimmed(text)
    guard !value.isEmpty, values[property, default: []].count < Self.mostValues else { return }
    if values[property]?.contains(value) != true { values[property, default: []].append(value) }
  }

  private static func trimmed(_ text: String) -> String {
    var scalars = text.unicodeScalars.drop { $0.properties.isWhitespace }.prefix(longestValue)
    while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
    return String(scalars)
  }
}

/// XEP-0292: a vCard 4 as an item of a node.
extension Profile {
  package static let namespace: StaticString = "urn:ietf:params:xml:ns:vcard-4.0"
  /// The node on which accounts publish theirs.
  package static let node = "urn:xmpp:vcard4"

  /// Reads the `<vcard/>` of an item; nil: it is none.
  package init?(vCard4 item: PubSub.Item) {
    guard let card = item.payload, card.isNamed("vcard", Self.namespace) else { return nil }
    for (name, property) in Self.names {
      for element in card.children(name, Self.namespace) { add(Self.value(of: element, property), to: property) }
    }
  }

  private static let names: [(StaticString, Property)] = [
    ("fn", .fullName), ("nickname", .nickname), ("email", .email), ("tel", .phone), ("impp", .addressOfXMPP),
    ("url", .url), ("bday", .birthday), ("org", .organisation), ("title", .title), ("role", .role), ("adr", .address),
    ("lang", .language), ("note", .note),
  ]

  /// The values of a property stand in elements that are named after their types, components of an address after
  /// themselves (RFC 6351, section 5). Parameters are not shown.
  private static func value(of element: Element, _ property: Property) -> String {
    let parts = element.children.filter { $0.isIn(namespace) && !$0.isNamed("parameters", namespace) }.map(\.text)
      .filter { !$0.isEmpty }
    let text = parts.joined(separator: ", ")
    let scheme = property == .phone ? "tel:" : property == .addressOfXMPP ? "xmpp:" : ""
    return text.hasPrefix(scheme) ? String(text.dropFirst(scheme.count)) : text
  }
}
