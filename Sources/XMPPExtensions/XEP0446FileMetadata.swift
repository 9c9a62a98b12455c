import XML

/// XEP-0446: what somebody says of a file.
package struct FileMetadata: Sendable, Equatable {
  package static let namespace: StaticString = "urn:xmpp:file:metadata:0"

  /// Cleaned (`FileName`).
  package var name: String?
  package var type: String?
  /// In bytes.
  package var size: UInt64?
  /// In pixels.
  package var width: UInt32?
  package var height: UInt32?
  package var hashes: [FileHash] = []

  package init() {}

  /// Reads a `<file/>`. What is no number, or no media type, is left out.
  init(_ file: Element) {
    name = FileName.cleaned(file.child("name", Self.namespace)?.text ?? "")
    type = file.child("media-type", Self.namespace).flatMap { Self.mediaType($0.text) }
    size = Self.number("size", in: file).map(UInt64.init)
    width = Self.number("width", in: file).flatMap { UInt32(exactly: $0) }
    height = Self.number("height", in: file).flatMap { UInt32(exactly: $0) }
    hashes = FileHash.all(in: file)
  }

  private static func number(_ name: StaticString, in file: Element) -> Int64? {
    guard let text = file.child(name, namespace)?.text, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int64(text)
  }

  /// A media type as RFC 6838 (section 4.2) has it, in lower case and without parameters; nil if it is none.
  package static func mediaType(_ text: String) -> String? {
    let name = text.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isSound = parts.allSatisfy { part in
      (1...127).contains(part.utf8.count) && part.utf8.allSatisfy { letters.contains($0) }
    }
    return parts.count == 2 && isSound ? name : nil
  }

  private static let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789!#$&-^_.+".utf8)

  func write(into writer: inout XMLWriter) {
    writer.open("file", xmlns: Self.namespace)
    if let type { writer.element("media-type", text: type) }
    if let name { writer.element("name", text: name) }
    if let size { writer.element("size", text: "\(size)") }
    if let width { writer.element("width", text: "\(width)") }
    if let height { writer.element("height", text: "\(height)") }
    for hash in hashes { hash.write(into: &writer) }
    writer.close()
  }
}

/// Names of files that others choose, or that go to others.
package enum FileName {
  /// The most bytes of a name, as file systems have it.
  package static let longest = 255

  /// A name that leads to no other folder and writes in no other direction: a slash becomes a line below, control and
  /// bidi characters are left out, and what is too long is cut off. Nil if nothing is left that could be a name.
  package static func cleaned(_ name: String) -> String? {
    var cleaned = String.UnicodeScalarView()
    var bytes = 0
    for scalar in name.unicodeScalars where !isHidden(scalar) {
      let scalar: Unicode.Scalar = scalar == "/" ? "_" : scalar
      bytes += UTF8.width(scalar)
      guard bytes <= longest else { break }
      cleaned.append(scalar)
    }
    let text = String(cleaned)
    return text.isEmpty || text == "." || text == ".." ? nil : text
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    // Noncharacters, which XML cannot carry.
    case 0xFFFE, 0xFFFF: true
    default:
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }
}
