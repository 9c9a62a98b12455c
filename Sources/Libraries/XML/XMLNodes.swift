/// Stanzas that came together, flat: nodes in document order, their names, and all other bytes.
///
/// It is self-contained and never changes, so that elements can go anywhere. Bytes are UTF-8 that libxml2 checked.
@usableFromInline final class XMLNodes: Sendable {
  /// An element, one of the attributes, which stand behind their element, or a run of character data.
  @usableFromInline struct Node: Sendable, BitwiseCopyable {
    /// The number of the local name; `Node.text`: character data.
    @usableFromInline var local: UInt32
    /// The number of the namespace; 0 if there is none.
    @usableFromInline var namespace: UInt32
    /// Elements: index of the first node behind this one and all that is in it; 0 while it is open. Others: the first byte
    /// of the text or value.
    @usableFromInline var place: Int32
    /// Elements: how many attributes. Others: how many bytes.
    @usableFromInline var count: Int32

    @inline(__always)
    init(_ local: UInt32, _ namespace: UInt32 = KnownName.none.number, place: Int = 0, count: Int) {
      (self.local, self.namespace) = (local, namespace)
      // The nodes have no more bytes than stanzas may have.
      self.place = Int32(truncatingIfNeeded: place)
      self.count = Int32(truncatingIfNeeded: count)
    }

    @inlinable static var text: UInt32 { .max }

    @inlinable var isText: Bool { local == Self.text }

    /// The bytes of a node that is no element.
    @inlinable var content: Range<Int> { Int(place)..<Int(place) + Int(count) }

    /// The attributes of the element at an index. Its children follow them.
    @inlinable func attributes(at index: Int) -> Range<Int> { index + 1..<index + 1 + Int(count) }

    /// The index of the first node behind the element or character data at an index.
    @inlinable func end(at index: Int) -> Int { isText ? index + 1 : Int(place) }
  }

  @usableFromInline let nodes: [Node]
  /// Perhaps more than these stanzas have, since it is shared with others.
  private let names: NameList
  @usableFromInline let bytes: [UInt8]

  init(nodes: [Node], names: NameList, bytes: [UInt8]) {
    self.nodes = nodes
    self.names = names
    self.bytes = bytes
  }

  /// The bytes of a name.
  func string(_ name: UInt32) -> ArraySlice<UInt8> { names[name] }

  /// True if a name is this one.
  func string(_ name: UInt32, equals expected: StaticString) -> Bool { names.isNamed(name, expected) }

  /// The bytes of a node of character data, or of an attribute's value.
  @inlinable func text(of node: Node) -> ArraySlice<UInt8> { bytes[node.content] }
}
