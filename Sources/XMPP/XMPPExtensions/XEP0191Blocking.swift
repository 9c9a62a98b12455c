package import XML
package import XMPPCore

/// XEP-0191: the JIDs whose stanzas our server keeps from us. A full JID stands for one resource, a bare one for an
/// account, a domain for everybody there (section 4).
package struct BlockList: Sendable, Equatable {
  package static let namespace: StaticString = "urn:xmpp:blocking"

  package var jids: Set<JID>

  package init(_ jids: Set<JID> = []) { self.jids = jids }

  /// True if stanzas of an account are kept from us: it is on the list, or its domain is.
  package func blocks(_ jid: JID) -> Bool { jids.contains(jid.bare) || jids.contains(jid.server) }

  /// Reads the answer to `request`; nil if it holds no list.
  package init?(_ iq: Element) {
    guard let list = iq.child("blocklist", Self.namespace) else { return nil }
    jids = Self.items(of: list)
  }

  /// Requests the list. From then on the server pushes its changes on this stream.
  package static func request(id: String) -> [UInt8] {
    IQ.get(id: id) { $0.empty("blocklist", xmlns: Self.namespace) }
  }

  /// Blocks a JID, and reports it to the server if there is a report (XEP-0377).
  package static func block(_ jid: JID, _ report: AbuseReport? = nil, id: String) -> [UInt8] {
    change("block", jid, report, id)
  }

  /// Unblocks a JID, which has to be on the list as it is.
  package static func unblock(_ jid: JID, id: String) -> [UInt8] { change("unblock", jid, nil, id) }

  /// Always writes an item: without one, `<unblock/>` unblocks everybody (section 3.5).
  private static func change(_ name: StaticString, _ jid: JID, _ report: AbuseReport?, _ id: String) -> [UInt8] {
    IQ.set(id: id) { writer in
      writer.open(name, xmlns: Self.namespace)
      writer.open("item", attributes: ["jid": jid.description])
      report?.write(into: &writer)
      writer.close()
      writer.close()
    }
  }

  /// Applies a push, which adds JIDs or takes some off; `<unblock/>` without items takes all off (section 3.5).
  package mutating func apply(_ push: Element) {
    guard let change = push.onlyChild else { return }
    let named = Self.items(of: change)
    if change.isNamed("block", Self.namespace) {
      jids.formUnion(named)
    } else {
      jids = change.children.contains { _ in true } ? jids.subtracting(named) : []
    }
  }

  /// Items without a JID are left out.
  private static func items(of list: Element) -> Set<JID> { Set(list.children("item", namespace).compactMap(jid(of:))) }

  /// The JID of an item; nil if the element is no item of a JID.
  package static func jid(of item: Element) -> JID? {
    item.isNamed("item", namespace) ? item.attribute("jid").flatMap { try? JID($0) } : nil
  }

  /// True if an iq is a push of our server: it has no sender, or exactly our own bare JID (RFC 6120, section 8.1.2.1).
  package static func isPush(_ iq: Element, own: JID) -> Bool {
    guard let header = StanzaHeader(iq), header.kind == .iq, header.type == "set", header.id != nil,
      header.from == nil || header.fromJID == own.bare, let change = iq.onlyChild
    else { return false }
    return change.isNamed("block", namespace) || change.isNamed("unblock", namespace)
  }
}
