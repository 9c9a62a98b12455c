extension Element {
  /// Appends this element as well-formed XML that stands for itself: every namespace is declared where it is needed.
  ///
  /// - Parameter namespace: the default namespace in scope where it is put; one that differs is declared.
  package func serialize(into bytes: inout [UInt8], inheriting namespace: String) {
    var serializer = ElementSerializer(tree: tree, end: .max)
    serializer.append(index, inheriting: Array(namespace.utf8)[...], to: &bytes)
  }

  /// Serialises the element if that takes at most `limit` bytes; otherwise appends nothing and returns false.
  ///
  /// An element that came from outside can be very much longer as it is written here than it was on the wire: there, a
  /// namespace of 50 KB is declared once for thousands of elements of its prefix; here, for each of them.
  package func serialize(into bytes: inout [UInt8], inheriting namespace: String, limit: Int) -> Bool {
    let start = bytes.count
    var serializer = ElementSerializer(tree: tree, end: start + limit)
    serializer.append(index, inheriting: Array(namespace.utf8)[...], to: &bytes)
    if bytes.count - start <= limit { return true }
    bytes.removeSubrange(start...)
    return false
  }

  /// Serialises with few bytes: a namespace that would be declared repeatedly is declared once, at the start, under a
  /// prefix, and no character is escaped that need not be. The result is not longer than the element was on the wire,
  /// unless the sender mixed prefixes and default namespaces in a way that no sender does.
  package func serializeBriefly(into bytes: inout [UInt8], inheriting namespace: String, limit: Int) -> Bool {
    let start = bytes.count
    for choice in SharedNamespaces.Choice.allCases {
      let shared = SharedNamespaces(of: [self], inheriting: tree.string(node.namespace), choice)
      var serializer = ElementSerializer(tree: tree, end: start + limit, shared: shared)
      serializer.append(index, inheriting: Array(namespace.utf8)[...], declaring: true, to: &bytes)
      if bytes.count - start <= limit { return true }
      bytes.removeSubrange(start...)
    }
    return false
  }

  /// Serialises elements of one stanza with few bytes, as they stand in a start tag after its name: ` xmlns='…'
  /// xmlns:a='…'><a:x/><a:y/>`. The first element that makes the result longer than `limit`, and those after it, are
  /// left out; the result is empty if all are.
  package static func serializeBriefly(_ elements: [Element], inheriting namespace: String, limit: Int) -> [UInt8] {
    var longest: (bytes: [UInt8], count: Int) = ([], 0)
    for choice in SharedNamespaces.Choice.allCases where longest.count < elements.count {
      let written = serialize(elements, inheriting: Array(namespace.utf8)[...], limit: limit, choice)
      if written.count > longest.count { longest = written }
    }
    return longest.bytes
  }

  /// Serialises elements, and returns their bytes and the number of elements serialised.
  private static func serialize(
    _ elements: [Element], inheriting namespace: ArraySlice<UInt8>, limit: Int, _ choice: SharedNamespaces.Choice
  ) -> (bytes: [UInt8], count: Int) {
    guard let tree = elements.first?.tree else { return ([], 0) }
    let shared = SharedNamespaces(of: elements, inheriting: namespace, choice)
    var serializer = ElementSerializer(tree: tree, end: limit, shared: shared)
    var bytes: [UInt8] = []
    serializer.appendAttribute("xmlns".utf8, namespace, to: &bytes)
    serializer.appendDeclarations(to: &bytes)
    bytes.append(UInt8(ascii: ">"))
    for (count, element) in elements.enumerated() {
      let end = bytes.count
      serializer.append(element.index, inheriting: namespace, to: &bytes)
      guard bytes.count > limit else { continue }
      bytes.removeSubrange(end...)
      return (bytes, count)
    }
    return (bytes, elements.count)
  }

  /// This element as XML, its own namespace declared.
  package func serialized() -> [UInt8] {
    var bytes: [UInt8] = []
    serialize(into: &bytes, inheriting: "")
    return bytes
  }

  /// One whole element and nothing else, as `serialize` writes it. Nil if the bytes are anything else.
  ///
  /// It goes through the same engine as a stream, with the same limits.
  package static func parse(_ bytes: [UInt8], limits: StreamLimits = .authenticated) -> Element? {
    let parser = StreamParser(limits: limits)
    var items: [StreamItem] = []
    parser.feed(Array("<stream>".utf8), into: &items)
    parser.feed(bytes, into: &items)
    // Looked at before our own end tag: the bytes may hold one too.
    guard items.count == 2, case .stanza(let element) = items[1] else { return nil }
    parser.feed(Array("</stream>".utf8), into: &items)
    guard items.count == 3, items[2] == .end else { return nil }
    return element
  }
}

/// Writes a part of the nodes. It keeps a stack of its own, so that depth costs no call stack. It stops soon after it has
/// gone over the end that it was given.
private struct ElementSerializer {
  private struct Open {
    var node: XMLNodes.Node
    /// The default namespace inside the element.
    var namespace: ArraySlice<UInt8>
    var isPrefixed: Bool
  }

  private let tree: XMLNodes
  private var open: [Open] = []
  /// How many bytes there may be.
  private let end: Int
  /// Namespaces declared once. Nil: each element declares the namespaces it uses, and is fully escaped.
  private let shared: SharedNamespaces?

  init(tree: XMLNodes, end: Int, shared: SharedNamespaces? = nil) {
    (self.tree, self.end, self.shared) = (tree, end, shared)
  }

  /// - Parameter declaring: whether the root declares the shared namespaces, and its own as the default.
  mutating func append(
    _ root: Int, inheriting: ArraySlice<UInt8>, declaring: Bool = false, to bytes: inout [UInt8]
  ) {
    open = []
    var index = root
    while index < Int(tree.nodes[root].place) {
      guard bytes.count <= end else { return }
      closeElements(before: index, to: &bytes)
      let inherited = open.last?.namespace ?? inheriting
      let node = tree.nodes[index]
      if node.isText {
        appendText(tree.text(of: node), to: &bytes)
        index += 1
      } else {
        appendStart(index, node, inherited, declaring: declaring && index == root, to: &bytes)
        index = node.attributes(at: index).upperBound
      }
    }
    closeElements(before: Int(tree.nodes[root].place), to: &bytes)
  }

  func appendDeclarations(to bytes: inout [UInt8]) {
    for (namespace, prefix) in shared?.declarations ?? [] {
      appendAttribute("xmlns:\(prefix)".utf8, tree.string(namespace), to: &bytes)
    }
  }

  private mutating func appendStart(
    _ index: Int, _ node: XMLNodes.Node, _ inherited: ArraySlice<UInt8>, declaring: Bool, to bytes: inout [UInt8]
  ) {
    // The namespace of the prefix xml can be no default namespace.
    var namespace = isInXMLNamespace(node) ? inherited : tree.string(node.namespace)
    let isPrefixed = !declaring && namespace != inherited && shared?.prefixes[node.namespace] != nil
    if isPrefixed { namespace = inherited }
    bytes.append(UInt8(ascii: "<"))
    appendName(node, isPrefixed, to: &bytes)
    if namespace != inherited { appendAttribute("xmlns".utf8, namespace, to: &bytes) }
    if declaring { appendDeclarations(to: &bytes) }
    for (position, attribute) in tree.nodes[node.attributes(at: index)].enumerated() where bytes.count <= end {
      appendAttribute(attribute, position, to: &bytes)
    }
    if Int(node.place) == node.attributes(at: index).upperBound {
      XMLEscaping.append("/>", to: &bytes)
    } else {
      bytes.append(UInt8(ascii: ">"))
      open.append(Open(node: node, namespace: namespace, isPrefixed: isPrefixed))
    }
  }

  private func appendAttribute(_ attribute: XMLNodes.Node, _ position: Int, to bytes: inout [UInt8]) {
    let value = tree.text(of: attribute)
    let local = tree.string(attribute.local)
    if tree.string(attribute.namespace, equals: "") {
      appendAttribute(local, value, to: &bytes)
    } else if tree.string(attribute.namespace, equals: "http://www.w3.org/XML/1998/namespace") {
      appendAttribute(Array("xml:".utf8) + local, value, to: &bytes)
    } else if let prefix = shared?.prefixes[attribute.namespace] {
      appendAttribute(Array("\(prefix):".utf8) + local, value, to: &bytes)
    } else {
      // Prefixes are made up: one for each attribute, bound on the element itself.
      let prefix = "a\(position)"
      appendAttribute("xmlns:\(prefix)".utf8, tree.string(attribute.namespace), to: &bytes)
      appendAttribute(Array("\(prefix):".utf8) + local, value, to: &bytes)
    }
  }

  func appendAttribute(_ name: some Sequence<UInt8>, _ value: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: " "))
    bytes.append(contentsOf: name)
    bytes.append(UInt8(ascii: "="))
    guard shared == nil else { return XMLEscaping.appendQuotedBriefly(value, to: &bytes) }
    bytes.append(UInt8(ascii: "'"))
    XMLEscaping.appendValue(value, to: &bytes)
    bytes.append(UInt8(ascii: "'"))
  }

  private func appendText(_ text: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    if shared == nil { XMLEscaping.appendText(text, to: &bytes) } else { XMLEscaping.appendBriefly(text, to: &bytes) }
  }

  private func appendName(_ node: XMLNodes.Node, _ isPrefixed: Bool, to bytes: inout [UInt8]) {
    if isInXMLNamespace(node) { XMLEscaping.append("xml:", to: &bytes) }
    if isPrefixed, let prefix = shared?.prefixes[node.namespace] { bytes.append(contentsOf: "\(prefix):".utf8) }
    bytes.append(contentsOf: tree.string(node.local))
  }

  private func isInXMLNamespace(_ node: XMLNodes.Node) -> Bool {
    tree.string(node.namespace, equals: "http://www.w3.org/XML/1998/namespace")
  }

  private mutating func closeElements(before index: Int, to bytes: inout [UInt8]) {
    while let element = open.last, Int(element.node.place) <= index {
      XMLEscaping.append("</", to: &bytes)
      appendName(element.node, element.isPrefixed, to: &bytes)
      bytes.append(UInt8(ascii: ">"))
      open.removeLast()
    }
  }
}
