/// A path as people type it, and as terminals and file managers write it when a file is dropped on them.
enum TypedPath {
  /// A first word that is a path, in quotes or with backslashes where it has spaces, and what is behind it.
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

  /// The most files of a message.
  static let most = 9

  /// The first word, and those behind it that look like paths; then the text, behind `--` if it would look like a path.
  static func all(of text: String) -> (paths: [String], rest: String)? {
    guard let first = first(of: text) else { return nil }
    var (paths, rest) = ([local(first.path)], first.rest)
    while let (path, more) = Self.first(of: rest), looksLikePath(path) { (paths, rest) = (paths + [local(path)], more) }
    if rest == "--" || rest.hasPrefix("-- ") { rest = String(rest.dropFirst(2).drop(while: \.isWhitespace)) }
    return (paths, rest)
  }

  /// The words behind `/file` that mean the same.
  static func words(_ paths: [String], _ text: String) -> String {
    let isPath = first(of: text).map { looksLikePath($0.path) || $0.path == "--" } ?? false
    return (paths.map(quoted) + (isPath ? ["--"] : []) + (text.isEmpty ? [] : [text])).joined(separator: " ")
  }

  private static func looksLikePath(_ word: String) -> Bool {
    ["/", "~/", "./", "../", "file:///"].contains(where: word.hasPrefix)
  }

  /// The absolute paths that a text is and nothing else, pasted or dropped; the text is read as several words or as one path with
  /// spaces in it.
  static func alone(_ text: String) -> [[String]] {
    guard text.utf8.count <= 8192 else { return [] }
    let whole = text.filter { !$0.isNewline }.drop(while: \.isWhitespace)
    let isPlain = !whole.contains { "'\"\\".contains($0) }
    let asOne = whole.hasPrefix("/") && isPlain && whole.contains(" ") ? [[String(whole)]] : []
    return [words(text)].filter { !$0.isEmpty } + asOne
  }

  private static func words(_ text: String) -> [String] {
    var (paths, rest) = ([String](), text)
    while let (path, more) = first(of: rest), paths.count < most {
      guard path.hasPrefix("/") || localPath(path) != nil else { return [] }
      (paths, rest) = (paths + [local(path)], more)
    }
    return rest.allSatisfy(\.isWhitespace) ? paths : []
  }

  private static func local(_ path: String) -> String { localPath(path) ?? path }

  private static func localPath(_ uri: String) -> String? {
    uri.hasPrefix("file://") ? local(uri.dropFirst("file://".count)) : nil
  }

  /// The path of a `file:` URI, without the host that may be in front.
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

  /// The words of a command line, in quotes or with backslashes where they have spaces; a leading `~/` of a word is the home.
  /// Nothing else is special: no shell reads it. None, where a quote is not closed.
  static func command(_ line: String, home: String) -> [String] {
    var (words, rest) = ([String](), line)
    while let (word, more) = first(of: String(rest.drop(while: \.isWhitespace))) {
      words.append(word.hasPrefix("~/") && !home.isEmpty ? home + word.dropFirst() : word)
      rest = more
    }
    return rest.allSatisfy(\.isWhitespace) ? words : []
  }

  /// The path so that `first` reads it again.
  static func quoted(_ path: String) -> String {
    path.map { $0.isWhitespace || "'\"\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
