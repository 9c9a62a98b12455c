package import Records

/// The last presence of each resource, for as long as the stream lives (RFC 6121, section 4). Bounded, since strangers
/// can send presence too.
package struct PresenceBook: Sendable {
  /// One resource's presence.
  package struct Resource: Sendable, Equatable {
    package var name: String
    /// `available`, `away`, `xa`, `dnd` or `chat`.
    package var show: String
    package var status: String
    package var priority: Int64
    /// Since when nobody has been there, in milliseconds since 1970; nil: it is not said.
    package var idleSince: Int64?
  }

  package static let maximumContacts = 10_000
  /// The bound on contacts that are not in the roster.
  package static let maximumStrangers = 1_000
  package static let maximumResources = 32
  /// Bytes of presence kept of one contact, and of all together, as `Resource.footprint` counts them.
  package static let maximumContactBytes = 64 << 10
  package static let maximumBytes = 4 << 20

  package init() {}

  private struct Contact {
    var resources: [Resource] = []
    var isStranger: Bool
    /// It is not known whether any resource is there; then none is listed.
    var isUnknown = false
    var bytes: Int { resources.reduce(0) { $0 + $1.footprint } }
  }

  private var byJID: [String: Contact] = [:]
  private var strangers = 0
  private var bytes = 0

  /// In the order of their bytes.
  package var jids: [String] { byJID.keys.sorted() }

  /// The resources of a contact, the one with the highest priority first.
  package func resources(of jid: String) -> [Resource] { byJID[jid]?.resources ?? [] }

  /// True if the last known presence of a contact is out of date: no resources means nothing then.
  package func isUnknown(_ jid: String) -> Bool { byJID[jid]?.isUnknown == true }

  /// Takes an available or unavailable presence; true where it changed something. A resource for whose presence there
  /// is no room counts as gone: what it was before is not true any more.
  package mutating func receive(_ presence: PresenceRecord, isStranger: Bool) -> Bool {
    let before = take(presence.jid)
    var contact = before ?? Contact(isStranger: isStranger)
    contact.isUnknown =
      presence.isUnknown && !contact.isStranger && (before != nil || byJID.count < Self.maximumContacts)
    contact.resources.removeAll { $0.name == presence.resource }
    if let resource = Resource(presence) {
      add(resource, to: &contact)
    } else if presence.resource.isEmpty {
      contact.resources = []
    }
    put(contact, presence.jid)
    return contact.resources != before?.resources ?? [] || contact.isUnknown != before?.isUnknown ?? false
  }

  /// True if `presence` changes nothing.
  package func knows(_ presence: PresenceRecord) -> Bool {
    let resources = resources(of: presence.jid)
    guard isUnknown(presence.jid) == presence.isUnknown else { return false }
    guard let resource = Resource(presence) else {
      return presence.resource.isEmpty ? resources.isEmpty : !resources.contains { $0.name == presence.resource }
    }
    return resources.contains(resource)
  }

  /// The records that restore the book.
  var records: [PresenceRecord] {
    jids.flatMap { jid in
      isUnknown(jid)
        ? [.unknown(jid)]
        : resources(of: jid).map { resource in
          var record = PresenceRecord(jid: jid, resource: resource.name)
          (record.show, record.status, record.priority) = (resource.show, resource.status, resource.priority)
          record.idleSince = resource.idleSince
          return record
        }
    }
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
    guard !contact.resources.isEmpty || contact.isUnknown else { return }
    byJID[jid] = contact
    bytes += contact.bytes
    if contact.isStranger { strangers += 1 }
  }
}

extension PresenceBook.Resource {
  /// Nil where it is gone.
  fileprivate init?(_ presence: PresenceRecord) {
    guard let show = presence.show else { return nil }
    self.show = show
    (name, status, priority) = (presence.resource, presence.status, presence.priority)
    idleSince = presence.idleSince
  }

  /// About how many bytes of memory it takes, its share of the tables included.
  fileprivate var footprint: Int { 256 + name.utf8.count + status.utf8.count }
}
