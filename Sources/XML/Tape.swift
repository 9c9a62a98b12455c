/// One stanza, flat: nodes in document order, then the attributes of all, their names, and all other bytes.
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
    /// Elements: the first attribute, counted from the first of the tape. Others: the first byte of the text or value.
    var first: Int32
    /// Elements: how many attributes. Others: how many bytes.
    var count: Int32

    var isText: Bool { local.offset < 0 }

    /// Of what is no element: its bytes.
    var content: Range<Int> { Int(first)..<Int(first) + Int(count) }
  }

  /// A piece of `names`.
  struct Name: Sendable {
    var offset: Int32
    var count: Int32

    static let none = Name(offset: -1, count: 0)

    var indices: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
  }

  /// Elements and character data, then attributes.
  let nodes: [Node]
  /// How many of the nodes are no attributes.
  private let nodeCount: Int
  /// All names and namespaces, each once; perhaps more than this stanza has, since it is shared with others.
  private let names: [UInt8]
  let bytes: [UInt8]
  /// Size of the stanza on the wire.
  let wireBytes: Int

  init(nodes: [Node], nodeCount: Int, names: [UInt8], bytes: [UInt8], wireBytes: Int) {
    self.nodes = nodes
    self.nodeCount = nodeCount
    self.names = names
    self.bytes = bytes
    self.wireBytes = wireBytes
  }

  /// The bytes of a name.
  func string(_ name: Name) -> ArraySlice<UInt8> { names[name.indices] }

  /// Whether a name is this one.
  func string(_ name: Name, equals expected: StaticString) -> Bool {
    guard Int(name.count) == expected.utf8CodeUnitCount else { return false }
    // Looked at for every name of every stanza: plain indices, since elementsEqual costs three times as much.
    return expected.withUTF8Buffer { wanted in
      unsafe names.withUnsafeBufferPointer { names in
        for index in 0..<wanted.count where unsafe names[Int(name.offset) + index] != wanted[index] { return false }
        return true
      }
    }
  }

  /// Where the attributes of a node, which must be an element, stand in `nodes`.
  func attributes(of node: Node) -> Range<Int> {
    let first = nodeCount + Int(node.first)
    return first..<first + Int(node.count)
  }

  /// The bytes of a node of character data, or of an attribute's value.
  func text(of node: Node) -> ArraySlice<UInt8> { bytes[node.content] }
}
