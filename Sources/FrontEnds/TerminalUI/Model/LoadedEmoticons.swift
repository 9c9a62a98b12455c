import JSON

/// An emoticon of a pack: a code, and the characters that it stands for.
package struct Emoticon: Equatable, Sendable {
  package let code: String
  /// nil if it stands for a picture.
  package let text: String?
  package let name: String

  init?(_ object: JSONValue) {
    guard let code = object["code"]?.string, !code.isEmpty else { return nil }
    self.code = code
    text = object["text"]?.string
    name = object["name"]?.string ?? ""
  }

  /// The text that is inserted.
  package var written: String { text ?? code }

  /// True if it is a variant with a skin tone.
  var isVariant: Bool { text?.unicodeScalars.contains { (0x1F3FB...0x1F3FF).contains($0.value) } ?? false }
}

/// A pack of emoticons, without them.
package struct EmoticonPack: Equatable, Sendable {
  package let name: String
  package let title: String

  init?(_ object: JSONValue) {
    guard let name = object["name"]?.string, !name.isEmpty else { return nil }
    self.name = name
    title = object["title"]?.string ?? name
  }
}

/// The emoticons that are asked for.
package enum EmoticonList: Equatable, Sendable {
  case packs, recent
  case pack(String)
  case matches(String)
}

/// The emoticons that the daemon has given so far.
package struct LoadedEmoticons: Equatable, Sendable {
  /// The emoticons that a search found.
  struct Matches: Equatable, Sendable {
    var text = ""
    var found: [Emoticon] = []
  }

  /// nil until the daemon has answered.
  package private(set) var packs: [EmoticonPack]?
  /// The emoticons that were used last, the newest first; nil until the daemon has answered.
  package private(set) var recent: [Emoticon]?
  /// By the name of the pack, without variants of skin tone.
  private(set) var contents: [String: [Emoticon]] = [:]
  private(set) var matches = Matches()
  /// The lists that were requested and not answered yet.
  private(set) var pending: [EmoticonList] = []
  private var incoming: [Emoticon] = []
  private var incomingPacks: [EmoticonPack] = []

  package init() {}

  /// Codes that somebody may have inserted, or typed.
  var knownCodes: [String] { ((recent ?? []) + matches.found).map(\.code) }

  /// True if a list still has to be requested.
  func lacks(_ list: EmoticonList) -> Bool {
    guard !pending.contains(list) else { return false }
    return switch list {
    case .packs: packs == nil
    case .recent: recent == nil
    case .pack(let name): contents[name] == nil
    case .matches(let text): matches.text != text
    }
  }

  mutating func ask(_ list: EmoticonList) { pending.append(list) }

  mutating func receive(_ object: JSONValue) {
    if let pack = object["pack"].flatMap(EmoticonPack.init) { incomingPacks.append(pack) }
    if let emoticon = object["emoticon"].flatMap(Emoticon.init) { incoming.append(emoticon) }
  }

  /// The end of an answer; of one that failed, there are none.
  mutating func finish(_ list: EmoticonList) {
    switch list {
    case .packs: packs = incomingPacks
    case .recent: recent = incoming
    case .pack(let name): contents[name] = incoming.filter { !$0.isVariant }
    case .matches(let text): matches = Matches(text: text, found: incoming)
    }
    pending.removeAll { $0 == list }
    (incoming, incomingPacks) = ([], [])
  }

  /// The event `emoticon-used`.
  mutating func use(_ code: String) {
    guard let recent else { return }
    let known = [recent, matches.found] + contents.values
    if let emoticon = known.joined().first(where: { $0.code == code }) {
      self.recent = Array(([emoticon] + recent.filter { $0.code != code }).prefix(Self.recentLimit))
    } else {
      self.recent = nil
    }
  }

  private static let recentLimit = 60

  /// The packs that nobody looks at are not kept.
  mutating func putAway() { (contents, matches) = ([:], Matches()) }
}
