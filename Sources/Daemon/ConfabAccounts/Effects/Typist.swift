/// The side of a conversation that types: the contact, or one occupant of a room who says it to all.
package struct Typist: Hashable, Comparable, Sendable {
  package let conversation: String
  /// The occupant's nick in a room; nil: the conversation has but one other side.
  package let nick: String?

  package init(_ conversation: String, nick: String? = nil) { (self.conversation, self.nick) = (conversation, nick) }

  /// The address of somebody of whom no resource is known.
  package var address: String { nick.map { conversation + "/" + $0 } ?? conversation }

  package static func < (one: Self, other: Self) -> Bool {
    (one.conversation, one.nick ?? "") < (other.conversation, other.nick ?? "")
  }
}
