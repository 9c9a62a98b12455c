/// Counts the distinct names and namespaces of a stanza that has many, as far as they have been looked at.
struct UsedNames {
  private var isUsed: [Bool] = []
  private(set) var count = 0
  private var nodes = 0
  private var attributes = 0

  /// Looks at those that came since the last time.
  mutating func note(_ nodes: ArraySlice<Tape.Node>, _ attributes: ArraySlice<Tape.Node>, of total: Int) {
    while isUsed.count < total { isUsed.append(false) }
    for node in nodes.dropFirst(self.nodes) where !node.isText { note(node) }
    for attribute in attributes.dropFirst(self.attributes) { note(attribute) }
    (self.nodes, self.attributes) = (nodes.count, attributes.count)
  }

  private mutating func note(_ node: Tape.Node) {
    note(node.local)
    if node.namespace != KnownName.none.number { note(node.namespace) }
  }

  private mutating func note(_ name: UInt32) {
    guard !isUsed[Int(name)] else { return }
    isUsed[Int(name)] = true
    count += 1
  }
}
