package import XML
package import XMPPCore

/// XEP-0048: all bookmarks of an account in one element, for accounts that have no other ones. It is read, changed and
/// written as a whole, so that what we do not know in it stays.
package struct BookmarkStorage: Sendable, Equatable {
  package static let namespace: StaticString = "storage:bookmarks"
  /// The item that holds it, where it is not in XEP-0049.
  package static let node = "\(namespace)"
  package static let itemID = "current"
  package static let options = NodeOptions(.whitelist, sendsLastItem: false)

  private struct Entry: Sendable, Equatable {
    /// Nil: it is no room.
    var bookmark: RoomBookmark?
    /// The element as it came, its namespace declared.
    var xml: [UInt8]
  }

  private var entries: [Entry] = []
  private static let mostBytes = 1 << 20

  package init() {}

  /// Reads a `<storage/>`; nil: it is none, or is too long to be written again.
  package init?(_ storage: Element) {
    guard storage.isNamed("storage", Self.namespace) else { return nil }
    var left = Self.mostBytes
    for element in storage.children {
      guard let xml = KeptXML.write([element], limit: left) else { return nil }
      left -= xml.count
      entries.append(Entry(bookmark: Self.bookmark(element), xml: xml))
    }
  }

  /// Reads the item of the node.
  package init?(_ item: PubSub.Item) {
    guard let payload = item.payload else { return nil }
    self.init(payload)
  }

  /// The rooms, each once: the first entry of one counts.
  package var rooms: [RoomBookmark] {
    var seen: Set<JID> = []
    return entries.compactMap(\.bookmark).filter { seen.insert($0.room).inserted }
  }

  /// Changes a room's entry, or adds one.
  package mutating func set(_ bookmark: RoomBookmark) {
    let entry = Entry(bookmark: bookmark, xml: Self.written(bookmark))
    if let index = entries.firstIndex(where: { $0.bookmark?.room == bookmark.room }) {
      if entries[index].bookmark != bookmark { entries[index] = entry }
    } else {
      entries.append(entry)
    }
  }

  package mutating func remove(_ room: JID) { entries.removeAll { $0.bookmark?.room == room.bare } }

  /// Bytes of what is written, about: a server may take no stanza as long as that (XEP-0478).
  package var byteCount: Int { entries.reduce(0) { $0 + $1.xml.count } }

  /// Writes the `<storage/>`.
  package func write(into writer: inout XMLWriter) {
    writer.open("storage", xmlns: Self.namespace)
    for entry in entries { writer.raw(entry.xml) }
    writer.close()
  }

  /// Stores it at the node.
  package func publish(options: NodeOptions? = Self.options, id: String) -> [UInt8] {
    PubSub.publish(Self.itemID, on: Self.node, options: options, id: id) { write(into: &$0) }
  }

  /// A `<conference/>`: all but its nick and password is kept as it came.
  private static func bookmark(_ conference: Element) -> RoomBookmark? {
    guard conference.isNamed("conference", namespace), let room = conference.jid("jid") else { return nil }
    let further = conference.children.filter { !$0.isNamed("nick", namespace) && !$0.isNamed("password", namespace) }
    return RoomBookmark(room, conference, namespace, further)
  }

  private static func written(_ bookmark: RoomBookmark) -> [UInt8] {
    var writer = XMLWriter()
    writer.open("conference", xmlns: namespace, attributes: ["jid": bookmark.room.description])
    bookmark.writeParts(into: &writer)
    writer.raw(bookmark.extensions)
    writer.close()
    return writer.bytes
  }
}
