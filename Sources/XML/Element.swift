/// An XML element with all that is in it: an immutable value, a place on the tape of the stanzas that came with it.
/// Copying it counts a reference.
///
/// Prefixes are gone: names are pairs of a local name and a namespace, which is empty where there is none.
package struct Element: Sendable {
  let tape: Tape
  private let place: Int32
  private let wireBytes: Int32

  init(tape: Tape, place: Int32, wireBytes: Int32) {
    self.tape = tape
    self.place = place
    self.wireBytes = wireBytes
  }

  var index: Int { Int(place) }

  var node: Tape.Node { tape.nodes[index] }

  package var local: String { String(decoding: tape.string(node.local), as: UTF8.self) }
  package var namespace: String { String(decoding: tape.string(node.namespace), as: UTF8.self) }

  /// Size on the wire of the whole stanza that this is, or is part of.
  package var byteCount: Int { Int(wireBytes) }

  /// Whether this is the element of that name. Makes no string.
  package func isNamed(_ local: StaticString, _ namespace: StaticString) -> Bool {
    tape.string(node.local, equals: local) && tape.string(node.namespace, equals: namespace)
  }

  /// Whether this is the element of that name.
  @inline(__always)
  package func isNamed(_ local: KnownName, _ namespace: KnownName) -> Bool {
    node.local == local.number && node.namespace == namespace.number
  }

  /// The value of the attribute that has this name and no namespace.
  package func attribute(_ local: StaticString) -> String? { attribute(local, namespace: "") }

  /// The value of the attribute of this name and namespace.
  package func attribute(_ local: StaticString, namespace: StaticString) -> String? {
    attributeNode(local, namespace).map { String(decoding: tape.text(of: $0), as: UTF8.self) }
  }

  /// The value of the attribute of this name.
  package func attribute(_ local: KnownName, _ namespace: KnownName = .none) -> String? {
    attributeNode(local, namespace).map { String(decoding: tape.text(of: $0), as: UTF8.self) }
  }

  /// Whether there is an attribute of this name with exactly this value. Makes no string.
  package func attribute(_ local: KnownName, equals value: StaticString) -> Bool {
    guard let found = attributeNode(local), Int(found.count) == value.utf8CodeUnitCount else { return false }
    return tape.bytes.hasBytes(value, at: found.content)
  }

  /// Whether there is an attribute of this name with exactly the bytes of this value. Makes no string.
  package func attribute(_ local: KnownName, equals value: String) -> Bool {
    guard let found = attributeNode(local), Int(found.count) == value.utf8.count else { return false }
    return tape.bytes.hasBytes(value.utf8.span, at: found.content)
  }

  /// Whether there is an attribute of this name and no namespace with exactly this value. Makes no string.
  package func attribute(_ local: StaticString, equals value: StaticString) -> Bool {
    guard let found = attributeNode(local, ""), Int(found.count) == value.utf8CodeUnitCount else { return false }
    return tape.bytes.hasBytes(value, at: found.content)
  }

  /// The bytes of the value of the attribute of this name. Copies nothing.
  package func attributeBytes(_ local: KnownName) -> ArraySlice<UInt8>? {
    attributeNode(local).map { tape.text(of: $0) }
  }

  /// `xml:lang`, of this element itself.
  package var language: String? { attribute(.lang, .xml) }

  /// Attributes, namespace declarations not among them.
  package var attributeCount: Int { Int(node.count) }

  /// Its own character data, all pieces joined; that of its children is not part of it.
  package var text: String {
    // Nearly always it is one piece.
    if Int(node.next) == index + 2, tape.nodes[index + 1].isText {
      return String(decoding: tape.text(of: tape.nodes[index + 1]), as: UTF8.self)
    }
    var text = ""
    for index in Nodes(tape: tape, parent: index) where tape.nodes[index].isText {
      let piece = String(decoding: tape.text(of: tape.nodes[index]), as: UTF8.self)
      if text.isEmpty { text = piece } else { text += piece }
    }
    return text
  }

  /// Where a part of an element stands: takes no reference.
  package struct Position: Sendable { fileprivate let place: Int32 }

  package var position: Position { Position(place: place) }

  /// The element at a position that one of the same tape had.
  package subscript(position: Position) -> Element { Element(tape: tape, place: position.place, wireBytes: wireBytes) }

  @inline(__always)
  private func attributeNode(_ local: KnownName, _ namespace: KnownName = .none) -> Tape.Node? {
    for index in node.content {
      let attribute = tape.attributes[index]
      if attribute.local == local.number, attribute.namespace == namespace.number { return attribute }
    }
    return nil
  }

  private func attributeNode(_ local: StaticString, _ namespace: StaticString) -> Tape.Node? {
    for index in node.content {
      // Most have no namespace, which is seen by its length.
      if tape.string(tape.attributes[index].namespace, equals: namespace),
        tape.string(tape.attributes[index].local, equals: local)
      {
        return tape.attributes[index]
      }
    }
    return nil
  }
}

// MARK: Children

extension Element {
  /// The elements directly within this one, in order. Makes no array.
  package var children: Children { Children(nodes: Nodes(tape: tape, parent: index), wireBytes: wireBytes) }

  /// The first child of that name.
  package func child(_ local: StaticString, _ namespace: StaticString) -> Element? {
    children.first { $0.isNamed(local, namespace) }
  }

  /// All children of that name.
  package func children(_ local: StaticString, _ namespace: StaticString) -> [Element] {
    children.filter { $0.isNamed(local, namespace) }
  }

  /// The child elements of an element.
  package struct Children: Sequence, IteratorProtocol, Sendable {
    var nodes: Nodes
    let wireBytes: Int32

    package mutating func next() -> Element? {
      while let index = nodes.next() {
        if !nodes.tape.nodes[index].isText {
          return Element(tape: nodes.tape, place: Int32(truncatingIfNeeded: index), wireBytes: wireBytes)
        }
      }
      return nil
    }
  }

  /// The indices of the nodes directly within an element.
  struct Nodes: Sequence, IteratorProtocol, Sendable {
    let tape: Tape
    private var position: Int
    private let end: Int

    init(tape: Tape, parent: Int) {
      self.tape = tape
      position = parent + 1
      end = Int(tape.nodes[parent].next)
    }

    mutating func next() -> Int? {
      guard position < end else { return nil }
      defer { position = Int(tape.nodes[position].next) }
      return position
    }
  }
}

// MARK: Equality

extension Element: Equatable {
  /// The same name, the same attributes in any order, the same content in the same order. Prefixes and the way things
  /// were escaped do not matter.
  package static func == (left: Element, right: Element) -> Bool {
    let count = Int(left.node.next) - left.index
    guard count == Int(right.node.next) - right.index else { return false }
    return (0..<count).allSatisfy { left.hasSameNode(as: right, offset: $0) }
  }

  private func hasSameNode(as other: Element, offset: Int) -> Bool {
    let mine = tape.nodes[index + offset]
    let theirs = other.tape.nodes[other.index + offset]
    // Nodes stand in document order: where all subtrees are of equal length, the trees are of equal shape.
    guard mine.isText == theirs.isText, Int(mine.next) - index == Int(theirs.next) - other.index else { return false }
    if mine.isText { return tape.text(of: mine) == other.tape.text(of: theirs) }
    return tape.string(mine.local) == other.tape.string(theirs.local)
      && tape.string(mine.namespace) == other.tape.string(theirs.namespace)
      && hasSameAttributes(mine, theirs, of: other.tape)
  }

  private func hasSameAttributes(_ mine: Tape.Node, _ theirs: Tape.Node, of other: Tape) -> Bool {
    guard mine.count == theirs.count else { return false }
    return tape.attributes[mine.content].allSatisfy { attribute in
      other.attributes[theirs.content].contains { candidate in
        tape.string(attribute.local) == other.string(candidate.local)
          && tape.string(attribute.namespace) == other.string(candidate.namespace)
          && tape.text(of: attribute) == other.text(of: candidate)
      }
    }
  }
}
