import AddressPreparation
/// Why a text is no address.
package enum JIDError: Error, Hashable, Sendable {
  /// The parts of an address.
  package enum Part: String, Hashable, Sendable { case local = "local part", domain, resource }

  /// There is nothing where this part must be.
  case empty(Part)
  /// A part has more than 1023 bytes.
  case tooLong(Part)
  /// A part holds a character that it must not.
  case forbiddenCharacter(Part)
  /// A part that a person typed cannot be prepared; the words follow its name: `holds U+265A, …`.
  case unprepared(Part, String)

  /// The error in words for people.
  package var sentence: String {
    switch self {
    case .empty(let part): "The \(part.rawValue) of the address is empty."
    case .tooLong(let part): "The \(part.rawValue) of the address is longer than \(JID.longestPart) bytes."
    case .forbiddenCharacter(let part): "The \(part.rawValue) of the address holds a character that it must not."
    case .unprepared(let part, let why): "The \(part.rawValue) of the address \(why)."
    }
  }
}

/// An address cut into its parts (RFC 7622, section 3.2), not normalised or judged yet.
struct JIDParts {
  var local: [UInt8]?
  var domain: [UInt8]
  var resource: [UInt8]?

  /// Cuts off the resource first: `@` may stand in it.
  init(_ utf8: some Collection<UInt8>) {
    let slash = utf8.firstIndex(of: UInt8(ascii: "/"))
    resource = slash.map { Array(utf8[utf8.index(after: $0)...]) }
    let bare = utf8[..<(slash ?? utf8.endIndex)]
    let at = bare.firstIndex(of: UInt8(ascii: "@"))
    local = at.map { Array(bare[..<$0]) }
    domain = Array(at.map { bare[bare.index(after: $0)...] } ?? bare)
  }

  func normalised() throws(JIDError) -> JID {
    let local: [UInt8] = if let local { try Self.normalise(local, as: .local) } else { [] }
    let domain = try Self.normalise(domain, as: .domain)
    let resource: [UInt8]? = if let resource { try Self.normalise(resource, as: .resource) } else { nil }
    return JID(local: local, domain: domain, resource: resource)
  }

  /// One part, normalised, or why it is none.
  static func normalise(_ part: [UInt8], as kind: JIDError.Part) throws(JIDError) -> [UInt8] {
    var part = part
    if kind == .domain, part.last == UInt8(ascii: ".") { part.removeLast() }
    guard !part.isEmpty else { throw .empty(kind) }
    guard part.count <= JID.longestPart else { throw .tooLong(kind) }
    if part.contains(where: { $0 >= 0x80 }) {
      part = try composed(part, as: kind)
    } else if kind != .resource {
      lowercase(&part)
    }
    guard part.count <= JID.longestPart else { throw .tooLong(kind) }
    try checkASCII(part, as: kind)
    return part
  }

  /// Form C and lower case have to hold together: composing can make an ASCII capital (U+212A), and lower-casing a
  /// letter can let it compose with the mark behind it (H and U+0331).
  private static func composed(_ part: [UInt8], as kind: JIDError.Part) throws(JIDError) -> [UInt8] {
    guard var composed = Normalization.nfc(part) else { throw .forbiddenCharacter(kind) }
    if kind != .resource {
      lowercase(&composed)
      guard let again = Normalization.nfc(composed) else { throw .forbiddenCharacter(kind) }
      composed = again
    }
    let scalars = String(decoding: composed, as: UTF8.self).unicodeScalars
    guard scalars.allSatisfy({ $0.isASCII || isAllowed($0, in: kind) }) else { throw .forbiddenCharacter(kind) }
    return composed
  }

  private static func lowercase(_ part: inout [UInt8]) {
    for index in part.indices where part[index] >= 0x41 && part[index] <= 0x5A { part[index] |= 0x20 }
  }

  /// Beyond ASCII: no controls, no line breaks, nothing that is no character, and white space in resources only.
  private static func isAllowed(_ scalar: Unicode.Scalar, in kind: JIDError.Part) -> Bool {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: return false
    case .spaceSeparator: return kind == .resource
    default: return !properties.isNoncharacterCodePoint
    }
  }

  private static func checkASCII(_ part: [UInt8], as kind: JIDError.Part) throws(JIDError) {
    guard part.allSatisfy({ $0 >= 0x80 || isAllowed($0, in: kind) }) else { throw .forbiddenCharacter(kind) }
    guard kind == .domain else { return }
    // A name is labels with something in them; one in brackets is an address.
    let labels = part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.allSatisfy({ !$0.isEmpty }) else { throw .empty(.domain) }
  }

  private static func isAllowed(_ byte: UInt8, in kind: JIDError.Part) -> Bool {
    switch byte {
    case 0..<0x20, 0x7F: return false
    case UInt8(ascii: " "): return kind == .resource
    default: break
    }
    switch kind {
    case .resource: return true
    // RFC 7622, section 3.3.1
    case .local: return !"\"&'/:<>@".utf8.contains(byte)
    case .domain: return isDomainByte(byte)
    }
  }

  static func isDomainByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    // The brackets and colons are those of IPv6 addresses; the underscore is in use.
    default: "-._[]:".utf8.contains(byte)
    }
  }
}
