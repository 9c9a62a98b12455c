/// One stanza, flat: nodes in document order, their attributes, the distinct strings of its names, and all bytes.
///
/// It is self-contained and never changes, so that elements can go anywhere. Bytes are UTF-8 that libxml2 checked.
final class Tape: Sendable {
  /// An element or a run of character data.
  struct Node: Sendable {
    /// Index into `strings` of the local name; -1: character data.
    var local: Int32
    /// Index into `strings` of the namespace; the empty string where there is none.
    var namespace: Int32
    /// Index of the first node behind this one and all that is in it.
    var next: Int32
    /// Elements: the first of its attributes. Character data: the first of its bytes.
    var first: Int32
    /// Elements: how many attributes. Character data: how many bytes.
    var count: Int32

    var isText: Bool { local < 0 }
  }

  struct Attribute: Sendable {
    var local: Int32
    var namespace: Int32
    var value: ByteRange
  }

  /// A piece of `bytes`.
  struct ByteRange: Sendable {
    var offset: Int32
    var count: Int32

    var indices: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
  }

  let nodes: [Node]
  let attributes: [Attribute]
  let strings: [ByteRange]
  let bytes: [UInt8]
  /// Size of the stanza on the wire.
  let wireBytes: Int

  init(nodes: [Node], attributes: [Attribute], strings: [ByteRange], bytes: [UInt8], wireBytes: Int) {
    self.nodes = nodes
    self.attributes = attributes
    self.strings = strings
    self.bytes = bytes
    self.wireBytes = wireBytes
  }

  /// The bytes of a distinct string.
  func string(_ index: Int32) -> ArraySlice<UInt8> { bytes[strings[Int(index)].indices] }

  /// Whether a distinct string is this one.
  func string(_ index: Int32, equals expected: StaticString) -> Bool {
    let range = strings[Int(index)]
    guard Int(range.count) == expected.utf8CodeUnitCount else { return false }
    // Looked at for every name of every stanza: plain indices, since elementsEqual costs three times as much.
    return expected.withUTF8Buffer { wanted in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        for index in 0..<wanted.count where unsafe bytes[Int(range.offset) + index] != wanted[index] { return false }
        return true
      }
    }
  }

  /// The attributes of a node, which must be an element.
  func attributes(of node: Node) -> ArraySlice<Attribute> {
    attributes[Int(node.first)..<Int(node.first) + Int(node.count)]
  }

  /// The bytes of a node of character data.
  func text(of node: Node) -> ArraySlice<UInt8> { bytes[Int(node.first)..<Int(node.first) + Int(node.count)] }
}
