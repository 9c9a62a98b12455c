/// Stanzas that came together, flat: nodes in document order, the attributes of all, their names, and all other bytes.
///
/// It is self-contained and never changes, so that elements can go anywhere. Bytes are UTF-8 that libxml2 checked.
final class Tape: Sendable {
  /// An element, a run of character data, or an attribute.
  struct Node: Sendable {
    /// The number of the local name; `Node.text`: character data.
    var local: UInt32
    /// The number of the namespace; 0 where there is none.
    var namespace: UInt32
    /// Index of the first node behind this one and all that is in it.
    var next: Int32
    /// Elements: the first attribute, in `attributes`. Others: the first byte of the text or value.
    var first: Int32
    /// Elements: how many attributes. Others: how many bytes.
    var count: Int32

    static let text = UInt32.max

    var isText: Bool { local == Self.text }

    /// Of what is no element: its bytes. Of an element: its attributes.
    var content: Range<Int> { Int(first)..<Int(first) + Int(count) }
  }

  /// Elements and character data.
  let nodes: [Node]
  let attributes: [Node]
  /// Perhaps more than these stanzas have, since it is shared with others.
  private let names: NameList
  let bytes: [UInt8]

  init(nodes: [Node], attributes: [Node], names: NameList, bytes: [UInt8]) {
    self.nodes = nodes
    self.attributes = attributes
    self.names = names
    self.bytes = bytes
  }

  /// The bytes of a name.
  func string(_ name: UInt32) -> ArraySlice<UInt8> { names[name] }

  /// Whether a name is this one.
  func string(_ name: UInt32, equals expected: StaticString) -> Bool { names.isNamed(name, expected) }

  /// The bytes of a node of character data, or of an attribute's value.
  func text(of node: Node) -> ArraySlice<UInt8> { bytes[node.content] }
}
