/// An XML element with all that is in it: an immutable value, a place on the tape of the stanzas that came with it.
/// Copying it counts a reference.
///
/// Prefixes are gone: names are pairs of a local name and a namespace, which is empty where there is none.
@usableFromInline package struct Element: Sendable {
  // What is asked of each message is `@inlinable`: a call, and a reference for it, cost more than a look at the tape.
  @usableFromInline let tape: Tape
  @usableFromInline let place: Int32
  @usableFromInline let wireBytes: Int32

  @inlinable
  init(tape: Tape, place: Int32, wireBytes: Int32) {
    self.tape = tape
    self.place = place
    self.wireBytes = wireBytes
  }

  @inlinable var index: Int { @inline(__always) get { Int(place) } }

  @inlinable var node: Tape.Node { @inline(__always) get { tape.nodes[index] } }

  /// Its attributes, where they stand on the tape.
  @inlinable var attributes: Range<Int> { @inline(__always) get { node.attributes(at: index) } }

  package var local: String { String(decoding: tape.string(node.local), as: UTF8.self) }
  package var namespace: String { String(decoding: tape.string(node.namespace), as: UTF8.self) }

  /// Size on the wire of the whole stanza that this is, or is part of.
  package var byteCount: Int { Int(wireBytes) }

  /// Whether this is the element of that name. Makes no string.
  package func isNamed(_ local: StaticString, _ namespace: StaticString) -> Bool {
    tape.string(node.local, equals: local) && tape.string(node.namespace, equals: namespace)
  }

  /// Whether this is the element of that name.
  @inlinable @inline(__always)
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
  @inlinable @inline(__always)
  package func attribute(_ local: KnownName, _ namespace: KnownName = .none) -> String? {
    attributeNode(local, namespace).map { string(of: $0) }
  }

  /// Whether there is an attribute of this name with exactly this value. Makes no string.
  @inlinable @inline(__always)
  package func attribute(_ local: KnownName, equals value: StaticString) -> Bool {
    guard let found = attributeNode(local) else { return false }
    return hasBytes(value, found)
  }

  /// Whether there is an attribute of this name with exactly the bytes of this value. Makes no string.
  @inlinable @inline(__always)
  package func attribute(_ local: KnownName, equals value: String) -> Bool {
    guard let found = attributeNode(local), Int(found.count) == value.utf8.count else { return false }
    return tape.bytes.hasBytes(value.utf8.span, at: found.content)
  }

  /// Whether there is an attribute of this name and no namespace with exactly this value. Makes no string.
  package func attribute(_ local: StaticString, equals value: StaticString) -> Bool {
    guard let found = attributeNode(local, "") else { return false }
    return hasBytes(value, found)
  }

  /// The bytes of the value of the attribute of this name. Copies nothing.
  @inlinable @inline(__always)
  package func attributeBytes(_ local: KnownName) -> ArraySlice<UInt8>? {
    attributeNode(local).map { tape.text(of: $0) }
  }

  /// Lends the same.
  @inlinable @inline(__always)
  package func lendAttribute<R>(_ local: KnownName, _ body: (Span<UInt8>) -> R) -> R? {
    guard let found = attributeNode(local) else { return nil }
    let bytes = tape.bytes
    return body(bytes.span.extracting(found.content))
  }

  /// `xml:lang`, of this element itself.
  @inlinable package var language: String? { @inline(__always) get { attribute(.lang, .xml) } }

  /// Attributes, namespace declarations not among them.
  package var attributeCount: Int { Int(node.count) }

  /// Its own character data, all pieces joined; that of its children is not part of it.
  package var text: String {
    let first = attributes.upperBound
    // Nearly always it is one piece.
    if Int(node.place) == first + 1, tape.nodes[first].isText { return string(of: tape.nodes[first]) }
    var text = ""
    for index in Nodes(of: self) where tape.nodes[index].isText {
      let piece = string(of: tape.nodes[index])
      if text.isEmpty { text = piece } else { text += piece }
    }
    return text
  }

  /// Where a part of an element stands: takes no reference.
  @usableFromInline package struct Position: Sendable {
    @usableFromInline let place: Int32

    @inlinable init(place: Int32) { self.place = place }
  }

  @inlinable package var position: Position { @inline(__always) get { Position(place: place) } }

  /// The element at a position that one of the same tape had.
  @inlinable @inline(__always)
  package subscript(position: Position) -> Element { Element(tape: tape, place: position.place, wireBytes: wireBytes) }
}

// MARK: On the tape

extension Element {
  @inlinable @inline(__always)
  func attributeNode(_ local: KnownName, _ namespace: KnownName = .none) -> Tape.Node? {
    for index in attributes {
      let attribute = tape.nodes[index]
      if attribute.local == local.number, attribute.namespace == namespace.number { return attribute }
    }
    return nil
  }

  private func attributeNode(_ local: StaticString, _ namespace: StaticString) -> Tape.Node? {
    for index in attributes {
      // Most have no namespace, which is seen by its length.
      if tape.string(tape.nodes[index].namespace, equals: namespace),
        tape.string(tape.nodes[index].local, equals: local)
      {
        return tape.nodes[index]
      }
    }
    return nil
  }

  /// The character data of a node, or the value of an attribute.
  @usableFromInline
  func string(of node: Tape.Node) -> String { tape.bytes.string(at: node.content) }

  @usableFromInline
  func hasBytes(_ value: StaticString, _ node: Tape.Node) -> Bool {
    Int(node.count) == value.utf8CodeUnitCount && tape.bytes.hasBytes(value, at: node.content)
  }
}

// MARK: Equality

extension Element: Equatable {
  /// The same name, the same attributes in any order, the same content in the same order. Prefixes and the way things
  /// were escaped do not matter.
  @usableFromInline package static func == (left: Element, right: Element) -> Bool {
    let count = Int(left.node.place) - left.index
    guard count == Int(right.node.place) - right.index else { return false }
    var offset = 0
    while offset < count {
      guard left.hasSameNode(as: right, offset: offset) else { return false }
      let node = left.tape.nodes[left.index + offset]
      offset = node.isText ? offset + 1 : node.attributes(at: offset).upperBound
    }
    return true
  }

  private func hasSameNode(as other: Element, offset: Int) -> Bool {
    let mine = tape.nodes[index + offset]
    let theirs = other.tape.nodes[other.index + offset]
    // Nodes stand in document order: where all subtrees are of equal length, the trees are of equal shape.
    guard mine.isText == theirs.isText else { return false }
    if mine.isText { return tape.text(of: mine) == other.tape.text(of: theirs) }
    guard Int(mine.place) - index == Int(theirs.place) - other.index else { return false }
    return tape.string(mine.local) == other.tape.string(theirs.local)
      && tape.string(mine.namespace) == other.tape.string(theirs.namespace)
      && hasSameAttributes(as: other, offset: offset, mine, theirs)
  }

  private func hasSameAttributes(
    as other: Element, offset: Int, _ mine: Tape.Node, _ theirs: Tape.Node
  ) -> Bool {
    guard mine.count == theirs.count else { return false }
    return tape.nodes[mine.attributes(at: index + offset)].allSatisfy { attribute in
      other.tape.nodes[theirs.attributes(at: other.index + offset)].contains { candidate in
        tape.string(attribute.local) == other.tape.string(candidate.local)
          && tape.string(attribute.namespace) == other.tape.string(candidate.namespace)
          && tape.text(of: attribute) == other.tape.text(of: candidate)
      }
    }
  }
}
