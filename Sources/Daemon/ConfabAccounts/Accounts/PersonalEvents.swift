import XML
import XMPPCore
import XMPPExtensions

/// Gives the events of nodes (XEP-0163) to the parts that keep what the nodes hold. An account tells of its own nodes
/// alone, by its bare JID: our own account, and contacts on the roster. Others are ignored.
final class PersonalEvents {
  /// Takes an event of one node, and the bare JID whose node it is.
  typealias Handler = (PersonalEvent, _ owner: JID) -> Void

  private let own: JID
  private let roster: RosterSync
  /// By node. A node in here is announced by its extension's `+notify` feature (`Registry`).
  var handlers: [String: Handler] = [:]

  init(of own: JID, _ roster: RosterSync) { (self.own, self.roster) = (own, roster) }

  func receive(_ event: PersonalEvent, from: JID) {
    guard let handler = handlers[event.node], from.isBare, from == own || roster.has(from.description) else { return }
    handler(event, from)
  }
}

/// Requests items of nodes, and publishes on those of our own account (XEP-0060, XEP-0163). The caller checks that the
/// account has nodes (`ServerFeatures`).
final class PersonalNodes {
  private let requests: Requests
  /// The server has refused no options but those that every server knows.
  private var knowsOptions = true

  init(_ requests: Requests) { self.requests = requests }

  /// Requests items of a node.
  ///
  /// - Parameters:
  ///   - owner: whose node it is; nil: our own account.
  ///   - itemID: nil: all, or the newest `mostRecent` of them.
  func requestItems(
    of node: String, at owner: JID? = nil, itemID: String? = nil, mostRecent: Int? = nil, isOfClient: Bool = false,
    then answered: @escaping (IQAnswer) -> Void
  ) {
    let request = { PubSub.requestItems(of: node, itemID: itemID, mostRecent: mostRecent, at: owner, id: $0) }
    requests.askUntilAnswered(owner, isOfClient: isOfClient, request, then: answered)
  }

  /// Publishes an item. A node that is not what the options say is changed to that, and tried once more. A server that
  /// does not know all of the options (ejabberd 23.01) gets a node made of them, and publications with the rest.
  ///
  /// - Parameter options: nil for a server without publish-options, and for a node that may be as it is.
  func publish(
    _ itemID: String?, on node: String, _ options: NodeOptions? = nil, isOfClient: Bool = false,
    _ payload: @escaping IQ.Payload, then answered: @escaping (IQAnswer) -> Void
  ) {
    let publish = { [requests] (options: NodeOptions?, then: @escaping (IQAnswer) -> Void) in
      let request = { PubSub.publish(itemID, on: node, options: options, id: $0, payload) }
      requests.ask(isOfClient: isOfClient, request, then: then)
    }
    let known = knowsOptions ? options : options?.basic
    publish(known) { [self] answer in
      guard let options, case .error(let iq) = answer else { return answered(answer) }
      if PubSub.isPreconditionNotMet(iq) {
        configure(node, options, isOfClient) { configured in
          if case .result = configured { publish(known, answered) } else { answered(configured) }
        }
      } else if knowsOptions, options != options.basic {
        knowsOptions = false
        create(node, options, isOfClient) { _ in publish(options.basic, answered) }
      } else {
        answered(answer)
      }
    }
  }

  /// Makes a node, or changes the one that is there.
  private func create(
    _ node: String, _ options: NodeOptions, _ isOfClient: Bool, then created: @escaping (IQAnswer) -> Void
  ) {
    requests.ask(isOfClient: isOfClient) {
      PubSub.create(node, options, id: $0)
    } then: { [self] answer in
      if case .error = answer { configure(node, options, isOfClient, then: created) } else { created(answer) }
    }
  }

  private func configure(
    _ node: String, _ options: NodeOptions, _ isOfClient: Bool, then configured: @escaping (IQAnswer) -> Void
  ) {
    requests.ask(isOfClient: isOfClient, { PubSub.configure(node, options, id: $0) }, then: configured)
  }
}
