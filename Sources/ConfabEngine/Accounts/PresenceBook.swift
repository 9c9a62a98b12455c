import XMPPCore

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
  /// Of these, people who are not in the roster.
  static let maximumStrangers = 1_000
  static let maximumResources = 32
  /// What one contact may take, and all of them together, as `Resource.footprint` counts it.
  static let maximumContactBytes = 64 << 10
  static let maximumBytes = 4 << 20

  private struct Contact {
    var resources: [Resource] = []
    var isStranger: Bool
    var bytes: Int { resources.reduce(0) { $0 + $1.footprint } }
  }

  private var byJID: [String: Contact] = [:]
  private var strangers = 0
  private var bytes = 0

  /// In the order of their bytes.
  var jids: [String] { byJID.keys.sorted() }

  /// The resources of a contact, the one with the highest priority first.
  func resources(of jid: String) -> [Resource] { byJID[jid]?.resources ?? [] }

  /// Takes an available or unavailable presence; true where it changed something. A resource for whose presence there is
  /// no room counts as gone: what it was before is not true any more.
  mutating func receive(_ presence: Presence, from: JID, isStranger: Bool) -> Bool {
    let jid = from.bare.description
    let before = take(jid)
    var contact = before ?? Contact(isStranger: isStranger)
    contact.resources.removeAll { $0.name == from.resource ?? "" }
    if presence.kind == .available {
      add(Resource(presence, name: from.resource ?? ""), to: &contact)
    } else if from.resource == nil {
      contact.resources = []
    }
    put(contact, jid)
    return contact.resources != before?.resources ?? []
  }

  private func add(_ resource: Resource, to contact: inout Contact) {
    let isNew = contact.resources.isEmpty
    guard !isNew || byJID.count < Self.maximumContacts && !(contact.isStranger && strangers >= Self.maximumStrangers)
    else { return }
    let size = contact.bytes + resource.footprint
    guard contact.resources.count < Self.maximumResources, size <= Self.maximumContactBytes,
      bytes + size <= Self.maximumBytes
    else { return }
    contact.resources.append(resource)
    contact.resources.sort { ($1.priority, $0.name) < ($0.priority, $1.name) }
  }

  private mutating func take(_ jid: String) -> Contact? {
    guard let contact = byJID.removeValue(forKey: jid) else { return nil }
    bytes -= contact.bytes
    if contact.isStranger { strangers -= 1 }
    return contact
  }

  private mutating func put(_ contact: Contact, _ jid: String) {
    guard !contact.resources.isEmpty else { return }
    byJID[jid] = contact
    bytes += contact.bytes
    if contact.isStranger { strangers += 1 }
  }
}

extension PresenceBook.Resource {
  fileprivate init(_ presence: Presence, name: String) {
    self.name = name
    show = presence.show?.rawValue ?? "available"
    status = presence.status ?? ""
    priority = Int(presence.priority)
  }

  /// About how many bytes of memory it takes, its share of the tables included.
  fileprivate var footprint: Int { 256 + name.utf8.count + status.utf8.count }
}
