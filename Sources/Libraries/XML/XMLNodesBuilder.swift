/// Fills the nodes while stanzas are parsed, then copies it out exactly; its own memory is used again.
struct XMLNodesBuilder: ~Copyable {
  private var nodes = Scratch<XMLNodes.Node>()
  private var bytes = Scratch<UInt8>()
  /// The names of these stanzas and of earlier ones: a stream has few, and all nodes share them.
  private var names = NameTable()
  private var used = UsedNames()
  private var open = Scratch<OpenElement>()
  /// True if the last node is character data of the open element.
  private var lastIsOpenText = false
  /// The start of the present stanza, behind the complete ones.
  private var start = Place()

  private struct Place {
    var node = 0
    var byte = 0
  }

  struct OpenElement: BitwiseCopyable {
    var node: Int
    var children: Int
  }

  /// Open elements.
  var depth: Int { open.count }
  /// Child elements that the innermost open element has.
  var childCount: Int { depth == 0 ? 0 : open[depth - 1].children }
  /// Elements, attributes and runs of character data that the present stanza has.
  var nodeCount: Int { nodes.count - start.node }
  /// Bytes of text, names and values that are held for the present stanza.
  var heldBytes: Int { bytes.count - start.byte + (nodeCount == 0 ? 0 : names.list.byteCount) }
  /// The root of the present stanza.
  var root: Int { start.node }

  /// Values that stand further apart than this are copied one by one.
  private static let longestStretch = 2 << 10

  /// The names of earlier stanzas are to be forgotten before the next one.
  var hasManyNames: Bool { names.areMany }

  /// The present stanza is whole: what comes is of the next one.
  @inline(__always)
  mutating func endStanza() {
    start = Place(node: nodes.count, byte: bytes.count)
    if used.count > 0 { used = UsedNames() }
  }

  /// True if the present stanza has more distinct names and namespaces than this. They are counted only if it has
  /// enough nodes for that.
  mutating func hasMoreNames(than limit: Int) -> Bool {
    guard 2 * nodeCount > limit else { return false }
    used.note(nodes, from: start.node, of: names.list.total)
    return used.count > limit
  }

  /// Forgets what there is of the present stanza.
  mutating func dropStanza() {
    nodes.cut(to: start.node)
    bytes.cut(to: start.byte)
    open.cut(to: 0)
    lastIsOpenText = false
    endStanza()
  }

  /// - Parameter context: of the parser, in whose input most values stand.
  @inline(__always)
  mutating func openElement(
    _ local: DictionaryString, _ namespace: DictionaryString, _ list: AttributeList, _ context: LibXMLContext?
  ) {
    if depth > 0 { open[depth - 1].children += 1 }
    open.append(OpenElement(node: nodes.count, children: 0))
    nodes.append(XMLNodes.Node(names.number(of: local), names.number(of: namespace), count: list.count))
    lastIsOpenText = false
    guard list.count > 0, !appendTogether(list, context) else { return }
    appendOneByOne(list)
  }

  @inline(__always)
  mutating func appendText(_ text: BorrowedBytes) {
    guard !text.isEmpty else { return }
    let offset = bytes.count
    text.append(to: &bytes)
    if lastIsOpenText {
      nodes[nodes.count - 1].count += Int32(truncatingIfNeeded: bytes.count - offset)
    } else {
      nodes.append(XMLNodes.Node(XMLNodes.Node.text, place: offset, count: bytes.count - offset))
      lastIsOpenText = true
    }
  }

  @inline(__always)
  mutating func closeElement() {
    guard depth > 0 else { return }
    nodes[open[depth - 1].node].place = Int32(truncatingIfNeeded: nodes.count)
    open.cut(to: depth - 1)
    lastIsOpenText = false
  }

  /// The values of an element stand near each other: what is between them is copied with them, at one stroke. False, and
  /// nothing is added, where they do not.
  @inline(__always)
  private mutating func appendTogether(_ list: AttributeList, _ context: LibXMLContext?) -> Bool {
    guard let stretch = list.stretch(atMost: Self.longestStretch, context),
      Self.append(list, in: stretch, at: bytes.count, &nodes, &names)
    else { return false }
    stretch.append(to: &bytes)
    return true
  }

  @inline(__always)
  private static func append(
    _ list: AttributeList, in stretch: BorrowedBytes, at offset: Int, _ nodes: inout Scratch<XMLNodes.Node>,
    _ names: inout NameTable
  ) -> Bool {
    nodes.append(count: list.count) { index in
      guard let (first, count) = list.place(of: index, in: stretch) else { return nil }
      let (local, namespace) = (names.number(of: list.local(index)), names.number(of: list.namespace(index)))
      return XMLNodes.Node(local, namespace, place: offset &+ first, count: count)
    }
  }

  @inline(never)
  private mutating func appendOneByOne(_ list: AttributeList) {
    for attribute in 0..<list.count {
      let (local, namespace) = (names.number(of: list.local(attribute)), names.number(of: list.namespace(attribute)))
      let offset = bytes.count
      list.value(attribute).append(to: &bytes)
      nodes.append(XMLNodes.Node(local, namespace, place: offset, count: bytes.count - offset))
    }
  }
}

// MARK: Tapes

extension XMLNodesBuilder {
  /// Takes out the complete stanzas. The beginning of the present one moves to the front.
  mutating func takeFinished() -> XMLNodes {
    // Copies of exactly the size needed: the builder's own memory is larger, and it uses it again.
    let tree = XMLNodes(nodes: nodes.array(0..<start.node), names: names.list, bytes: bytes.array(0..<start.byte))
    dropFinished()
    return tree
  }

  /// The start tag of the present stanza alone.
  func startTag() -> XMLNodes {
    let behind = nodes[root].attributes(at: root).upperBound
    return XMLNodes(nodes: nodes.array(root..<behind), names: names.list, bytes: bytes.array(0..<bytes.count))
  }

  /// No stanza is open: the names are those of stanzas to come.
  mutating func forgetNames() {
    names = NameTable()
  }

  private mutating func dropFinished() {
    // Frees the memory of an unusually large stanza.
    let isLarge = bytes.capacity > 64 << 10 || nodes.capacity > 8 << 10
    nodes.drop(start.node)
    bytes.drop(start.byte)
    for index in 0..<open.count { open[index].node -= start.node }
    moveNodes(by: start)
    start = Place()
    guard isLarge else { return }
    nodes.shrink()
    bytes.shrink()
  }

  private mutating func moveNodes(by moved: Place) {
    let (moved, bytes) = (Int32(truncatingIfNeeded: moved.node), Int32(truncatingIfNeeded: moved.byte))
    var index = 0
    while index < nodes.count {
      let node = nodes[index]
      let attributes = node.isText ? index..<index + 1 : node.attributes(at: index)
      if !node.isText, node.place > 0 { nodes[index].place -= moved }
      for attribute in attributes { nodes[attribute].place -= bytes }
      index = attributes.upperBound
    }
  }
}
