package import XML
package import XMPPCore

/// XEP-0402: a room that our devices remember, an item of a node of our account with the room's address as its id. It is
/// the value of XEP-0048's bookmarks, too (`BookmarkStorage`).
package struct RoomBookmark: Sendable, Equatable {
  package static let namespace: StaticString = "urn:xmpp:bookmarks:1"
  package static let node = "\(namespace)"
  /// Our own devices alone may read the node, and it keeps all rooms (section 3.3).
  package static let options = NodeOptions(.whitelist, mostItems: "max", sendsLastItem: false)
  /// The features of accounts whose older bookmarks (XEP-0049, and XEP-0048 at a node) are these (section 5.3).
  package static let compatible: StaticString = "urn:xmpp:bookmarks:1#compat"
  package static let compatibleWithNode: StaticString = "urn:xmpp:bookmarks:1#compat-pep"

  package var room: JID
  /// The user's name for the room.
  package var name: String?
  /// True if devices are to be in the room.
  package var autojoin: Bool
  package var nick: String?
  package var password: String?
  /// All that other clients store with the room, one element after the other, each XML of its own.
  package var extensions: [UInt8]

  package init(
    _ room: JID, name: String? = nil, autojoin: Bool, nick: String? = nil, password: String? = nil,
    extensions: [UInt8] = []
  ) {
    (self.room, self.name, self.autojoin) = (room.bare, name, autojoin)
    (self.nick, self.password, self.extensions) = (nick, password, extensions)
  }

  /// Bytes of one. A longer one is none, so that it is not written with less in it.
  static let mostBytes = 64 << 10

  /// Reads an item; nil: it is no bookmark of a room.
  package init?(_ item: PubSub.Item) {
    guard let room = item.id.flatMap({ try? JID($0) }), let conference = item.payload,
      conference.isNamed("conference", Self.namespace)
    else { return nil }
    let further = conference.child("extensions", Self.namespace).map { Array($0.children) } ?? []
    self.init(room, conference, Self.namespace, further)
  }

  /// - Parameter further: elements to keep.
  init?(_ room: JID, _ conference: Element, _ namespace: StaticString, _ further: [Element]) {
    guard room.isBare, room.local != nil, let extensions = KeptXML.write(further, limit: Self.mostBytes) else {
      return nil
    }
    self.init(
      room, name: Self.some(conference.attribute("name")),
      autojoin: XMLBoolean.read(conference.attribute("autojoin")) ?? false,
      nick: MultiUserChat.nick(conference.child("nick", namespace)?.text),
      password: Self.some(conference.child("password", namespace)?.text), extensions: extensions)
    guard byteCount <= Self.mostBytes else { return nil }
  }

  private static func some(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }

  private var byteCount: Int {
    [name, nick, password].reduce(extensions.count) { $0 + ($1?.utf8.count ?? 0) }
  }

  /// Writes the `<conference/>` of an item.
  package func write(into writer: inout XMLWriter) {
    writer.open("conference", xmlns: Self.namespace)
    writeParts(into: &writer)
    if !extensions.isEmpty {
      writer.open("extensions")
      writer.raw(extensions)
      writer.close()
    }
    writer.close()
  }

  /// Writes what XEP-0048 has, too.
  func writeParts(into writer: inout XMLWriter) {
    writer.attribute("name", name)
    writer.attribute("autojoin", autojoin ? "true" : "false")
    if let nick { writer.element("nick", text: nick) }
    if let password { writer.element("password", text: password) }
  }

  /// Stores the bookmark.
  package func publish(options: NodeOptions? = Self.options, id: String) -> [UInt8] {
    PubSub.publish(room.description, on: Self.node, options: options, id: id) { write(into: &$0) }
  }

  package static func retract(_ room: JID, id: String) -> [UInt8] {
    PubSub.retract(room.bare.description, of: node, id: id)
  }

  /// The setting for notifications of the room (XEP-0492); nil: there is none.
  package var notification: ChatNotification? {
    get { ChatNotification.of(KeptXML.read(extensions)) }
    set { extensions = ChatNotification.set(newValue, in: extensions) }
  }
}

/// Elements that are kept as they came, one after the other.
enum KeptXML {
  /// Nil if that takes more than `limit` bytes.
  static func write(_ elements: [Element], limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    for element in elements {
      // No namespace is inherited, not even none: an element without one says so.
      guard element.serialize(into: &bytes, inheriting: "\u{0}", limit: limit - bytes.count) else { return nil }
    }
    return bytes
  }

  static func write(_ element: Element) -> [UInt8] { write([element], limit: .max >> 1) ?? [] }

  static func read(_ bytes: [UInt8]) -> [Element] { bytes.isEmpty ? [] : UnknownPayloads.parse(bytes) ?? [] }
}
