/// Stanzas that came together, flat: nodes in document order, the attributes of all, their names, and all other bytes.
///
/// It is self-contained and never changes, so that elements can go anywhere. Bytes are UTF-8 that libxml2 checked.
final class Tape: Sendable {
  /// An element, a run of character data, or an attribute.
  struct Node: Sendable {
    /// The local name, in `names`; `Name.none`: character data.
    var local: Name
    /// The namespace; empty where there is none.
    var namespace: Name
    /// Index of the first node behind this one and all that is in it.
    var next: Int32
    /// Elements: the first attribute, in `attributes`. Others: the first byte of the text or value.
    var first: Int32
    /// Elements: how many attributes. Others: how many bytes.
    var count: Int32

    var isText: Bool { local.offset < 0 }

    /// Of what is no element: its bytes. Of an element: its attributes.
    var content: Range<Int> { Int(first)..<Int(first) + Int(count) }
  }

  /// A piece of `names`.
  struct Name: Sendable {
    var offset: Int32
    var count: Int32

    static let none = Name(offset: -1, count: 0)
    static let empty = Name(offset: 0, count: 0)

    var indices: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
  }

  /// Elements and character data.
  let nodes: [Node]
  let attributes: [Node]
  /// All names and namespaces, each once; perhaps more than these stanzas have, since it is shared with others.
  private let names: [UInt8]
  let bytes: [UInt8]

  init(nodes: [Node], attributes: [Node], names: [UInt8], bytes: [UInt8]) {
    self.nodes = nodes
    self.attributes = attributes
    self.names = names
    self.bytes = bytes
  }

  /// The bytes of a name.
  func string(_ name: Name) -> ArraySlice<UInt8> { names[name.indices] }

  /// Whether a name is this one. Asked for every name of every stanza: most differ in length.
  @inline(__always)
  func string(_ name: Name, equals expected: StaticString) -> Bool {
    Int(name.count) == expected.utf8CodeUnitCount && (name.count == 0 || names.hasBytes(expected, at: name.indices))
  }

  /// The bytes of a node of character data, or of an attribute's value.
  func text(of node: Node) -> ArraySlice<UInt8> { bytes[node.content] }
}
