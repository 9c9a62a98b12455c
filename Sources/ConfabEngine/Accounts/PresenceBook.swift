import XML
import XMPPCore
import XMPPExtensions

/// Who is there: the last presence of each resource, for as long as the stream lives (RFC 6121, section 4).
/// Bounded, since strangers can send presence too.
struct PresenceBook {
  /// One resource's presence.
  struct Resource: Sendable, Equatable {
    var name: String
    /// `available`, `away`, `xa`, `dnd` or `chat`.
    var show: String
    var status: String
    var priority: Int
  }

  static let maximumContacts = 10_000
  static let maximumResources = 32

  private var byJID: [String: [Resource]] = [:]

  /// In the order of their bytes.
  var jids: [String] { byJID.keys.sorted() }

  /// The resources of a contact, the one with the highest priority first.
  func resources(of jid: String) -> [Resource] { byJID[jid] ?? [] }

  /// Takes an available or unavailable presence; true where it changed something.
  mutating func receive(_ element: Element, from: JID) -> Bool {
    let jid = from.bare.description
    let before = byJID[jid] ?? []
    var resources = before.filter { $0.name != from.resource ?? "" }
    if element.attribute("type") == nil {
      guard resources.count < Self.maximumResources, byJID[jid] != nil || byJID.count < Self.maximumContacts else {
        return false
      }
      resources.append(Resource(element, name: from.resource ?? ""))
      resources.sort { ($1.priority, $0.name) < ($0.priority, $1.name) }
    } else if from.resource == nil {
      resources = []
    }
    byJID[jid] = resources.isEmpty ? nil : resources
    return resources != before
  }
}

extension PresenceBook.Resource {
  init(_ element: Element, name: String) {
    self.name = name
    let show = element.child("show", Namespace.client)?.text ?? ""
    self.show = ["away", "xa", "dnd", "chat"].contains(show) ? show : "available"
    status = element.child("status", Namespace.client)?.text ?? ""
    priority = element.child("priority", Namespace.client).flatMap { Int($0.text) } ?? 0
  }
}
