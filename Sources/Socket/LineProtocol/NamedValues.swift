/// The values of a request by the names of its options or arguments: few, so that looking at them is less than a hash.
package struct NamedValues<Name: Equatable & Sendable>: Sendable, ExpressibleByDictionaryLiteral {
  private var all: [(name: Name, value: Value)] = []

  /// More are seldom given: room for so many is made at once.
  private static var usual: Int { 4 }

  package init(dictionaryLiteral elements: (Name, Value)...) { all = elements }

  package var count: Int { all.count }

  /// Bytes of all values that are texts.
  var textBytes: Int {
    all.reduce(0) { sum, named in
      switch named.value {
      case .string(let text): sum + text.utf8.count
      case .fields(let fields): sum + fields.reduce(0) { $0 + $1.byteCount }
      default: sum
      }
    }
  }

  package subscript(name: Name) -> Value? {
    get {
      for index in all.indices where all[index].name == name { return all[index].value }
      return nil
    }
    set {
      all.removeAll { $0.name == name }
      guard let newValue else { return }
      if all.isEmpty { all.reserveCapacity(Self.usual) }
      all.append((name, newValue))
    }
  }
}

extension NamedValues: Equatable {
  /// True if both have the same values, in any order.
  package static func == (one: Self, other: Self) -> Bool {
    one.count == other.count && one.all.allSatisfy { other[$0.name] == $0.value }
  }
}
