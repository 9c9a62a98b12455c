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
    // The two that come all the time are looked for first; no strings are made for their names.
    if element.isNamed("a", Namespace.streamManagement) {
      self = Self.handled(element).map { .answer(handled: $0) } ?? .malformed
    } else if element.isNamed("r", Namespace.streamManagement) {
      self = .request
    } else if element.isNamed("enabled", Namespace.streamManagement) {
      self = Self.enabled(element)
    } else if element.isNamed("resumed", Namespace.streamManagement) {
      self = Self.resumed(element)
    } else if element.isNamed("failed", Namespace.streamManagement) {
      self = Self.failed(element)
    } else {
      guard element.namespace == Namespace.streamManagement.description else { return nil }
      self = .malformed
    }
  }

  private static func enabled(_ element: Element) -> StreamManagementElement {
    // An xs:boolean has two ways to be true.
    let resumes = element.attribute("resume", equals: "true") || element.attribute("resume", equals: "1")
    return .enabled(
      id: resumes ? bounded(element.attribute("id")) : nil,
      maximumSeconds: element.attribute("max").flatMap(Self.number), location: bounded(element.attribute("location")))
  }

  private static func resumed(_ element: Element) -> StreamManagementElement {
    guard let handled = handled(element), let previous = bounded(element.attribute("previd")) else { return .malformed }
    return .resumed(handled: handled, previousID: previous)
  }

  private static func failed(_ element: Element) -> StreamManagementElement {
    let handled = handled(element)
    if handled == nil, element.attribute("h") != nil { return .malformed }
    return .failed(condition: condition(of: element), handled: handled)
  }

  /// Returns the server's error condition, cut to the length of the longest defined one.
  private static func condition(of failed: Element) -> String {
    let condition = failed.children.first {
      $0.namespace == Namespace.stanzaErrors.description && !$0.isNamed("text", Namespace.stanzaErrors)
    }
    return condition.map { String($0.local.unicodeScalars.prefix(longestCondition)) } ?? "undefined-condition"
  }

  private static let longestCondition = 64

  /// Bytes that an id may have (section 3); one that is longer, or empty, counts as none.
  private static let longestID = 4_000

  private static func bounded(_ id: String?) -> String? {
    guard let id, !id.isEmpty, id.utf8.count <= longestID else { return nil }
    return id
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
  /// For how many seconds we would like a stream to be kept: a tunnel, a reboot, an upgrade.
  package static let wantedSeconds = 3_600

  /// Turns acknowledgements on, behind the binding of a resource, and asks for a stream that can be resumed.
  package static func enable() -> [UInt8] {
    write("enable", ["resume": "true", "max": String(wantedSeconds)])
  }

  /// Asks how many of our stanzas the server has handled.
  package static func request() -> [UInt8] { write("r", [:]) }

  /// Says how many stanzas we have handled, modulo 2^32.
  package static func answer(handled: UInt32) -> [UInt8] { write("a", ["h": String(handled)]) }

  /// Takes up an earlier stream.
  package static func resume(previousID: String, handled: UInt32) -> [UInt8] {
    write("resume", ["h": String(handled), "previd": previousID])
  }

  /// The element in a stream error that reports an impossible `h` (section 6).
  package static func tooHigh(h: UInt32, sent: UInt32) -> [UInt8] {
    write("handled-count-too-high", ["h": String(h), "send-count": String(sent)])
  }

  private static func write(_ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?>) -> [UInt8] {
    var writer = XMLWriter()
    writer.empty(name, xmlns: Namespace.streamManagement, attributes: attributes)
    return writer.bytes
  }
}
