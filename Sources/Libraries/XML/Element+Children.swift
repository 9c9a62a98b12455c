extension Element {
  /// The elements directly within this one, in order. Makes no array.
  @inlinable package var children: Children {
    @inline(__always) get { Children(nodes: Nodes(of: self), wireBytes: wireBytes) }
  }

  /// Calls `body` with each of them.
  @inlinable @inline(__always)
  package func forEachChild(_ body: (Element) -> Void) {
    var index = attributes.upperBound
    let end = Int(node.place)
    while index < end {
      let node = tree.nodes[index]
      if !node.isText { body(Element(tree: tree, place: Int32(truncatingIfNeeded: index), wireBytes: wireBytes)) }
      index = node.end(at: index)
    }
  }

  /// The first child of that name.
  package func child(_ local: StaticString, _ namespace: StaticString) -> Element? {
    children.first { $0.isNamed(local, namespace) }
  }

  /// The first child of that name; compares numbers only.
  package func child(_ local: KnownName, _ namespace: KnownName) -> Element? {
    children.first { $0.isNamed(local, namespace) }
  }

  /// All children of that name.
  package func children(_ local: StaticString, _ namespace: StaticString) -> [Element] {
    children.filter { $0.isNamed(local, namespace) }
  }

  /// The child elements of an element.
  @usableFromInline package struct Children: Sequence, IteratorProtocol, Sendable {
    @usableFromInline var nodes: Nodes
    @usableFromInline let wireBytes: Int32

    @inlinable
    init(nodes: Nodes, wireBytes: Int32) {
      self.nodes = nodes
      self.wireBytes = wireBytes
    }

    @inlinable @inline(__always)
    package mutating func next() -> Element? {
      while let index = nodes.next() {
        if !nodes.tree.nodes[index].isText {
          return Element(tree: nodes.tree, place: Int32(truncatingIfNeeded: index), wireBytes: wireBytes)
        }
      }
      return nil
    }
  }

  /// The indices of the nodes directly within an element, its attributes not among them.
  @usableFromInline struct Nodes: Sequence, IteratorProtocol, Sendable {
    @usableFromInline let tree: XMLNodes
    @usableFromInline var position: Int
    @usableFromInline let end: Int

    @inlinable
    init(of parent: Element) {
      tree = parent.tree
      position = parent.attributes.upperBound
      end = Int(parent.node.place)
    }

    @inlinable @inline(__always)
    mutating func next() -> Int? {
      guard position < end else { return nil }
      defer { position = tree.nodes[position].end(at: position) }
      return position
    }
  }
}
