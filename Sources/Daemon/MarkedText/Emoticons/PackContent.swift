import JSON

/// A pack as a file has it.
package struct PackContent: Equatable, Sendable {
  /// Bytes of a file; longer ones are not read.
  package static let fileLimit = 4 << 20
  /// Emoticons of a pack.
  package static let entryLimit = 20_000

  package let name: String
  package let title: String
  package private(set) var emoticons: [Emoticon] = []
  /// How many entries are ignored, and why the first one is.
  package private(set) var ignored: (count: Int, reason: PackError)?

  /// A pack of a file: JSON of ours, or a property list as Chinese clients have it.
  ///
  /// - Parameters:
  ///   - name: of the file or its folder.
  ///   - pictures: the paths of the regular files beside it, by their names.
  package init(_ bytes: [UInt8], name: String, pictures: [String: String] = [:]) throws(PackError) {
    let root = try Self.value(bytes)
    let list = try Self.list(in: root)
    guard list.count <= Self.entryLimit else {
      throw PackError("it has \(list.count) emoticons; at most \(Self.entryLimit) are taken")
    }
    guard let name = Self.text(.string(name), atMost: 255) else { throw PackError("its name cannot be shown") }
    self.name = name
    title = Self.text(root["title"] ?? root["group_name_cn"], atMost: 128) ?? name
    emoticons.reserveCapacity(list.count)
    for entry in list { take(entry, pictures) }
    guard !emoticons.isEmpty else { throw ignored?.reason ?? PackError("it has no emoticons") }
  }

  private static func value(_ bytes: [UInt8]) throws(PackError) -> JSONValue {
    guard bytes.count <= fileLimit else { throw PackError("it has more than \(fileLimit >> 20) MiB") }
    do throws(JSONError) {
      if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") { return try JSONParser.parse(bytes) }
    } catch { throw PackError(error.reason) }
    do throws(PropertyListError) { return try PropertyList.read(bytes) } catch { throw PackError("\(error)") }
  }

  /// The entries: `emoticons` of JSON and of property lists, else the first list there is.
  private static func list(in root: JSONValue) throws(PackError) -> [JSONValue] {
    let list = root.array ?? root["emoticons"]?.array ?? root.members?.lazy.compactMap(\.value.array).first
    guard let list else { throw PackError("it has no list of emoticons") }
    return list
  }

  private mutating func take(_ entry: JSONValue, _ pictures: [String: String]) {
    do throws(PackError) {
      emoticons.append(try Emoticon(entry, pictures))
    } catch {
      ignored = ((ignored?.count ?? 0) + 1, ignored?.reason ?? error)
    }
  }

  /// A text that can be shown in a line; nil if it is none.
  fileprivate static func text(_ value: JSONValue?, atMost limit: Int) -> String? {
    guard let text = value?.string, !text.isEmpty, text.utf8.count <= limit,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control && !$0.properties.isBidiControl })
    else { return nil }
    return text
  }

  package static func == (one: Self, other: Self) -> Bool {
    one.name == other.name && one.title == other.title && one.emoticons == other.emoticons
  }
}

/// Why a pack, or an entry of one, is not taken.
package struct PackError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

// MARK: - Entries

extension Emoticon {
  /// Bytes of what a code stands for.
  private static let textLimit = 255

  /// An entry: of JSON `code`, `text` or `picture`, and `name`; of property lists `chs` with `png` or `code`, or `code`
  /// alone.
  fileprivate init(_ entry: JSONValue, _ pictures: [String: String]) throws(PackError) {
    if let number = entry["code"]?.string, entry["text"] == nil, entry["picture"] == nil {
      let emoji = try Self.emoji(number)
      let code = entry["chs"] == nil ? emoji : try Self.code(entry["chs"])
      self.init(code: code, meaning: .text(emoji), name: entry["chs"] == nil ? Self.nameOfEmoji(emoji) : nil)
    } else {
      let code = try Self.code(entry["code"] ?? entry["chs"])
      let name = PackContent.text(entry["name"], atMost: 255)
      if let text = entry["text"] {
        guard let text = PackContent.text(text, atMost: Self.textLimit) else {
          throw PackError("a text that cannot be shown")
        }
        self.init(code: code, meaning: .text(text), name: name)
      } else {
        self.init(code: code, meaning: .picture(try Self.picture(entry, pictures)), name: name)
      }
    }
  }

  private static func code(_ value: JSONValue?) throws(PackError) -> String {
    guard let code = PackContent.text(value, atMost: 255) else { throw PackError("a code is missing, or too long") }
    guard !code.unicodeScalars.contains(where: \.properties.isWhitespace) else {
      throw PackError("a code has white space")
    }
    return code
  }

  /// The path of a picture in the pack's folder; of `x.png` also `x@2x.png`, which packs have instead.
  private static func picture(_ entry: JSONValue, _ pictures: [String: String]) throws(PackError) -> String {
    guard let name = PackContent.text(entry["picture"] ?? entry["png"], atMost: 255) else {
      throw PackError("an emoticon has neither a text nor a picture")
    }
    guard !name.contains("/") else { throw PackError("a picture lies outside of the pack's folder") }
    let stem = name.hasSuffix(".png") ? String(name.dropLast(4)) : name
    for file in [name, stem + "@2x.png", stem + "@3x.png", stem + ".png"] {
      if let path = pictures[file], path.utf8.count <= UInt16.max { return path }
    }
    throw PackError("a picture is not in the pack's folder")
  }

  /// Emoji of code points in hexadecimal, such as `0x1f603`, or several of them.
  private static func emoji(_ text: String) throws(PackError) -> String {
    var scalars = String.UnicodeScalarView()
    for part in text.split(whereSeparator: { " -_,".contains($0) }).prefix(16) {
      let digits = part.hasPrefix("0x") || part.hasPrefix("0X") || part.hasPrefix("U+") ? part.dropFirst(2) : part
      guard let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
        throw PackError("a code point that is none")
      }
      scalars.append(scalar)
    }
    guard isEmoji(scalars) else { throw PackError("an emoji that is none") }
    return String(scalars)
  }

  /// One emoji: a cluster with a scalar that is one, and no letter or digit but below a keycap.
  private static func isEmoji(_ scalars: String.UnicodeScalarView) -> Bool {
    guard String(scalars).count == 1, let first = scalars.first else { return false }
    if first.isASCII { return scalars.last == "\u{20E3}" }
    return first.properties.isEmoji && scalars.allSatisfy { $0.properties.isEmoji || $0.isEmojiPart }
  }

  /// The names of its characters.
  private static func nameOfEmoji(_ emoji: String) -> String? {
    let names = emoji.unicodeScalars.filter { !$0.isEmojiPart }.compactMap { $0.properties.name?.lowercased() }
    return names.isEmpty ? nil : String(names.joined(separator: ", ").prefix(128))
  }
}

extension Unicode.Scalar {
  /// A joiner, a selector, a keycap or a tag.
  fileprivate var isEmojiPart: Bool {
    [0x200D, 0xFE0F, 0x20E3].contains(value) || (0xE0020...0xE007F).contains(value)
  }
}
