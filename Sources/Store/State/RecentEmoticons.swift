/// The emoticons that were used last.
package struct RecentEmoticons: Equatable, Sendable {
  package static let limit = 60

  /// Codes, the newest first, no two the same.
  package private(set) var codes: [String] = []

  package init() {}

  mutating func use(_ code: String) {
    codes.removeAll { $0.utf8.elementsEqual(code.utf8) }
    codes.insert(code, at: 0)
    if codes.count > Self.limit { codes.removeLast() }
  }
}
