/// Fills a tape while stanzas are parsed, then copies it out exactly; its own memory is used again.
struct TapeBuilder {
  private var nodes: [Tape.Node] = []
  private var attributes: [Tape.Node] = []
  private var bytes: [UInt8] = []
  /// The names of these stanzas and of earlier ones: a stream has few, and tapes share them.
  private var names = NameList.known
  private var table = StringTable()
  private var used = UsedNames()
  private var open: [OpenElement] = []
  /// Whether the last node is character data of the element that is open now.
  private var lastIsOpenText = false
  /// Where the present stanza begins, behind those that are whole.
  private var start = Place()

  private struct Place {
    var node = 0
    var attribute = 0
    var byte = 0
  }

  private struct OpenElement {
    var node: Int
    var children: Int
  }

  /// Open elements.
  var depth: Int { open.count }
  /// Child elements that the innermost open element has.
  var childCount: Int { open.last?.children ?? 0 }
  /// Bytes of text, names and values that are held for the present stanza.
  var heldBytes: Int { bytes.count - start.byte + (nodes.count == start.node ? 0 : names.byteCount) }
  /// The root of the present stanza.
  var root: Int { start.node }

  /// More names than this are not kept from tape to tape.
  private static let keptNames = 100
  private static let keptNameBytes = 4 << 10
  /// Values that stand further apart than this are copied one by one.
  private static let longestStretch = 2 << 10

  /// The names of earlier stanzas are to be forgotten before the next one.
  var hasManyNames: Bool { table.count > Self.keptNames || names.byteCount > Self.keptNameBytes }

  /// The next stanza begins.
  mutating func beginStanza() {
    start = Place(node: nodes.count, attribute: attributes.count, byte: bytes.count)
    lastIsOpenText = false
    if used.count > 0 { used = UsedNames() }
  }

  /// Whether the present stanza has more distinct names and namespaces than this. They are counted where it can have.
  mutating func hasMoreNames(than limit: Int) -> Bool {
    let most = 2 * (nodes.count - start.node + attributes.count - start.attribute)
    guard most > limit else { return false }
    used.note(nodes[start.node...], attributes[start.attribute...], of: names.total)
    return used.count > limit
  }

  /// Forgets what there is of the present stanza.
  mutating func dropStanza() {
    nodes.removeSubrange(start.node...)
    attributes.removeSubrange(start.attribute...)
    bytes.removeSubrange(start.byte...)
    open.removeAll(keepingCapacity: true)
    beginStanza()
  }

  /// - Parameter context: of the parser, in whose input most values stand.
  mutating func openElement(
    _ local: DictionaryString, _ namespace: DictionaryString, _ list: AttributeList, _ context: LibXMLContext?
  ) {
    if !open.isEmpty { open[open.count - 1].children += 1 }
    open.append(OpenElement(node: nodes.count, children: 0))
    nodes.append(
      Tape.Node(
        local: name(of: local), namespace: name(of: namespace), next: 0, first: Int32(clamping: attributes.count),
        count: Int32(clamping: list.count)))
    lastIsOpenText = false
    guard list.count > 0, !appendTogether(list, context) else { return }
    for attribute in 0..<list.count { append(list, attribute) }
  }

  mutating func appendText(_ text: BorrowedBytes) {
    guard !text.isEmpty else { return }
    if !lastIsOpenText {
      let next = Int32(clamping: nodes.count + 1)
      nodes.append(
        Tape.Node(local: Tape.Node.text, namespace: 0, next: next, first: Int32(clamping: bytes.count), count: 0))
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

  /// The values of an element stand near each other: what is between them is copied with them, at one stroke. False, and
  /// nothing is added, where they do not.
  private mutating func appendTogether(_ list: AttributeList, _ context: LibXMLContext?) -> Bool {
    guard let stretch = list.stretch(atMost: Self.longestStretch, context) else { return false }
    let (start, first) = (Int32(clamping: bytes.count), attributes.count)
    for attribute in 0..<list.count {
      guard let field = list.field(attribute, in: stretch) else {
        attributes.removeSubrange(first...)
        return false
      }
      attributes.append(
        Tape.Node(
          local: name(of: field.local), namespace: name(of: field.namespace), next: 0, first: start + field.offset,
          count: field.count))
    }
    stretch.append(to: &bytes)
    return true
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

  /// The number of a string, which is added to `names` where no stanza has had it yet.
  @inline(__always)
  private mutating func name(of string: DictionaryString) -> UInt32 {
    if string.identity == 0 { return KnownName.none.number }
    return table.find(string.identity) ?? number(ofNew: string)
  }

  private mutating func number(ofNew string: DictionaryString) -> UInt32 {
    let name = names.add(string.bytes)
    table.insert(string.identity, name)
    return name
  }
}

// MARK: Tapes

extension TapeBuilder {
  /// Takes out the stanzas that are whole. What there is of the present one, which may have begun, moves to the front.
  mutating func takeFinished() -> Tape {
    // Copies of exactly the size needed: the builder's own arrays are larger, and it uses them again.
    let tape = Tape(
      nodes: Array(nodes[..<start.node]), attributes: Array(attributes[..<start.attribute]), names: names,
      bytes: Array(bytes[..<start.byte]))
    dropFinished()
    return tape
  }

  /// The present stanza alone, as far as it has come.
  func stanza() -> Tape {
    var builder = self
    builder.dropFinished()
    return Tape(nodes: builder.nodes, attributes: builder.attributes, names: builder.names, bytes: builder.bytes)
  }

  /// No stanza is open: the names are those of stanzas to come.
  mutating func forgetNames() {
    names = .known
    table = StringTable()
  }

  private mutating func dropFinished() {
    // What an unusually large stanza took is given back.
    let keep = bytes.capacity <= 64 << 10 && nodes.capacity <= 4 << 10
    Self.drop(&nodes, start.node, keepingCapacity: keep)
    Self.drop(&attributes, start.attribute, keepingCapacity: keep)
    Self.drop(&bytes, start.byte, keepingCapacity: keep)
    for index in open.indices { open[index].node -= start.node }
    for index in nodes.indices {
      if nodes[index].next > 0 { nodes[index].next -= Int32(clamping: start.node) }
      nodes[index].first -= Int32(clamping: nodes[index].isText ? start.byte : start.attribute)
    }
    for index in attributes.indices { attributes[index].first -= Int32(clamping: start.byte) }
    start = Place()
  }

  private static func drop<T>(_ array: inout [T], _ count: Int, keepingCapacity: Bool) {
    if keepingCapacity, count == array.count { return array.removeAll(keepingCapacity: true) }
    if keepingCapacity { array.removeSubrange(..<count) } else { array = Array(array[count...]) }
  }
}
