/// One line of a log of Pidgin: a time, and who said what, or a notice.
struct PidginLine {
  /// As it stands in the log.
  let time: Substring
  /// The author; nil of a notice.
  let name: String?
  let text: String
  /// True of one of mine, as far as the colour tells.
  let isSent: Bool

  /// `(18:00:00) name: text`
  init?(plain line: String) {
    guard line.hasPrefix("("), let close = line.firstIndex(of: ")"), line[close...].hasPrefix(") ") else { return nil }
    time = line[line.index(after: line.startIndex)..<close]
    guard time.utf8.first.map({ (0x30...0x39).contains($0) }) == true else { return nil }
    isSent = false
    let rest = line[line.index(close, offsetBy: 2)...]
    if rest.hasPrefix("***"), let end = rest.firstIndex(of: " ") {
      (name, text) = (String(rest[..<end].dropFirst(3)), "/me " + rest[rest.index(after: end)...])
    } else if let end = rest.firstRange(of: ": ") {
      (name, text) = (String(rest[..<end.lowerBound]), String(rest[end.upperBound...]))
    } else {
      (name, text) = (nil, String(rest))
    }
  }

  /// `<span style="color: #16569E"><span style="font-size: smaller">(18:00:00)</span> <b>name:</b></span> text<br>`; older
  /// logs have `<font color="#16569E"><font size="2">…</font>`.
  init?(html line: String) {
    let parts = HTMLText(line)
    guard let open = parts.text.firstIndex(of: "("), parts.text[..<open].allSatisfy(\.isWhitespace),
      let close = parts.text.firstIndex(of: ")")
    else { return nil }
    time = parts.text[parts.text.index(after: open)..<close]
    guard time.utf8.first.map({ (0x30...0x39).contains($0) }) == true else { return nil }
    isSent = line.prefix(64).contains("#16569E")
    let rest = line.firstRange(of: ")</").map { line[$0.upperBound...] } ?? line[...]
    guard let bold = rest.firstRange(of: "<b>"), let end = rest[bold.upperBound...].firstRange(of: "</b>") else {
      (name, text) = (nil, "")
      return
    }
    let label = HTMLText(String(rest[bold.upperBound..<end.lowerBound])).text
    var body = rest[end.upperBound...]
    for tag in ["</span>", "</font>"] where body.hasPrefix(tag) { body = body.dropFirst(tag.count) }
    for tag in ["<br>", "<br/>"] where body.hasSuffix(tag) { body = body.dropLast(tag.count) }
    let words = HTMLText(String(body.hasPrefix(" ") ? body.dropFirst() : body)).text
    if label.hasPrefix("***") {
      (name, text) = (String(label.dropFirst(3)), "/me " + words)
    } else if label.hasSuffix(":") {
      let author = label.dropLast()
      name = String(author.hasSuffix(" <AUTO-REPLY>") ? author.dropLast(13) : author)
      text = words
    } else {
      (name, text) = (nil, words)
    }
  }
}

/// The text of a piece of HTML: tags are dropped, `<br>` is a new line, and character references are read.
struct HTMLText {
  let text: String

  init(_ html: String) {
    var result: [UInt8] = []
    var rest = Array(html.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "<"):
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else {
          result.append(byte)
          continue
        }
        if rest.prefix(2).elementsEqual("br".utf8) { result.append(UInt8(ascii: "\n")) }
        rest = rest[(end + 1)...]
      case UInt8(ascii: "&"):
        guard let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")), let scalar = Self.scalar(rest[..<end]) else {
          result.append(byte)
          continue
        }
        result += Array(String(scalar).utf8)
        rest = rest[(end + 1)...]
      default: result.append(byte)
      }
    }
    text = String(decoding: result, as: UTF8.self)
  }

  private static func scalar(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    let name = String(decoding: name, as: UTF8.self)
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    case "nbsp": return "\u{A0}"
    default: break
    }
    guard name.hasPrefix("#") else { return nil }
    let isHex = name.hasPrefix("#x") || name.hasPrefix("#X")
    return UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init)
  }
}

/// `%2f` in names of files.
enum PercentEscapes {
  static func decoded(_ text: String) -> String {
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        result.append(code)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
