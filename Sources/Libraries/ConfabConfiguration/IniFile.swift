/// The keys of a file in the form of the configuration, with the same rules for lines and headers, in which a wrong line is
/// named and the others hold.
package struct IniFile: Sendable {
  /// One key and its value, both trimmed.
  package struct Entry: Sendable {
    package let line: Int
    package let section: String
    package let key: String
    package let value: String
  }

  /// A line that begins a section.
  package struct Header: Sendable {
    package let line: Int
    /// Between the brackets; may be empty.
    package let name: String
  }

  package private(set) var headers: [Header] = []
  package private(set) var entries: [Entry] = []
  package private(set) var errors: [ConfigurationError] = []

  /// - Parameter file: the name used in errors.
  package init(_ bytes: [UInt8], file: String) {
    var lines = IniLines(bytes)
    var section = ""
    while true {
      do throws(Mismatch) {
        guard let line = try lines.next() else { return }
        if let name = try IniHeader.name(of: line) {
          section = name
          headers.append(Header(line: lines.number, name: name))
        } else {
          try take(line, section, number: lines.number)
        }
      } catch {
        errors.append(
          ConfigurationError(
            file: file, line: lines.number, section: section.isEmpty ? nil : section, expected: error.expected,
            found: error.found))
      }
    }
  }

  private mutating func take(_ line: ArraySlice<UInt8>, _ section: String, number: Int) throws(Mismatch) {
    var lines = [line][...]
    var found: (key: String, value: String?)?
    _ = Inih.parse(nextLine: { lines.popFirst() }) { name, value in
      found = (name, value)
      return true
    }
    // A remark, or an empty line.
    guard let found else { return }
    guard let value = found.value else { throw Mismatch(expected: "a key, = and a value") }
    entries.append(Entry(line: number, section: section, key: found.key, value: value))
  }
}
