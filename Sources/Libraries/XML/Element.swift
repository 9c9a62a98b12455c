/// An XML element with all that is in it: an immutable value, a position among the nodes of the stanzas that came with it.
/// Copying it counts a reference.
///
/// Prefixes are gone: names are pairs of a local name and a namespace, which is empty if there is none.
@usableFromInline package struct Element: Sendable {
  // Members used for each message are `@inlinable`: a call, and a reference for it, cost more than a look at the nodes.
  @usableFromInline let tree: XMLNodes
  @usableFromInline let place: Int32
  @usableFromInline let wireBytes: Int32

  @inlinable
  init(tree: XMLNodes, place: Int32, wireBytes: Int32) {
    self.tree = tree
    self.place = place
    self.wireBytes = wireBytes
  }

  @inlinable var index: Int { @inline(__always) get { Int(place) } }

  @inlinable var node: XMLNodes.Node { @inline(__always) get { tree.nodes[index] } }

  /// The indices of its attributes.
  @inlinable var attributes: Range<Int> { @inline(__always) get { node.attributes(at: index) } }

  package var local: String { String(decoding: tree.string(node.local), as: UTF8.self) }
  package var namespace: String { String(decoding: tree.string(node.namespace), as: UTF8.self) }

  /// Size on the wire of the whole stanza that this is, or is part of.
  package var byteCount: Int { Int(wireBytes) }

  /// True if this is the element of that name. Makes no string.
  package func isNamed(_ local: StaticString, _ namespace: StaticString) -> Bool {
    tree.string(node.local, equals: local) && tree.string(node.namespace, equals: namespace)
  }

  /// True if this is the element of that name; compares numbers only.
  @inlinable @inline(__always)
  package func isNamed(_ local: KnownName, _ namespace: KnownName) -> Bool {
    node.local == local.number && node.namespace == namespace.number
  }

  /// True if this element has that namespace. Makes no string.
  package func isIn(_ namespace: StaticString) -> Bool { tree.string(node.namespace, equals: namespace) }

  /// The number of its pair of names (`KnownName.pair`); nil if one of them is not known.
  @inlinable package var knownPair: Int? {
    @inline(__always) get {
      let (node, count) = (node, KnownName.count)
      return node.local < count && node.namespace < count ? Int(node.local * count + node.namespace) : nil
    }
  }

  /// The value of the attribute that has this name and no namespace.
  package func attribute(_ local: StaticString) -> String? { attribute(local, namespace: "") }

  /// The value of the attribute of this name and namespace.
  package func attribute(_ local: StaticString, namespace: StaticString) -> String? {
    attributeNode(local, namespace).map { String(decoding: tree.text(of: $0), as: UTF8.self) }
  }

  /// The value of the attribute of this name.
  @inlinable @inline(__always)
  package func attribute(_ local: KnownName, _ namespace: KnownName = .none) -> String? {
    attributeNode(local, namespace).map { string(of: $0) }
  }

  /// True if there is an attribute of this name with exactly this value. Makes no string.
  @inlinable @inline(__always)
  package func attribute(_ local: KnownName, equals value: StaticString) -> Bool {
    guard let found = attributeNode(local) else { return false }
    return hasBytes(value, found)
  }

  /// True if there is an attribute of this name with exactly the bytes of this value. Makes no string.
  @inlinable @inline(__always)
  package func attribute(_ local: KnownName, equals value: String) -> Bool {
    guard let found = attributeNode(local), Int(found.count) == value.utf8.count else { return false }
    return tree.bytes.hasBytes(value.utf8.span, at: found.content)
  }

  /// True if there is an attribute of this name and no namespace with exactly this value. Makes no string.
  package func attribute(_ local: StaticString, equals value: StaticString) -> Bool {
    guard let found = attributeNode(local, "") else { return false }
    return hasBytes(value, found)
  }

  /// The bytes of the value of the attribute of this name. Copies nothing.
  @inlinable @inline(__always)
  package func attributeBytes(_ local: KnownName) -> ArraySlice<UInt8>? {
    attributeNode(local).map { tree.text(of: $0) }
  }

  /// Lends the same.
  @inlinable @inline(__always)
  package func lendAttribute<R>(_ local: KnownName, _ body: (Span<UInt8>) -> R) -> R? {
    guard let found = attributeNode(local) else { return nil }
    let bytes = tree.bytes
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
    if Int(node.place) == first + 1, tree.nodes[first].isText { return string(of: tree.nodes[first]) }
    var text = ""
    for index in Nodes(of: self) where tree.nodes[index].isText {
      let piece = string(of: tree.nodes[index])
      if text.isEmpty { text = piece } else { text += piece }
    }
    return text
  }

  /// The position of a part of an element: takes no reference.
  @usableFromInline package struct Position: Sendable {
    @usableFromInline let place: Int32

    @inlinable init(place: Int32) { self.place = place }
  }

  @inlinable package var position: Position { @inline(__always) get { Position(place: place) } }

  /// The element at a position that one of the same nodes had.
  @inlinable @inline(__always)
  package subscript(position: Position) -> Element { Element(tree: tree, place: position.place, wireBytes: wireBytes) }
}

// MARK: Nodes

extension Element {
  @inlinable @inline(__always)
  func attributeNode(_ local: KnownName, _ namespace: KnownName = .none) -> XMLNodes.Node? {
    for index in attributes {
      let attribute = tree.nodes[index]
      if attribute.local == local.number, attribute.namespace == namespace.number { return attribute }
    }
    return nil
  }

  private func attributeNode(_ local: StaticString, _ namespace: StaticString) -> XMLNodes.Node? {
    for index in attributes {
      // Most have no namespace, which is seen by its length.
      if tree.string(tree.nodes[index].namespace, equals: namespace),
        tree.string(tree.nodes[index].local, equals: local)
      {
        return tree.nodes[index]
      }
    }
    return nil
  }

  /// The character data of a node, or the value of an attribute.
  @usableFromInline
  func string(of node: XMLNodes.Node) -> String { tree.bytes.string(at: node.content) }

  @usableFromInline
  func hasBytes(_ value: StaticString, _ node: XMLNodes.Node) -> Bool {
    Int(node.count) == value.utf8CodeUnitCount && tree.bytes.hasBytes(value, at: node.content)
  }
}

// MARK: Equality

extension Element: Equatable {
  /// True if name and content are equal, and the attributes in any order. Prefixes and escaping do not matter.
  @usableFromInline package static func == (left: Element, right: Element) -> Bool {
    let count = Int(left.node.place) - left.index
    guard count == Int(right.node.place) - right.index else { return false }
    var offset = 0
    while offset < count {
      guard left.hasSameNode(as: right, offset: offset) else { return false }
      let node = left.tree.nodes[left.index + offset]
      offset = node.isText ? offset + 1 : node.attributes(at: offset).upperBound
    }
    return true
  }

  private func hasSameNode(as other: Element, offset: Int) -> Bool {
    let mine = tree.nodes[index + offset]
    let theirs = other.tree.nodes[other.index + offset]
    // Nodes stand in document order: where all subtrees are of equal length, the trees are of equal shape.
    guard mine.isText == theirs.isText else { return false }
    if mine.isText { return tree.text(of: mine) == other.tree.text(of: theirs) }
    guard Int(mine.place) - index == Int(theirs.place) - other.index else { return false }
    return tree.string(mine.local) == other.tree.string(theirs.local)
      && tree.string(mine.namespace) == other.tree.string(theirs.namespace)
      && hasSameAttributes(as: other, offset: offset, mine, theirs)
  }

  private func hasSameAttributes(
    as other: Element, offset: Int, _ mine: XMLNodes.Node, _ theirs: XMLNodes.Node
  ) -> Bool {
    guard mine.count == theirs.count else { return false }
    return tree.nodes[mine.attributes(at: index + offset)].allSatisfy { attribute in
      other.tree.nodes[theirs.attributes(at: other.index + offset)].contains { candidate in
        tree.string(attribute.local) == other.tree.string(candidate.local)
          && tree.string(attribute.namespace) == other.tree.string(candidate.namespace)
          && tree.text(of: attribute) == other.tree.text(of: candidate)
      }
    }
  }
}
