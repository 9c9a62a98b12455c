package import XML
package import XMPPCore

/// The rooms that a service lists, or a page of them (XEP-0045, section 6.3; XEP-0059). Services without pages send all.
package struct RoomListing: Sendable, Equatable {
  package struct Room: Sendable, Equatable {
    package let jid: JID
    /// As the service sends it.
    package let name: String?
    /// The name without the count behind it.
    package let title: String?
    /// The count of occupants in a name such as `title (12)`, as ejabberd writes it. A hint: it may be part of the title.
    package let members: Int?

    init(_ jid: JID, name: String?) {
      (self.jid, self.name) = (jid, name)
      guard let name, let count = Self.count(in: name) else {
        (title, members) = (name, nil)
        return
      }
      (title, members) = (count.title.isEmpty ? nil : String(count.title), count.members)
    }

    /// A private room's ends with `(private, 12)`.
    private static func count(in name: String) -> (title: Substring, members: Int)? {
      guard name.last == ")", let open = name.lastIndex(of: "(") else { return nil }
      let inside = name[name.index(after: open)...].dropLast()
      let digits = inside.split(separator: ", ", omittingEmptySubsequences: false).last ?? ""
      guard (1...7).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
      let title = name[..<open]
      return Int(digits).map { (title.last == " " ? title.dropLast() : title, $0) }
    }
  }

  /// Each room once, in the service's order.
  package private(set) var rooms: [Room]
  package private(set) var bounds: ResultSet.Bounds?
  /// Items, whether or not they are rooms.
  private let itemCount: Int
  /// True if others follow that were not sent, or are left out of `rooms`.
  package private(set) var isCutOff = false

  /// How many rooms there are in all, as far as that is known.
  package var total: Int { bounds?.count ?? rooms.count }

  package static func request(at service: JID, _ page: ResultSet.Page, max: Int, id: String) -> [UInt8] {
    IQ.get(to: service.description, id: id) { writer in
      writer.open("query", xmlns: Namespace.discoItems)
      ResultSet.write(page, max: max, into: &writer)
      writer.close()
    }
  }

  /// Reads the answer; nil: it is none. Items that no room can have are left out.
  package init?(_ iq: Element) {
    guard let query = iq.child("query", Namespace.discoItems) else { return nil }
    bounds = ResultSet.Bounds(in: query)
    var seen: Set<JID> = []
    itemCount = query.children("item", Namespace.discoItems).count
    rooms = query.children("item", Namespace.discoItems).compactMap { item in
      guard item.attribute("node") == nil, let jid = item.jid("jid"), jid.isBare, jid.local != nil,
        seen.insert(jid).inserted
      else { return nil }
      return Room(jid, name: item.attribute("name").flatMap(Element.bounded))
    }
  }

  /// Leaves so many rooms behind one, or from the first on. A service without pages has sent all.
  ///
  /// - Returns: false if the page is of a list without that room.
  package mutating func cut(behind room: JID?, limit: Int) -> Bool {
    let more: Bool
    if let bounds, let count = bounds.count, let index = bounds.index {
      more = index + itemCount < count
    } else {
      more = bounds?.last != nil && itemCount >= limit
    }
    let isPage = bounds?.last != nil || rooms.isEmpty
    if let room {
      if let place = rooms.firstIndex(where: { $0.jid == room }) {
        rooms.removeFirst(place + 1)
      } else if !isPage {
        return false
      }
    }
    isCutOff = more || rooms.count > limit
    rooms = Array(rooms.prefix(limit))
    return true
  }
}
