import Bytes
import AddressPreparation
/// An XMPP address, normalised: `local@domain/resource` (RFC 7622).
///
/// ASCII letters of local part and domain are lower-cased, every part is in normalisation form C, and one trailing dot
/// of the domain is dropped. Two addresses are equal when their bytes are, never by String's canonical equivalence. It
/// is laxer than RFC 7622's profiles on purpose: an address from our own server is accepted as the server spells it.
package struct JID: Sendable {
  /// The whole address, normalised.
  private let text: String
  /// Bytes of the local part; 0: there is none.
  private let localCount: UInt16
  private let domainCount: UInt16

  /// Bytes that each part may have (RFC 7622, section 3.1).
  package static let longestPart = 1023

  /// Reads an address as people or servers write it.
  package init(_ text: String) throws(JIDError) {
    if let plain = JIDShape(ofPlain: text) {
      self.init(text: text, shape: plain)
    } else {
      self = try JIDParts(text.utf8).normalised()
    }
  }

  /// Takes parts that are normalised already.
  init(local: [UInt8], domain: [UInt8], resource: [UInt8]?) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(local.count + domain.count + (resource?.count ?? 0) + 2)
    if !local.isEmpty {
      bytes += local
      bytes.append(UInt8(ascii: "@"))
    }
    bytes += domain
    if let resource {
      bytes.append(UInt8(ascii: "/"))
      bytes += resource
    }
    text = String(decoding: bytes, as: UTF8.self)
    localCount = UInt16(clamping: local.count)
    domainCount = UInt16(clamping: domain.count)
  }

  /// Returns this address with another resource.
  package func with(resource: String) throws(JIDError) -> JID {
    let utf8 = bareUTF8
    let bare = JIDParts(utf8)
    let resource = try JIDParts.normalise(Array(resource.utf8), as: .resource)
    return JID(local: bare.local ?? [], domain: bare.domain, resource: resource)
  }
}

// MARK: Parts

extension JID {
  /// The part before `@`; a server or a component has none.
  package var local: String? {
    localCount == 0 ? nil : String(decoding: text.utf8.prefix(Int(localCount)), as: UTF8.self)
  }

  package var domain: String {
    String(decoding: text.utf8.dropFirst(domainStart).prefix(Int(domainCount)), as: UTF8.self)
  }

  /// The part behind the first `/`, which may hold further ones.
  package var resource: String? {
    isBare ? nil : String(decoding: text.utf8.dropFirst(bareCount + 1), as: UTF8.self)
  }

  /// True if the address has no resource.
  package var isBare: Bool { text.utf8.count == bareCount }

  /// Without its resource.
  package var bare: JID {
    isBare ? self : JID(text: String(decoding: bareUTF8, as: UTF8.self), shape: shape)
  }

  /// The address of its server: the domain alone.
  package var server: JID { JID(local: [], domain: Array(domain.utf8), resource: nil) }

  /// True if both are of the same account, server or room: equal but for the resource. Makes no string.
  package func hasSameBare(as other: JID) -> Bool {
    localCount == other.localCount && domainCount == other.domainCount
      && text.utf8.span.extracting(first: bareCount).hasBytes(of: other.text.utf8.span.extracting(first: bareCount))
  }

  private init(text: String, shape: JIDShape) {
    self.text = text
    localCount = UInt16(clamping: shape.localCount)
    domainCount = UInt16(clamping: shape.domainCount)
  }

  private var shape: JIDShape { JIDShape(localCount: Int(localCount), domainCount: Int(domainCount)) }
  private var domainStart: Int { localCount == 0 ? 0 : Int(localCount) + 1 }
  private var bareCount: Int { domainStart + Int(domainCount) }
  private var bareUTF8: Substring.UTF8View { text.utf8.prefix(bareCount) }
}

extension JID: CustomStringConvertible {
  /// The whole address, normalised; reading it gives an equal one.
  package var description: String { text }
}

extension JID: Hashable {
  package static func == (left: JID, right: JID) -> Bool {
    left.localCount == right.localCount && left.domainCount == right.domainCount
      && left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    // Always available: the text was made here, from bytes.
    unsafe text.utf8.withContiguousStorageIfAvailable { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(localCount)
  }
}

extension JID: Comparable {
  /// By bytes: an order that never changes, not one for people.
  package static func < (left: JID, right: JID) -> Bool { left.text.utf8.lexicographicallyPrecedes(right.text.utf8) }
}
