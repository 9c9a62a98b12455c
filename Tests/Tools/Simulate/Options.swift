import Simulation

/// The command line.
struct Options {
  enum Mode {
    case one(UInt64)
    case range(UInt64, UInt64)
    case time(Int64)
    case bugs
  }

  private(set) var mode = Mode.time(30)
  private(set) var bug: Mistake?
  private(set) var isTracing = false

  init?(_ arguments: some Sequence<String>) {
    var rest = Array(arguments)[...]
    while let option = rest.popFirst() {
      guard take(option, &rest) else { return nil }
    }
  }

  private mutating func take(_ option: String, _ rest: inout ArraySlice<String>) -> Bool {
    switch option {
    case "--trace": isTracing = true
    case "--seed": return rest.popFirst().flatMap { UInt64($0) }.map { mode = .one($0) } != nil
    case "--seconds": return rest.popFirst().flatMap { Int64($0) }.map { mode = .time($0) } != nil
    case "--from": return rest.popFirst().flatMap { UInt64($0) }.map { mode = .range($0, 1) } != nil
    case "--count": return takeCount(rest.popFirst())
    case "--bug": return takeBug(rest.popFirst())
    case "--bugs":
      mode = .bugs
      return rest.isEmpty || takeBug(rest.popFirst())
    default: return false
    }
    return true
  }

  private mutating func takeCount(_ text: String?) -> Bool {
    guard case .range(let first, _) = mode, let count = text.flatMap({ UInt64($0) }) else { return false }
    mode = .range(first, count)
    return true
  }

  private mutating func takeBug(_ name: String?) -> Bool {
    bug = Mistake.allCases.first { "\($0)" == name }
    return bug != nil
  }
}
