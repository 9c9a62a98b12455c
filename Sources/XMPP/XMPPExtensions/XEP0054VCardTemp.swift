import Bytes
import Pictures
package import XML
package import XMPPCore

/// XEP-0054: the card of an account, of which the photo is read and changed here, and the rest read.
package enum VCardTemp {
  package static let namespace: StaticString = "vcard-temp"
  /// Bytes of a card of ours that is changed.
  private static let largest = 1 << 20

  /// Requests a card.
  ///
  /// - Parameter owner: nil: our own account.
  package static func request(of owner: JID? = nil, id: String) -> [UInt8] {
    IQ.get(to: owner?.description, id: id) { $0.empty("vCard", xmlns: namespace) }
  }

  /// The picture in the answer to `request`; its type is that of its bytes (XEP-0153, section 4).
  package static func photo(in iq: Element) -> Avatar? {
    guard let value = iq.child("vCard", namespace)?.child("PHOTO", namespace)?.child("BINVAL", namespace) else {
      return nil
    }
    return Avatar(base64: value.text)
  }

  /// The fields of a card, with another photo; nil if they are too long.
  ///
  /// - Parameters:
  ///   - card: the answer to `request`; nil: there was no card.
  ///   - photo: nil: none.
  package static func changed(_ card: Element?, photo: Avatar?) -> [UInt8]? {
    var others: [UInt8] = []
    let fields = card?.child("vCard", namespace).map { Array($0.children) } ?? []
    for field in fields where !field.isNamed("PHOTO", namespace) {
      guard
        field.serialize(into: &others, inheriting: "\(namespace)", limit: largest - others.count)
      else { return nil }
    }
    guard let photo else { return others }
    var writer = XMLWriter(others)
    write(photo, into: &writer)
    return writer.bytes
  }

  /// Sets our card to these fields.
  package static func set(_ fields: [UInt8], id: String) -> [UInt8] {
    IQ.set(id: id) { writer in
      writer.open("vCard", xmlns: namespace)
      writer.raw(fields)
      writer.close()
    }
  }

  private static func write(_ photo: Avatar, into writer: inout XMLWriter) {
    writer.open("PHOTO")
    writer.element("TYPE", text: photo.header.format.rawValue)
    writer.element("BINVAL", text: Base64.encode(photo.bytes))
    writer.close()
  }
}

/// A card as servers have had it since 1999, for accounts without a newer one.
extension Profile {
  /// Reads the answer to `VCardTemp.request`; nil: it holds no vCard.
  package init?(legacy iq: Element) {
    guard let card = iq.child("vCard", VCardTemp.namespace) else { return nil }
    for (name, parts, property) in Self.legacyNames {
      for element in card.children(name, VCardTemp.namespace) {
        let texts =
          parts.isEmpty ? [element.text] : parts.flatMap { element.children($0, VCardTemp.namespace).map(\.text) }
        add(texts.filter { !$0.isEmpty }.joined(separator: ", "), to: property)
      }
    }
  }

  /// Elements, and those in them that hold the value; none: they hold it themselves.
  private static let legacyNames: [(StaticString, [StaticString], Property)] = [
    ("FN", [], .fullName), ("NICKNAME", [], .nickname), ("EMAIL", ["USERID"], .email), ("TEL", ["NUMBER"], .phone),
    ("JABBERID", [], .addressOfXMPP), ("URL", [], .url), ("BDAY", [], .birthday),
    ("ORG", ["ORGNAME", "ORGUNIT"], .organisation), ("TITLE", [], .title), ("ROLE", [], .role),
    ("ADR", ["POBOX", "EXTADD", "STREET", "LOCALITY", "REGION", "PCODE", "CTRY"], .address), ("DESC", [], .note),
    ("NOTE", [], .note),
  ]
}
