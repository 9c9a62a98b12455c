package import ConfabClient

/// The scope of a search: the conversation in which it was begun, or all of them.
package struct SearchScope: Equatable, Sendable {
  /// nil: it was begun in none.
  private let origin: ConversationKey?
  private let isWide: Bool

  package init(_ origin: ConversationKey?, isWide: Bool = false) {
    self.origin = origin
    self.isWide = isWide
  }

  /// nil: in all.
  var conversation: ConversationKey? { isWide ? nil : origin }

  /// The other choice; nil: there is none.
  var other: SearchScope? { origin == nil ? nil : SearchScope(origin, isWide: !isWide) }
}
