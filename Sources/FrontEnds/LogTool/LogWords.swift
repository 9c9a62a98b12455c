/// The words behind `confab log COMMAND`: what is taken goes, in whatever order it is.
struct LogWords {
  private(set) var rest: [String]

  init(_ words: ArraySlice<String>) { rest = Array(words) }

  /// Takes `--name VALUE` or `--name=VALUE`; nil where there is none.
  mutating func value(of name: String) throws(LogCommandFailure) -> String? {
    guard let index = rest.firstIndex(where: { $0 == "--\(name)" || $0.hasPrefix("--\(name)=") }) else { return nil }
    let word = rest.remove(at: index)
    var value = String(word.dropFirst(name.count + 3))
    if word == "--\(name)" {
      guard index < rest.count else { throw .usage("--\(name) needs a value") }
      value = rest.remove(at: index)
    }
    guard !value.isEmpty else { throw .usage("--\(name) needs a value") }
    return value
  }

  /// Takes `--name`; whether it is there.
  mutating func flag(_ name: String) throws(LogCommandFailure) -> Bool {
    guard let index = rest.firstIndex(of: "--\(name)") else { return false }
    rest.remove(at: index)
    return true
  }

  /// Takes the next word that is no option.
  mutating func next() -> String? {
    rest.first.map { _ in rest.removeFirst() }
  }
}
