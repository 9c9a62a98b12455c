/// Writes XML straight into bytes. Names are constants of ours, so that nothing that came from outside can be one;
/// values and texts are escaped, and what XML cannot carry becomes U+FFFD.
///
///     var writer = XMLWriter()
///     writer.open("message", attributes: ["to": to, "id": id])
///     writer.element("body", text: text)
///     writer.close()
package struct XMLWriter: Sendable {
  /// The bytes written so far. The last start tag may still be open for attributes; `close` ends it.
  package private(set) var bytes: [UInt8]
  /// The ranges of the open elements' names in `bytes`.
  private var open: [Range<Int>] = []
  private var isInStartTag = false

  /// Goes on behind what is there already.
  package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  /// Opens an element. `xmlns` declares the default namespace for it and what is in it.
  package mutating func open(
    _ name: StaticString, xmlns: StaticString? = nil, attributes: KeyValuePairs<StaticString, String?> = [:]
  ) {
    endStartTag()
    bytes.append(UInt8(ascii: "<"))
    let start = bytes.count
    XMLEscaping.append(name, to: &bytes)
    open.append(start..<bytes.count)
    isInStartTag = true
    if let xmlns { attribute("xmlns", constant: xmlns) }
    for (name, value) in attributes { attribute(name, value) }
  }

  /// Adds an attribute to the element just opened; nil adds nothing. The name may carry a prefix (`xml:lang`).
  package mutating func attribute(_ name: StaticString, _ value: String?) {
    guard let value, isInStartTag else { return }
    beginAttribute(name)
    XMLEscaping.appendValue(XMLEscaping.carried(value).utf8, to: &bytes)
    bytes.append(UInt8(ascii: "'"))
  }

  /// Adds an attribute with a value of ours.
  package mutating func attribute(_ name: StaticString, constant value: StaticString) {
    guard isInStartTag else { return }
    beginAttribute(name)
    value.withUTF8Buffer { unsafe XMLEscaping.appendValue($0, to: &bytes) }
    bytes.append(UInt8(ascii: "'"))
  }

  /// Character data of the innermost open element.
  package mutating func text(_ text: String) {
    endStartTag()
    XMLEscaping.appendText(XMLEscaping.carried(text).utf8, to: &bytes)
  }

  /// Ends the innermost open element.
  package mutating func close() {
    guard let name = open.popLast() else { return }
    if isInStartTag {
      XMLEscaping.append("/>", to: &bytes)
      isInStartTag = false
    } else {
      XMLEscaping.append("</", to: &bytes)
      bytes.append(contentsOf: bytes[name])
      bytes.append(UInt8(ascii: ">"))
    }
  }

  /// An element without content.
  package mutating func empty(
    _ name: StaticString, xmlns: StaticString? = nil, attributes: KeyValuePairs<StaticString, String?> = [:]
  ) {
    open(name, xmlns: xmlns, attributes: attributes)
    close()
  }

  /// An element with nothing but character data.
  package mutating func element(
    _ name: StaticString, xmlns: StaticString? = nil, attributes: KeyValuePairs<StaticString, String?> = [:],
    text: String
  ) {
    open(name, xmlns: xmlns, attributes: attributes)
    self.text(text)
    close()
  }

  /// XML that is well-formed already, such as a serialised element.
  package mutating func raw(_ xml: some Sequence<UInt8>) {
    endStartTag()
    bytes.append(contentsOf: xml)
  }

  /// Ends the start tag that is still open, as for the header of a stream, which is not closed.
  package mutating func endStartTag() {
    guard isInStartTag else { return }
    bytes.append(UInt8(ascii: ">"))
    isInStartTag = false
  }

  private mutating func beginAttribute(_ name: StaticString) {
    bytes.append(UInt8(ascii: " "))
    XMLEscaping.append(name, to: &bytes)
    XMLEscaping.append("='", to: &bytes)
  }
}
