/// Fills a tape while a stanza is parsed, then copies it out exactly; its own memory is used again.
struct TapeBuilder {
  private var nodes: [Tape.Node] = []
  private var attributes: [Tape.Attribute] = []
  private var strings: [Tape.ByteRange] = []
  private var bytes: [UInt8] = []
  private var table = StringTable()
  private var open: [OpenElement] = []
  /// Whether the last node is character data of the element that is open now.
  private var lastIsOpenText = false

  private struct OpenElement {
    var node: Int
    var children: Int
  }

  /// Open elements.
  var depth: Int { open.count }
  /// Distinct names and namespaces so far.
  var stringCount: Int { strings.count }
  /// Child elements that the innermost open element has.
  var childCount: Int { open.last?.children ?? 0 }
  /// Bytes of text, names and values held.
  var heldBytes: Int { bytes.count }

  /// Forgets what was built, and gives back what an unusually large stanza took.
  mutating func reset() {
    let keep = bytes.capacity <= 64 << 10 && nodes.capacity <= 4 << 10
    nodes.removeAll(keepingCapacity: keep)
    attributes.removeAll(keepingCapacity: keep)
    strings.removeAll(keepingCapacity: keep)
    bytes.removeAll(keepingCapacity: keep)
    open.removeAll(keepingCapacity: keep)
    table.forget()
    lastIsOpenText = false
  }

  mutating func openElement(_ local: DictionaryString, _ namespace: DictionaryString, _ list: AttributeList) {
    if !open.isEmpty { open[open.count - 1].children += 1 }
    open.append(OpenElement(node: nodes.count, children: 0))
    let first = attributes.count
    let localIndex = index(of: local)
    let namespaceIndex = index(of: namespace)
    for attribute in 0..<list.count { append(list, attribute) }
    nodes.append(
      Tape.Node(
        local: localIndex, namespace: namespaceIndex, next: 0, first: Int32(clamping: first),
        count: Int32(clamping: list.count)))
    lastIsOpenText = false
  }

  mutating func appendText(_ text: BorrowedBytes) {
    guard !text.isEmpty else { return }
    if !lastIsOpenText {
      let next = Int32(clamping: nodes.count + 1)
      nodes.append(Tape.Node(local: -1, namespace: -1, next: next, first: Int32(clamping: bytes.count), count: 0))
      lastIsOpenText = true
    }
    nodes[nodes.count - 1].count += appended { text.append(to: &$0) }.count
  }

  mutating func closeElement() {
    guard let element = open.popLast() else { return }
    nodes[element.node].next = Int32(clamping: nodes.count)
    lastIsOpenText = false
  }

  /// What was built since `reset`, when all elements are closed.
  func finish(wireBytes: Int) -> Tape {
    // Copies of exactly the size needed: the builder's own arrays are larger, and it uses them again.
    Tape(
      nodes: nodes.exactCopy(), attributes: attributes.exactCopy(), strings: strings.exactCopy(),
      bytes: bytes.exactCopy(), wireBytes: wireBytes)
  }

  private mutating func append(_ list: AttributeList, _ attribute: Int) {
    let local = index(of: list.local(attribute))
    let namespace = index(of: list.namespace(attribute))
    let value = appended { list.value(attribute).append(to: &$0) }
    attributes.append(Tape.Attribute(local: local, namespace: namespace, value: value))
  }

  /// Where the bytes went that were appended.
  @inline(__always)
  private mutating func appended(_ append: (inout [UInt8]) -> Void) -> Tape.ByteRange {
    let offset = bytes.count
    append(&bytes)
    return Tape.ByteRange(offset: Int32(clamping: offset), count: Int32(clamping: bytes.count - offset))
  }

  /// The index of a distinct string, which is copied where the stanza has not had it yet.
  private mutating func index(of string: DictionaryString) -> Int32 {
    let fresh = Int32(clamping: strings.count)
    let known = table.find(string.identity, orInsert: fresh)
    if known == fresh {
      strings.append(appended { string.bytes.append(to: &$0) })
    }
    return known
  }
}

extension Array {
  /// The same elements in storage of their own, no larger than they need.
  fileprivate func exactCopy() -> [Element] {
    var copy: [Element] = []
    copy.reserveCapacity(count)
    copy.append(contentsOf: self)
    return copy
  }
}
