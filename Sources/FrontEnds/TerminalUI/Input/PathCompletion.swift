import ConfabClient
import Screen

/// A path at the end of `/file` or `/save` that Tab completes, once its folder is read.
struct PathCompletion: Equatable {
  let key: ConversationKey
  /// The input as it was; another one is not touched.
  let text: String
  /// The folder, as it is typed; `.` without one.
  let folder: String
  /// The text before the path; `parents` is the path without its last part, unescaped.
  private let front: String
  private let parents: String
  /// The begin of a name.
  private let name: String

  /// Names that are shown of several that fit.
  private static let mostShown = 12
  /// Letters of these names.
  private static let shownLetters = 200

  /// nil: the text is no such command, or its path is in quotes.
  init?(_ text: String, in key: ConversationKey) {
    guard ["/file ", "/save "].contains(where: text.hasPrefix) else { return nil }
    let start = Self.lastWord(of: text)
    let word = text[start...]
    guard !word.contains(where: { $0 == "'" || $0 == "\"" }) else { return nil }
    let path = TypedPath.first(of: String(word))?.path ?? ""
    (self.key, self.text, front) = (key, text, String(text[..<start]))
    name = String(path.reversed().prefix { $0 != "/" }.reversed())
    parents = String(path.dropLast(name.count))
    folder = parents.isEmpty ? "." : parents.count > 1 ? String(parents.dropLast()) : parents
  }

  /// Returns the start of the last word; a backslash takes a space into a word.
  private static func lastWord(of text: String) -> String.Index {
    var (start, isQuoted) = (text.startIndex, false)
    for index in text.indices {
      if !isQuoted, text[index].isWhitespace { start = text.index(after: index) }
      isQuoted = !isQuoted && text[index] == "\\"
    }
    return start
  }

  /// The text as far as it is clear; nil if nothing fits.
  func completed(_ listing: FolderListing) -> String? {
    let found = fitting(listing)
    guard let first = found.first else { return nil }
    let common = found.dropFirst().reduce(first.name) { String(zip($0, $1.name).prefix { $0 == $1 }.map(\.0)) }
    let end = found.count > 1 ? "" : first.isFolder ? "/" : " "
    return front + TypedPath.quoted(parents + common) + end
  }

  /// Names for people, where several fit.
  func choices(_ listing: FolderListing) -> String {
    let found = fitting(listing)
    let names = found.prefix(Self.mostShown).map { $0.name + ($0.isFolder ? "/" : "") }
    return ShownLine.clean(names.joined(separator: "  "), limit: Self.shownLetters)
      + (found.count > Self.mostShown ? "  and \(found.count - Self.mostShown) more" : "")
  }

  /// Hidden ones after a dot alone.
  private func fitting(_ listing: FolderListing) -> [FolderListing.Entry] {
    listing.entries.filter { $0.name.hasPrefix(name) && (name.hasPrefix(".") || !$0.name.hasPrefix(".")) }
  }
}
