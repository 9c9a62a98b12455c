/// Fills a tape while a stanza is parsed, then copies it out exactly; its own memory is used again.
struct TapeBuilder {
  private var nodes: [Tape.Node] = []
  private var attributes: [Tape.Node] = []
  private var bytes: [UInt8] = []
  /// The names of this stanza and of earlier ones: a stream has few, and tapes share them.
  private var names: [UInt8] = []
  private var strings: [Tape.Name] = []
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
  var stringCount: Int { table.used }
  /// Child elements that the innermost open element has.
  var childCount: Int { open.last?.children ?? 0 }
  /// Bytes of text, names and values held.
  var heldBytes: Int { bytes.count + (table.used == 0 ? 0 : names.count) }

  /// More names than this are not kept from stanza to stanza.
  private static let keptNames = 100
  private static let keptNameBytes = 4 << 10

  /// Forgets what was built, and gives back what an unusually large stanza took.
  mutating func reset() {
    let keep = bytes.capacity <= 64 << 10 && nodes.capacity <= 4 << 10
    nodes.removeAll(keepingCapacity: keep)
    attributes.removeAll(keepingCapacity: keep)
    bytes.removeAll(keepingCapacity: keep)
    open.removeAll(keepingCapacity: keep)
    lastIsOpenText = false
    table.beginStanza()
    if strings.count > Self.keptNames || names.count > Self.keptNameBytes { forgetNames() }
  }

  private mutating func forgetNames() {
    names = []
    strings = []
    table = StringTable()
  }

  mutating func openElement(_ local: DictionaryString, _ namespace: DictionaryString, _ list: AttributeList) {
    if !open.isEmpty { open[open.count - 1].children += 1 }
    open.append(OpenElement(node: nodes.count, children: 0))
    let first = attributes.count
    let (local, namespace) = (name(of: local), name(of: namespace))
    for attribute in 0..<list.count { append(list, attribute) }
    nodes.append(
      Tape.Node(
        local: local, namespace: namespace, next: 0, first: Int32(clamping: first),
        count: Int32(clamping: list.count)))
    lastIsOpenText = false
  }

  mutating func appendText(_ text: BorrowedBytes) {
    guard !text.isEmpty else { return }
    if !lastIsOpenText {
      let next = Int32(clamping: nodes.count + 1)
      nodes.append(
        Tape.Node(local: .none, namespace: .none, next: next, first: Int32(clamping: bytes.count), count: 0))
      lastIsOpenText = true
    }
    let offset = bytes.count
    text.append(to: &bytes)
    nodes[nodes.count - 1].count += Int32(clamping: bytes.count - offset)
  }

  mutating func closeElement() {
    guard let element = open.popLast() else { return }
    nodes[element.node].next = Int32(clamping: nodes.count)
    lastIsOpenText = false
  }

  /// What was built since `reset`, when all elements are closed.
  func finish(wireBytes: Int) -> Tape {
    // Copies of exactly the size needed: the builder's own arrays are larger, and it uses them again.
    var all: [Tape.Node] = []
    all.reserveCapacity(nodes.count + attributes.count)
    unsafe nodes.withUnsafeBufferPointer { unsafe all.append(contentsOf: $0) }
    unsafe attributes.withUnsafeBufferPointer { unsafe all.append(contentsOf: $0) }
    let copy = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    return Tape(nodes: all, nodeCount: nodes.count, names: names, bytes: copy, wireBytes: wireBytes)
  }

  private mutating func append(_ list: AttributeList, _ attribute: Int) {
    let (local, namespace) = (name(of: list.local(attribute)), name(of: list.namespace(attribute)))
    let offset = bytes.count
    list.value(attribute).append(to: &bytes)
    attributes.append(
      Tape.Node(
        local: local, namespace: namespace, next: 0, first: Int32(clamping: offset),
        count: Int32(clamping: bytes.count - offset)))
  }

  /// Where the bytes of a string are in `names`, to which they are copied where no stanza has had it yet.
  private mutating func name(of string: DictionaryString) -> Tape.Name {
    let fresh = strings.count
    let known = Int(table.find(string.identity, orInsert: Int32(clamping: fresh)))
    if known == fresh {
      let offset = names.count
      string.bytes.append(to: &names)
      strings.append(
        Tape.Name(offset: Int32(clamping: offset), count: Int32(clamping: names.count - offset)))
    }
    return strings[known]
  }
}
