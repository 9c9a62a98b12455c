import Bytes
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

  /// Reads a `<file/>`. An invalid number or media type is left out.
  init(_ file: Element) {
    name = FileName.cleaned(file.child("name", Self.namespace)?.text ?? "")
    type = file.child("media-type", Self.namespace).flatMap { MediaType.cleaned($0.text) }
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
