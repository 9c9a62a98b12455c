/// Counts the distinct names and namespaces of a stanza that has many, as far as they have been looked at.
struct UsedNames {
  private var isUsed: [Bool] = []
  private(set) var count = 0
  private var seen = 0

  /// Looks at those that came since the last time, of the stanza that begins there.
  mutating func note(_ nodes: borrowing Scratch<XMLNodes.Node>, from start: Int, of total: Int) {
    while isUsed.count < total { isUsed.append(false) }
    for index in start + seen..<nodes.count where !nodes[index].isText { note(nodes[index]) }
    seen = nodes.count - start
  }

  private mutating func note(_ node: XMLNodes.Node) {
    note(node.local)
    if node.namespace != KnownName.none.number { note(node.namespace) }
  }

  private mutating func note(_ name: UInt32) {
    guard !isUsed[Int(name)] else { return }
    isUsed[Int(name)] = true
    count += 1
  }
}
