import Bytes
import AddressPreparation
extension JID {
  /// How the local part of an address that was typed is spelled.
  package enum Spelling {
    /// Prepares addresses as servers do: by nodeprep (RFC 6122, appendix A) if that is possible, otherwise by PRECIS.
    case servers
    /// By PRECIS alone (RFC 7622, section 3.3), as logs of before may have it.
    case precis
  }

  /// Reads an address as a person typed it, or as a URI has it (RFC 5122): prepared strictly, so that it is the one
  /// form in which the address is kept and compared, or refused (RFC 7622, section 3).
  ///
  /// Addresses from servers are read by `init(_:)`, which accepts more; it leaves the result of this unchanged.
  package init(typed text: String, spelling: Spelling = .servers) throws(JIDError) {
    let text = AddressURI.address(in: text)
    let isPlain = !Self.isSuspect(text.utf8.span) && JIDShape(ofPlain: text) != nil
    self = isPlain ? try JID(text) : try JIDParts(text.utf8).prepared(spelling)
  }

  /// How else the address of a typed text may be spelled in a log: as it is written, and by PRECIS. None of ASCII that is
  /// prepared already.
  package static func otherSpellings(ofTyped text: String, than typed: JID?) -> [JID] {
    let text = AddressURI.address(in: text)
    let written = try? JID(text)
    if let typed, written?.hasSameBare(as: typed) == true { return [] }
    let precise = text.utf8.allSatisfy { $0 < 0x80 } ? nil : try? JID(typed: text, spelling: .precis)
    return [written, precise].compactMap(\.self).filter { typed?.hasSameBare(as: $0) != true }
  }

  /// True if a server that prepares addresses by nodeprep takes both for the same account, server or room; resources
  /// are ignored. Equal JIDs and JIDs of ASCII cost only a comparison.
  package func isSpelling(of other: JID) -> Bool {
    if hasSameBare(as: other) { return true }
    guard let local, let their = other.local, (local + their).utf8.contains(where: { $0 >= 0x80 }),
      domain.utf8.elementsEqual(other.domain.utf8)
    else { return false }
    guard let mine = Nodeprep.prepare(local), let theirs = Nodeprep.prepare(their) else { return false }
    return mine.utf8.elementsEqual(theirs.utf8)
  }

  /// The two things that a plain one may hold and a prepared one not: an A-label, and a space before a resource.
  private static func isSuspect(_ text: Span<UInt8>) -> Bool {
    text.indices.dropFirst().contains { index in
      switch (text[index - 1], text[index]) {
      case (UInt8(ascii: "-"), UInt8(ascii: "-")), (UInt8(ascii: "/"), UInt8(ascii: " ")): true
      default: false
      }
    }
  }
}

extension JID {
  /// Returns this address with a resource that a person typed.
  package func with(typedResource resource: String) throws(JIDError) -> JID {
    try with(resource: String(decoding: JIDParts.prepareResource(Array(resource.utf8)), as: UTF8.self))
  }
}

extension JIDParts {
  fileprivate func prepared(_ spelling: JID.Spelling) throws(JIDError) -> JID {
    let local: [UInt8] = if let local { try Self.prepareLocal(local, spelling) } else { [] }
    let domain = try Self.prepareDomain(domain)
    let resource: [UInt8]? = if let resource { try Self.prepareResource(resource) } else { nil }
    return JID(local: local, domain: domain, resource: resource)
  }

  private static func prepareLocal(_ part: [UInt8], _ spelling: JID.Spelling) throws(JIDError) -> [UInt8] {
    try checkLength(part, as: .local)
    let text = String(decoding: part, as: UTF8.self)
    let prepared: String
    do {
      switch spelling {
      case .servers: prepared = try LocalPart.prepare(text)
      case .precis: prepared = try PRECIS.usernameCaseMapped(text)
      }
    } catch { throw .unprepared(.local, "\(error)") }
    try checkLength(prepared.utf8, as: .local)
    // Characters that the mapping made ASCII count too: a full-width @ is one.
    return try checkASCII(prepared, as: .local) { !"\"&'/:<>@".utf8.contains($0) }
  }

  /// RFC 7622, section 3.2.
  private static func prepareDomain(_ part: [UInt8]) throws(JIDError) -> [UInt8] {
    let part = part.last == UInt8(ascii: ".") ? part.dropLast() : part[...]
    try checkLength(part, as: .domain)
    let text = String(decoding: part, as: UTF8.self)
    if text.utf8.first == UInt8(ascii: "[") {
      guard DomainName.isIPv6Literal(text) else { throw .unprepared(.domain, "is no IPv6 address") }
      return Array(text.lowercased().utf8)
    }
    let prepared: String
    do {
      prepared = try DomainName.unicode(text)
    } catch { throw .unprepared(.domain, "is no domain's name: \(error.reason)") }
    return try normalise(checkASCII(prepared, as: .domain, isAllowed: isNameByte), as: .domain)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool { isDomainByte(byte) && !"[]:".utf8.contains(byte) }

  /// RFC 7622, section 3.4. A space in front is in its table of what is no address.
  fileprivate static func prepareResource(_ part: [UInt8]) throws(JIDError) -> [UInt8] {
    try checkLength(part, as: .resource)
    let prepared: String
    do {
      prepared = try PRECIS.opaqueString(String(decoding: part, as: UTF8.self))
    } catch { throw .unprepared(.resource, "\(error)") }
    try checkLength(prepared.utf8, as: .resource)
    guard prepared.utf8.first != UInt8(ascii: " ") else { throw .unprepared(.resource, "begins with a space") }
    return Array(prepared.utf8)
  }

  /// Throws the first character of ASCII that must not be in a prepared part.
  private static func checkASCII(
    _ part: String, as kind: JIDError.Part, isAllowed: (UInt8) -> Bool
  ) throws(JIDError) -> [UInt8] {
    if let byte = part.utf8.first(where: { $0 < 0x80 && !isAllowed($0) }) {
      throw .unprepared(kind, "\(PRECISError.disallowed(Unicode.Scalar(byte)))")
    }
    return Array(part.utf8)
  }

  private static func checkLength(_ part: some Collection<UInt8>, as kind: JIDError.Part) throws(JIDError) {
    guard !part.isEmpty else { throw .empty(kind) }
    guard part.count <= JID.longestPart else { throw .tooLong(kind) }
  }
}
