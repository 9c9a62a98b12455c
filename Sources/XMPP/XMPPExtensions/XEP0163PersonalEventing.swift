package import XML

/// XEP-0163: a change on one node of an account. The sender of the message is the owner: an account reports only its
/// own nodes.
package struct PersonalEvent: Sendable, Equatable {
  package static let namespace: StaticString = "http://jabber.org/protocol/pubsub#event"

  package let node: String
  /// Published, in the order in which they stand.
  package var items: [PubSub.Item] = []
  /// The ids of retracted items.
  package var retracted: [String] = []
  /// True if all items of the node are gone: it was purged or deleted.
  package var isEmptied = false

  /// Reads the `<event/>` of a message; nil if it says nothing of items.
  package init?(_ event: Element) {
    guard let change = event.children.first(where: { $0.isIn(Self.namespace) }), let node = change.attribute("node")
    else { return nil }
    self.node = node
    if change.isNamed("items", Self.namespace) {
      items = change.children("item", Self.namespace).map(PubSub.Item.init)
      retracted = change.children("retract", Self.namespace).compactMap { $0.attribute("id") }
    } else {
      isEmptied = change.isNamed("purge", Self.namespace) || change.isNamed("delete", Self.namespace)
      if !isEmptied { return nil }
    }
  }
}
