/// The lines of a file, counted and checked before the parser gets them: it cuts or skips what it does not like.
struct IniLines {
  private var rest: ArraySlice<UInt8>
  /// The number of the line given last, from 1; 0 before the first.
  private(set) var number = 0

  /// - Parameter bytes: the file; a byte order mark at its beginning is no part of it.
  init(_ bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    rest = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
  }

  /// The next line without its LF or CR LF; nil after the last, which may lack its end.
  mutating func next() throws(Mismatch) -> ArraySlice<UInt8>? {
    guard !rest.isEmpty else { return nil }
    number += 1
    let end = rest.firstIndex(of: UInt8(ascii: "\n"))
    var line = rest[..<(end ?? rest.endIndex)]
    rest = end.map { rest[($0 + 1)...] } ?? []
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    try Self.check(line)
    return line
  }

  private static func check(_ line: ArraySlice<UInt8>) throws(Mismatch) {
    guard line.count <= Inih.longestLine else {
      throw Mismatch(expected: "a line of at most \(Inih.longestLine) bytes", found: "\(line.count)")
    }
    if let control = line.first(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
      let name = control == 0 ? "a NUL byte" : "the control character \(control)"
      throw Mismatch(expected: "text", found: name)
    }
    guard String(validating: line, as: UTF8.self) != nil else {
      throw Mismatch(expected: "UTF-8", found: "other bytes")
    }
  }
}

/// A line that begins a section.
enum IniHeader {
  /// The text between the brackets; nil if the line is not a header.
  static func name(of line: ArraySlice<UInt8>) throws(Mismatch) -> String? {
    let line = line.drop(while: isBlank)
    guard line.first == UInt8(ascii: "[") else { return nil }
    guard let end = line.firstIndex(of: UInt8(ascii: "]")) else {
      throw Mismatch(expected: "a ] at the end of the section's name")
    }
    guard line[(end + 1)...].allSatisfy(isBlank) else {
      throw Mismatch(expected: "nothing after the ] of a section's name")
    }
    let name = line[(line.startIndex + 1)..<end]
    guard name.count <= Inih.longestHeader else {
      throw Mismatch(
        expected: "a section's name of at most \(Inih.longestHeader) bytes", found: "\(name.count)")
    }
    return String(decoding: name, as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
