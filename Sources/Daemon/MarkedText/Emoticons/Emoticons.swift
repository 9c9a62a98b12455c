/// All packs, in a form that needs little memory: their strings are one array of bytes.
package struct Emoticons: Sendable {
  /// Entries of all packs together.
  package static let entryLimit = 50_000
  /// Bytes of their strings.
  package static let byteLimit = 4 << 20
  package static let packLimit = 64

  /// Codes and what they stand for; behind each its name, unless the code says it.
  package private(set) var table = PhraseTable()
  package private(set) var packs: [EmoticonPack] = []

  private static let pictureTag: UInt16 = 1

  package init() {}

  package var codeCount: Int { table.entries.count }
  /// Bytes of memory, about.
  package var byteCount: Int { table.byteCount }

  /// Adds a pack behind those that are there. False if its name is taken: of two packs of one name the first counts.
  package mutating func append(_ pack: PackContent) throws(PackError) -> Bool {
    guard !packs.contains(where: { $0.name == pack.name }) else { return false }
    guard packs.count < Self.packLimit, table.entries.count + pack.emoticons.count <= Self.entryLimit else {
      throw PackError("there are too many emoticons: at most \(Self.entryLimit) in \(Self.packLimit) packs")
    }
    let bytes = pack.emoticons.reduce(table.byteCount) { $0 + $1.byteCount }
    guard bytes <= Self.byteLimit else { throw PackError("the emoticons need too much memory") }
    let start = table.entries.count
    for emoticon in pack.emoticons { append(emoticon) }
    packs.append(EmoticonPack(name: pack.name, title: pack.title, entries: start..<table.entries.count))
    return true
  }

  private mutating func append(_ emoticon: Emoticon) {
    let name = emoticon.name == Emoticon.usualName(of: emoticon.code) ? "" : emoticon.name
    switch emoticon.meaning {
    case .text(let text): table.append(emoticon.code, text, rest: name)
    case .picture(let path): table.append(emoticon.code, path, rest: name, tag: Self.pictureTag)
    }
  }

  /// Makes what was appended known.
  package mutating func finish() { table.sort() }
}

// MARK: - Looking at them

extension Emoticons {
  package subscript(index: Int) -> Emoticon {
    let (target, name) = (table.target(index), table.rest(index))
    return Emoticon(
      code: table.phrase(index), meaning: isPicture(index) ? .picture(target) : .text(target),
      name: name.isEmpty ? nil : name)
  }

  private func isPicture(_ index: Int) -> Bool { table.entries[index].tag == Self.pictureTag }

  package func pack(named name: String) -> EmoticonPack? { packs.first { $0.name == name } }

  /// All of a pack, in its order.
  package func emoticons(of pack: EmoticonPack) -> some Sequence<Emoticon> { pack.entries.lazy.map { self[$0] } }

  /// The emoticon for a code.
  package func emoticon(_ code: String) -> Emoticon? { table.index(of: code).map { self[$0] } }

  /// A text with characters instead of the known codes; pictures stay codes, and so do those in code of a styled text.
  package func expand(_ text: String, isStyled: Bool) -> String {
    let spans = MarkedText.spans(of: text, emoticons: table, isStyled: isStyled).filter { $0.kind == .emoticon }
    guard !spans.isEmpty else { return text }
    let scalars = Array(text.unicodeScalars)
    var (expanded, place) = (String.UnicodeScalarView(), 0)
    for span in spans {
      expanded += scalars[place..<span.range.lowerBound]
      let code = scalars[span.range]
      expanded += replacement(String(String.UnicodeScalarView(code)))?.unicodeScalars ?? String.UnicodeScalarView(code)
      place = span.range.upperBound
    }
    return String(expanded + scalars[place...])
  }

  private func replacement(_ code: String) -> String? {
    guard case .text(let text)? = emoticon(code)?.meaning else { return nil }
    return text
  }
}

extension Emoticon {
  fileprivate var byteCount: Int {
    let target =
      switch meaning {
      case .text(let text), .picture(let text): text.utf8.count
      }
    return code.utf8.count + target + name.utf8.count + MemoryLayout<PhraseTable.Entry>.stride + 4
  }
}
