import XML
import XMPPCore

/// The personal nodes (XEP-0163) of which a user's client is notified: those of contacts and the user's own.
struct ServerNodes {
  /// A node of somebody's.
  struct Key: Hashable {
    let owner: String
    let node: String
  }

  struct Item {
    let id: String
    let payload: String
  }

  static let nickname = "http://jabber.org/protocol/nick"
  static let avatar = "urn:xmpp:avatar:metadata"
  static let displayed = "urn:xmpp:mds:displayed:0"
  static let namespace: StaticString = "http://jabber.org/protocol/pubsub"

  /// The items of each node, the newest last.
  private var items: [Key: [Item]] = [:]

  func items(of key: Key) -> [Item] { items[key] ?? [] }

  /// Publishes an item in place of the one with its id; the nodes of nicknames and avatars keep the newest alone.
  mutating func publish(_ item: Item, on key: Key) {
    items[key, default: []].removeAll { $0.id == item.id || key.node != Self.displayed }
    items[key, default: []].append(item)
  }

  /// The notifications of the last items, for a client that comes online.
  var lastEvents: [String] {
    items.sorted { ($0.key.owner, $0.key.node) < ($1.key.owner, $1.key.node) }.compactMap { key, items in
      items.last.map { Self.event($0, on: key) }
    }
  }

  static func event(_ item: Item, on key: Key) -> String {
    "<message from='\(key.owner)' type='headline'><event xmlns='http://jabber.org/protocol/pubsub#event'>"
      + "<items node='\(key.node)'>\(xml(item))</items></event></message>"
  }

  /// The answer to a request for all items of a node; nil: there are none.
  func answer(_ key: Key) -> String? {
    let items = items(of: key)
    guard !items.isEmpty else { return nil }
    return
      "<pubsub xmlns='\(Self.namespace)'><items node='\(key.node)'>\(items.map(Self.xml).joined())</items></pubsub>"
  }

  private static func xml(_ item: Item) -> String { "<item id='\(item.id)'>\(item.payload)</item>" }

  static func displayed(_ archiveID: String, by user: String) -> String {
    "<displayed xmlns='\(displayed)'><stanza-id xmlns='urn:xmpp:sid:0' by='\(user)' id='\(archiveID)'/></displayed>"
  }
}

extension ServerConnection {
  /// Answers a request to the nodes of the account, the only ones that are asked for.
  func takePubSub(_ pubsub: Element, _ id: String, _ mailbox: Mailbox) {
    if let node = pubsub.child("items", ServerNodes.namespace)?.attribute("node") {
      guard let answer = mailbox.nodes.answer(.init(owner: mailbox.jid, node: node)) else {
        return refuse(id, "item-not-found")
      }
      return self.answer(id, answer)
    }
    if let publish = pubsub.child("publish", ServerNodes.namespace),
      let item = publish.child("item", ServerNodes.namespace), let conversation = item.attribute("id"),
      let displayed = item.child("displayed", "urn:xmpp:mds:displayed:0"),
      let archiveID = displayed.child("stanza-id", Namespace.stanzaIDs)?.attribute("id")
    {
      mailbox.publish(
        .init(id: conversation, payload: ServerNodes.displayed(archiveID, by: mailbox.jid)),
        on: .init(owner: mailbox.jid, node: ServerNodes.displayed))
    }
    answer(id, "")
  }
}
