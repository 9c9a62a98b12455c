/// Expands the name of a file: `${NAME}` is a variable of the environment, a leading `~/` the home.
///
/// Nothing else is special, and what came out of a variable is not looked at again.
struct PathExpansion {
  let environment: [String: String]

  /// - Returns: the text with all that was replaced, not yet checked to be absolute.
  func expand(_ text: String) throws(Mismatch) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var place = 0
    if bytes.starts(with: Array("~/".utf8)) {
      result += try value(of: "HOME").utf8
      place = 1
    }
    while place < bytes.count {
      if bytes[place...].starts(with: Array("${".utf8)) {
        result += try variable(bytes, &place).utf8
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The value of the variable at `place`, which moves behind it.
  private func variable(_ bytes: [UInt8], _ place: inout Int) throws(Mismatch) -> String {
    let name = bytes[place...].dropFirst(2).prefix { $0 != UInt8(ascii: "}") }
    guard name.endIndex < bytes.endIndex, Self.isName(name) else {
      let rest = String(decoding: bytes[place...], as: UTF8.self)
      throw Mismatch(expected: "a variable as ${NAME}", found: Printable.quoted(rest))
    }
    place = name.endIndex + 1
    return try value(of: String(decoding: name, as: UTF8.self))
  }

  /// An empty variable is as good as none: `${DIRECTORY}/x` must not become `/x`.
  private func value(of name: String) throws(Mismatch) -> String {
    guard let value = environment[name], !value.isEmpty else {
      let what = environment[name] == nil ? "unset" : "empty"
      throw Mismatch(expected: "the environment variable \(name) to be set", found: "it \(what)")
    }
    return value
  }

  private static func isName(_ name: ArraySlice<UInt8>) -> Bool {
    guard let first = name.first, !(0x30...0x39).contains(first) else { return false }
    return name.allSatisfy { Characters.isNamePart($0) && $0 != UInt8(ascii: "-") }
  }
}
