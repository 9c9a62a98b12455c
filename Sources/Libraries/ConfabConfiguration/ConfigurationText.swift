/// The text of a configuration to which a section is added, or in which one is replaced; all else stays as it is. It is
/// not checked; the reader of the configuration does that.
package struct ConfigurationText: Sendable {
  private var lines: [Substring]

  package init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
  }

  /// With a LF behind each line.
  package var text: String { lines.map { $0 + "\n" }.joined() }

  /// True if there is a section of this title, such as `account home`.
  package func has(_ title: String) -> Bool { range(of: title) != nil }

  /// The lines of a section with its header; nil if there is none.
  package func section(_ title: String) -> String? {
    range(of: title).map { lines[$0].map { $0 + "\n" }.joined() }
  }

  /// Puts a section in the place of that of the same title, or at the end.
  package mutating func put(_ title: String, _ keys: [String]) {
    let section = (["[\(title)]"] + keys).map { Substring($0) }
    if let old = range(of: title) {
      lines.replaceSubrange(old, with: section)
    } else {
      lines += (lines.isEmpty ? [] : [""]) + section
    }
  }

  /// From its header to its last key: what stands between that and the next header belongs to neither.
  private func range(of title: String) -> Range<Int>? {
    guard let start = lines.firstIndex(where: { Self.header($0) == title }) else { return nil }
    let next = lines[(start + 1)...].firstIndex { Self.header($0) != nil } ?? lines.endIndex
    let last = lines[start..<next].lastIndex { !Self.isRemark($0) } ?? start
    return start..<(last + 1)
  }

  private static func header(_ line: Substring) -> String? { (try? IniHeader.name(of: Array(line.utf8)[...])) ?? nil }

  private static func isRemark(_ line: Substring) -> Bool {
    let first = line.utf8.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
    return first == nil || first == UInt8(ascii: ";") || first == UInt8(ascii: "#")
  }
}
