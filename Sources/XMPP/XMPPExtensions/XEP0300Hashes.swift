package import Crypto
import Bytes
import XML

/// XEP-0300: a hash of a file, of a function that we can check.
package struct FileHash: Sendable, Equatable {
  package static let namespace: StaticString = "urn:xmpp:hashes:2"

  package let function: HashAlgorithm
  package let value: [UInt8]

  package init(_ function: HashAlgorithm, _ value: [UInt8]) { (self.function, self.value) = (function, value) }

  /// Nil for a function that we do not have. A value of another length matches no file.
  package init?(named name: String, _ value: [UInt8]) {
    guard let function = HashAlgorithm.allCases.first(where: { $0.name == name }) else { return nil }
    self.init(function, value)
  }

  /// The hashes in an element, each function once; one of a function that we do not have is left out. One that is not Base64 is
  /// empty, so that it matches no file.
  static func all(in element: Element) -> [FileHash] {
    var found: [FileHash] = []
    for child in element.children("hash", namespace) {
      let value = Base64.decode(child.text.utf8.filter { $0 > 0x20 }) ?? []
      guard let name = child.attribute("algo"), let hash = FileHash(named: name, value),
        !found.contains(where: { $0.function == hash.function })
      else { continue }
      found.append(hash)
    }
    return found
  }

  func write(into writer: inout XMLWriter) {
    writer.open("hash", xmlns: Self.namespace, attributes: ["algo": function.name])
    writer.text(Base64.encode(value))
    writer.close()
  }
}

extension HashAlgorithm {
  /// The name by XEP-0300 (section 3).
  package var name: String { rawValue.lowercased() }
}
