import JSON
import XML

/// An XML property list.
struct XMLPropertyList {
  /// A dictionary or an array that is not at its end.
  private struct Container {
    let isDictionary: Bool
    var key: String?
    var values: [JSONValue] = []
    var members: [JSONMember] = []
  }

  private var budget = PropertyListBudget()
  private var containers: [Container] = []
  /// Names of the elements that are open.
  private var elements: [String] = []
  private var text: [UInt8] = []
  private var root: JSONValue?
  private var failure: PropertyListError?

  static func read(_ bytes: [UInt8]) throws(PropertyListError) -> JSONValue {
    var list = Self()
    do throws(XMLFailure) {
      try DocumentReader.read(bytes) { item throws(XMLFailure) in
        do throws(PropertyListError) { try list.take(item) } catch {
          list.failure = error
          throw .tooLarge("")
        }
      }
    } catch {
      throw list.failure ?? PropertyListError("no property list: \(error)")
    }
    guard let root = list.root else { throw PropertyListError("the property list is empty") }
    return root
  }

  private mutating func take(_ item: DocumentReader.Item) throws(PropertyListError) {
    switch item {
    case .start(let name): try begin(name)
    case .text(let bytes):
      try budget.takeText(bytes.count)
      text += bytes
    case .end: try end()
    }
  }

  private mutating func begin(_ name: String) throws(PropertyListError) {
    try budget.takeValue()
    guard elements.count < PropertyList.depthLimit else { throw .tooDeep }
    elements.append(name)
    text = []
    if name == "dict" || name == "array" { containers.append(Container(isDictionary: name == "dict")) }
  }

  private mutating func end() throws(PropertyListError) {
    switch elements.popLast() {
    case "plist", nil: break
    case "dict", "array":
      guard let container = containers.popLast() else { return }
      try add(container.isDictionary ? .object(container.members) : .array(container.values))
    case "key": if !containers.isEmpty { containers[containers.count - 1].key = takeText() }
    case "string": try add(.string(takeText()))
    case "integer": try add(Int64(takeText()).map(JSONValue.integer) ?? .null)
    case "true": try add(.bool(true))
    case "false": try add(.bool(false))
    case "real", "data", "date": try add(.null)
    case let name?: throw PropertyListError("no property list: an element \(name)")
    }
  }

  private mutating func takeText() -> String {
    defer { text = [] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Adds a value to the innermost container. The first of several members with one key counts.
  private mutating func add(_ value: JSONValue) throws(PropertyListError) {
    guard !containers.isEmpty else {
      guard root == nil else { throw PropertyListError("the property list has two roots") }
      return root = value
    }
    let last = containers.count - 1
    guard containers[last].isDictionary else { return containers[last].values.append(value) }
    guard let key = containers[last].key else { throw PropertyListError("a value of a dictionary has no key") }
    containers[last].key = nil
    containers[last].members.append(JSONMember(key, value))
  }
}
