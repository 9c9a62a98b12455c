package import XML
package import XMPPCore

/// XEP-0060: requests to nodes and their answers, as far as personal eventing needs them (XEP-0163).
package enum PubSub {
  package static let namespace: StaticString = "http://jabber.org/protocol/pubsub"
  private static let owner: StaticString = "http://jabber.org/protocol/pubsub#owner"
  private static let errors: StaticString = "http://jabber.org/protocol/pubsub#errors"
  private static let config: StaticString = "http://jabber.org/protocol/pubsub#node_config"
  /// The feature of servers that check publish-options, and their form (section 7.1.5).
  package static let publishOptions: StaticString = "http://jabber.org/protocol/pubsub#publish-options"

  /// One item of a node.
  package struct Item: Sendable, Equatable {
    package var id: String?
    /// The only child; nil: there is none, or several.
    package var payload: Element?

    init(_ element: Element) { (id, payload) = (element.attribute("id"), element.onlyChild) }
  }

  // MARK: Requests

  /// Requests items of a node (section 6.5).
  ///
  /// - Parameters:
  ///   - itemID: nil: all.
  ///   - mostRecent: of all no more than so many of the newest; nil: all.
  ///   - owner: whose node it is; nil: our own account.
  package static func requestItems(
    of node: String, itemID: String? = nil, mostRecent: Int? = nil, at owner: JID? = nil, id: String
  ) -> [UInt8] {
    IQ.get(to: owner?.description, id: id) { writer in
      writer.open("pubsub", xmlns: namespace)
      writer.open("items", attributes: ["node": node, "max_items": mostRecent.map { "\($0)" }])
      if let itemID { writer.empty("item", attributes: ["id": itemID]) }
      writer.close()
      writer.close()
    }
  }

  /// Publishes an item on a node of our own account (section 7.1).
  ///
  /// - Parameters:
  ///   - itemID: nil: the server chooses one.
  ///   - options: what the node has to be, or becomes if it is new; nil: as it is. Only for a server with the
  ///   feature `publishOptions`: another one ignores them.
  package static func publish(
    _ itemID: String?, on node: String, options: NodeOptions? = nil, id: String, _ payload: IQ.Payload
  ) -> [UInt8] {
    IQ.set(id: id) { writer in
      writer.open("pubsub", xmlns: namespace)
      writer.open("publish", attributes: ["node": node])
      writer.open("item", attributes: ["id": itemID])
      payload(&writer)
      writer.close()
      writer.close()
      if let options {
        writer.open("publish-options")
        options.write(as: publishOptions, into: &writer)
        writer.close()
      }
      writer.close()
    }
  }

  /// Retracts an item of a node of our own account, and lets our other devices know (section 7.2).
  package static func retract(_ itemID: String, of node: String, id: String) -> [UInt8] {
    IQ.set(id: id) { writer in
      writer.open("pubsub", xmlns: namespace)
      writer.open("retract", attributes: ["node": node, "notify": "true"])
      writer.empty("item", attributes: ["id": itemID])
      writer.close()
      writer.close()
    }
  }

  /// Makes a node of our own account that is what `options` say (section 8.1.3).
  package static func create(_ node: String, _ options: NodeOptions, id: String) -> [UInt8] {
    IQ.set(id: id) { writer in
      writer.open("pubsub", xmlns: namespace)
      writer.empty("create", attributes: ["node": node])
      writer.open("configure")
      options.write(as: config, into: &writer)
      writer.close()
      writer.close()
    }
  }

  /// Changes a node of our own account to what `options` say (section 8.2.4).
  package static func configure(_ node: String, _ options: NodeOptions, id: String) -> [UInt8] {
    IQ.set(id: id) { writer in
      writer.open("pubsub", xmlns: owner)
      writer.open("configure", attributes: ["node": node])
      options.write(as: config, into: &writer)
      writer.close()
      writer.close()
    }
  }

  // MARK: Answers

  /// The items of the answer to `requestItems`; nil if it holds none of this node.
  package static func items(in iq: Element, of node: String) -> [Item]? {
    guard let items = iq.child("pubsub", namespace)?.child("items", namespace), items.attribute("node") == node
    else { return nil }
    return items.children("item", namespace).map(Item.init)
  }

  /// True if an error says that the node differs from the publish options (section 7.1.5.2).
  package static func isPreconditionNotMet(_ iq: Element) -> Bool {
    iq.child("error", Namespace.client)?.child("precondition-not-met", errors) != nil
  }
}

/// The options of a node (XEP-0060, section 16.4.4).
package struct NodeOptions: Sendable, Equatable {
  /// The readers that it admits.
  package enum Access: String, Sendable {
    /// Anybody.
    case open
    /// All who may see our presence.
    case presence
    /// Our own devices alone (XEP-0223).
    case whitelist
  }

  package var access: Access
  /// How many items it keeps: a number, or `max` for as many as the server allows.
  package var mostItems: String?
  /// True if the last item is sent to subscribers that come online; nil leaves it to the server.
  package var sendsLastItem: Bool?

  package init(_ access: Access, mostItems: String? = nil, sendsLastItem: Bool? = nil) {
    (self.access, self.mostItems, self.sendsLastItem) = (access, mostItems, sendsLastItem)
  }

  /// Options that every server with publish-options knows.
  package var basic: NodeOptions { NodeOptions(access) }

  fileprivate func write(as form: StaticString, into writer: inout XMLWriter) {
    DataForm.writeSubmit("\(form)", fields, into: &writer)
  }

  private var fields: [DataForm.Change] {
    var fields = [
      DataForm.Change("pubsub#persist_items", ["true"]), DataForm.Change("pubsub#access_model", [access.rawValue]),
    ]
    if let mostItems { fields.append(DataForm.Change("pubsub#max_items", [mostItems])) }
    if let sendsLastItem {
      let when = sendsLastItem ? "on_sub_and_presence" : "never"
      fields.append(DataForm.Change("pubsub#send_last_published_item", [when]))
    }
    return fields
  }
}
