package import XML
import XMPPCore

/// XEP-0198: what the server says about the stream itself. Counting is done elsewhere.
package enum StreamManagementElement: Sendable, Equatable {
  /// Acknowledgements are on. `id` is there where the stream can be resumed.
  case enabled(id: String?, maximumSeconds: UInt32?, location: String?)
  /// The earlier stream goes on; the server has handled that many of our stanzas.
  case resumed(handled: UInt32, previousID: String)
  /// It was not enabled or resumed. `handled` is there where the server still knows the earlier stream.
  case failed(condition: String, handled: UInt32?)
  /// Asks how many stanzas we have handled.
  case request
  /// The server has handled that many of our stanzas, modulo 2^32.
  case answer(handled: UInt32)
  /// An element of the namespace without what it must have, or that only a client sends. The stream is not to be
  /// trusted any further.
  case malformed

  /// Nil where the element is of another namespace.
  package init?(_ element: Element) {
    guard element.namespace == "\(Namespace.streamManagement)" else { return nil }
    switch element.local {
    case "r": self = .request
    case "a": self = Self.handled(element).map { .answer(handled: $0) } ?? .malformed
    case "enabled": self = Self.enabled(element)
    case "resumed": self = Self.resumed(element)
    case "failed": self = Self.failed(element)
    default: self = .malformed
    }
  }

  private static func enabled(_ element: Element) -> StreamManagementElement {
    let resumes = element.attribute("resume").map { $0 == "true" || $0 == "1" } ?? false
    return .enabled(
      id: resumes ? element.attribute("id") : nil, maximumSeconds: element.attribute("max").flatMap(Self.number),
      location: element.attribute("location"))
  }

  private static func resumed(_ element: Element) -> StreamManagementElement {
    guard let handled = handled(element), let previous = element.attribute("previd") else { return .malformed }
    return .resumed(handled: handled, previousID: previous)
  }

  private static func failed(_ element: Element) -> StreamManagementElement {
    if element.attribute("h") != nil, handled(element) == nil { return .malformed }
    let condition = element.children.first { $0.namespace == "\(Namespace.stanzaErrors)" }?.local
    return .failed(condition: condition ?? "undefined-condition", handled: handled(element))
  }

  private static func handled(_ element: Element) -> UInt32? { element.attribute("h").flatMap(number) }

  /// One to ten digits and nothing else: no sign, no space, nothing beyond 32 bits.
  static func number(_ text: String) -> UInt32? {
    guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return UInt32(text)
  }
}

/// XEP-0198: what we say about the stream itself.
package enum StreamManagementWriter {
  /// Turns acknowledgements on, behind the binding of a resource.
  package static func enable(resumable: Bool = false) -> [UInt8] {
    write("enable", ["resume": resumable ? "true" : nil])
  }

  /// Asks how many of our stanzas the server has handled.
  package static func request() -> [UInt8] { write("r", [:]) }

  /// Says how many stanzas we have handled, modulo 2^32.
  package static func answer(handled: UInt32) -> [UInt8] { write("a", ["h": String(handled)]) }

  /// Takes up an earlier stream.
  package static func resume(previousID: String, handled: UInt32) -> [UInt8] {
    write("resume", ["h": String(handled), "previd": previousID])
  }

  private static func write(_ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?>) -> [UInt8] {
    var writer = XMLWriter()
    writer.empty(name, xmlns: Namespace.streamManagement, attributes: attributes)
    return writer.bytes
  }
}
