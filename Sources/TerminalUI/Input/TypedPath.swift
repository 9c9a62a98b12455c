/// A path as people type it, and as terminals and file managers write it when a file is dropped on them.
enum TypedPath {
  /// A first word that is a path, in quotes or with backslashes where it has spaces, and what stands behind it.
  static func first(of text: String) -> (path: String, rest: String)? {
    var path = ""
    var quote: Character?
    var index = text.startIndex
    while index < text.endIndex {
      let letter = text[index]
      index = text.index(after: index)
      if letter == quote {
        quote = nil
      } else if let letterQuoted = quote.map({ _ in letter }) {
        path.append(letterQuoted)
      } else if letter == "'" || letter == "\"" {
        quote = letter
      } else if letter == "\\", index < text.endIndex {
        path.append(text[index])
        index = text.index(after: index)
      } else if letter.isWhitespace {
        break
      } else {
        path.append(letter)
      }
    }
    guard quote == nil, !path.isEmpty else { return nil }
    return (path, String(text[index...].drop(while: \.isWhitespace)))
  }

  /// The absolute path that a text is and nothing else: pasted or dropped.
  static func alone(_ text: String) -> String? {
    guard text.utf8.count <= 8192, let (path, rest) = first(of: text), rest.isEmpty else { return nil }
    return path.hasPrefix("file://") ? local(path.dropFirst("file://".count)) : path.hasPrefix("/") ? path : nil
  }

  /// The path of a `file:` URI, without the host that may stand in front.
  private static func local(_ uri: Substring) -> String? {
    guard let start = uri.firstIndex(of: "/"), ["", "localhost"].contains(uri[..<start]) else { return nil }
    var bytes: [UInt8] = []
    var rest = Array(uri[start...].utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(code)
      rest.removeFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The path so that `first` reads it again.
  static func quoted(_ path: String) -> String {
    path.map { $0.isWhitespace || "'\"\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
