/// Namespaces that the elements of the same nodes declare once, at the start, under prefixes.
struct SharedNamespaces {
  /// The namespaces that are shared.
  enum Choice: CaseIterable {
    /// Namespaces for which one declaration is shorter than a declaration at each use.
    case shorter
    /// All but the default namespace, which stays the default inside.
    case all
  }

  /// The prefixes by namespace number.
  private(set) var prefixes: [UInt32: String] = [:]
  /// All declarations, in order of first use.
  private(set) var declarations: [(namespace: UInt32, prefix: String)] = []

  private var uses: [UInt32: Uses] = [:]
  private var order: [UInt32] = []

  private struct Uses {
    /// The number of declarations without sharing.
    var declarations = 0
    /// The number of prefixes with sharing.
    var prefixes = 0
  }

  private struct Open {
    var end: Int
    var namespace: UInt32?
  }

  /// - Parameter namespace: the default namespace in scope around the elements.
  init(of elements: [Element], inheriting namespace: ArraySlice<UInt8>, _ choice: Choice) {
    guard let tree = elements.first?.tree else { return }
    for element in elements { count(element, inheriting: namespace) }
    for number in order {
      guard let uses = uses[number] else { continue }
      let name = tree.string(number)
      let spared = (uses.declarations - 1) * (name.count + Self.declaration)
      let isShorter = spared > (Self.longestPrefix + 1) * (uses.prefixes + 1)
      guard choice == .all ? name != namespace : isShorter else { continue }
      let prefix = Self.prefix(declarations.count)
      prefixes[number] = prefix
      declarations.append((number, prefix))
    }
  }

  /// The bytes of ` xmlns=''`.
  private static let declaration = 9
  private static let longestPrefix = 3

  /// Prefixes have only letters, so they differ from those that the serialiser generates for attributes: `a` to `z`,
  /// `aa`, …
  private static func prefix(_ number: Int) -> String {
    let letter = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(number % 26)))
    return number < 26 ? letter : prefix(number / 26 - 1) + letter
  }

  private mutating func count(_ root: Element, inheriting namespace: ArraySlice<UInt8>) {
    let tree = root.tree
    var open: [Open] = []
    var index = root.index
    while index < Int(root.node.place) {
      let node = tree.nodes[index]
      defer { index = node.isText ? index + 1 : node.attributes(at: index).upperBound }
      guard !node.isText else { continue }
      while let last = open.last, last.end <= index { open.removeLast() }
      let isInherited = open.last.map { $0.namespace == node.namespace } ?? (tree.string(node.namespace) == namespace)
      note(node.namespace, of: tree, declarations: isInherited ? 0 : 1, prefixes: 2)
      for attribute in tree.nodes[node.attributes(at: index)] {
        note(attribute.namespace, of: tree, declarations: 1, prefixes: 1)
      }
      open.append(Open(end: Int(node.place), namespace: node.namespace))
    }
  }

  /// An empty namespace cannot be declared under a prefix, and neither can that of `xml:`.
  private mutating func note(_ namespace: UInt32, of tree: XMLNodes, declarations: Int, prefixes: Int) {
    guard namespace != KnownName.none.number, namespace != KnownName.xml.number else { return }
    if uses[namespace] == nil { order.append(namespace) }
    uses[namespace, default: Uses()].declarations += declarations
    uses[namespace, default: Uses()].prefixes += prefixes
  }
}
