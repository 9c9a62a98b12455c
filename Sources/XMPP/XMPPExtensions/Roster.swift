package import XML
package import XMPPCore

/// RFC 6121, section 2: the contacts that our server keeps for us.
package struct Roster: Sendable, Equatable {
  /// The directions in which presence is shared (section 2.1.2.5).
  package enum Subscription: String, Sendable, Hashable, CaseIterable {
    case none, to, from, both
    /// Only in pushes: the contact is gone.
    case remove

    /// True if the contact may see our presence.
    package var contactSeesUs: Bool { self == .from || self == .both }
  }

  package struct Item: Sendable, Hashable {
    package var jid: JID
    /// The name that we gave, at most `longestName` scalars.
    package var name: String?
    package var subscription: Subscription
    /// We asked to see the contact's presence, and there is no answer yet.
    package var isAsked: Bool
    /// In the order that they came in, each once.
    package var groups: [String]

    package init(
      jid: JID, name: String? = nil, subscription: Subscription = .none, isAsked: Bool = false,
      groups: [String] = []
    ) {
      self.jid = jid
      self.name = name
      self.subscription = subscription
      self.isAsked = isAsked
      self.groups = groups
    }
  }

  /// The version for the next request (section 2.6); nil if the server keeps no versions.
  package var version: String?
  package var items: [Item]

  /// The limit of a contact's or a group's name, in scalars.
  package static let longestName = 1_023

  /// The limit of a version, in bytes; a longer one counts as none.
  package static let longestVersion = 1_024

  package init(version: String? = nil, items: [Item]) {
    (self.version, self.items) = (version, items)
  }

  /// Reads a `<query/>`, or the iq that it stands in; nil where it is neither. Items without an address that is one are
  /// left out, and those that are gone; of two with the same address the last counts.
  package init?(_ element: Element) {
    let isQuery = element.isNamed("query", Namespace.roster)
    guard let query = isQuery ? element : element.child("query", Namespace.roster) else { return nil }
    version = Self.version(of: query)
    items = []
    var places: [JID: Int] = [:]
    for item in query.children.lazy.compactMap(Item.init) where item.subscription != .remove {
      if let place = places[item.jid] {
        items[place] = item
      } else {
        places[item.jid] = items.count
        items.append(item)
      }
    }
  }

  fileprivate static func version(of query: Element) -> String? {
    query.attribute("ver").flatMap { $0.utf8.count <= longestVersion ? $0 : nil }
  }
}

extension Roster.Item {
  /// Nil where the element is no item of an account's address. An unknown subscription counts as none.
  package init?(_ element: Element) {
    guard element.isNamed("item", Namespace.roster), let jid = element.attribute("jid").flatMap({ try? JID($0) }) else {
      return nil
    }
    self.init(
      jid: jid.bare, name: element.attribute("name").map(Self.cut).flatMap { $0.isEmpty ? nil : $0 },
      subscription: element.attribute("subscription").flatMap(Roster.Subscription.init) ?? .none,
      isAsked: element.attribute("ask", equals: "subscribe"))
    var known: Set<[UInt8]> = []
    for group in element.children("group", Namespace.roster).map({ Self.cut($0.text) })
    where !group.isEmpty && known.insert(Array(group.utf8)).inserted { groups.append(group) }
  }

  private static func cut(_ name: String) -> String {
    name.utf8.count <= Roster.longestName ? name : String(name.unicodeScalars.prefix(Roster.longestName))
  }
}

/// RFC 6121, section 2: asking for the roster and changing it.
extension Roster {
  /// Asks for all of it. An empty version says that we can keep versions but have none; nil that we do not ask for them.
  /// An answer without a query means that what we have is right, and that changes come as pushes.
  package static func request(id: String, version: String?) -> [UInt8] {
    IQ.get(id: id) { $0.empty("query", xmlns: Namespace.roster, attributes: ["ver": version]) }
  }

  /// Adds a contact, or changes its name and groups. The subscription does not change.
  package static func set(id: String, jid: JID, name: String?, groups: [String]) -> [UInt8] {
    IQ.set(id: id) { writer in
      writer.open("query", xmlns: Namespace.roster)
      writer.open("item", attributes: ["jid": jid.bare.description, "name": name])
      for group in groups { writer.element("group", text: group) }
      writer.close()
      writer.close()
    }
  }

  /// Removes a contact, and ends both sides' subscriptions.
  package static func remove(id: String, jid: JID) -> [UInt8] {
    IQ.set(id: id) { writer in
      writer.open("query", xmlns: Namespace.roster)
      writer.empty("item", attributes: ["jid": jid.bare.description, "subscription": "remove"])
      writer.close()
    }
  }
}

/// RFC 6121, section 2.1.6: the server tells of a change.
package struct RosterPush: Sendable, Equatable {
  package var version: String?
  package var item: Roster.Item

  /// Nil where the element is no push, or is from somebody who may make none: a push has no sender, or exactly our own
  /// bare address. Everything else, our own server's address and our other clients' among it, is somebody's attempt to
  /// write into our roster.
  package init?(_ iq: Element, own: JID) {
    guard let header = StanzaHeader(iq), header.kind == .iq, header.type == "set", header.id != nil else {
      return nil
    }
    guard header.from == nil || header.fromJID == own.bare else { return nil }
    // One payload, as in every request, and exactly one item in it: section 2.1.6.
    guard let query = iq.onlyChild, query.isNamed("query", Namespace.roster),
      query.children("item", Namespace.roster).count == 1,
      let item = query.child("item", Namespace.roster).flatMap(Roster.Item.init)
    else { return nil }
    version = Roster.version(of: query)
    self.item = item
  }
}

extension Element {
  /// The child of an element that has exactly one.
  var onlyChild: Element? {
    var children = self.children
    guard let first = children.next(), children.next() == nil else { return nil }
    return first
  }
}
