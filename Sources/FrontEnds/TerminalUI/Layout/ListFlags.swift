/// The look of a row of a list, and what the view wants of it.
package struct ListFlags: Hashable, Sendable {
  package var isSelected: Bool
  /// Two lines instead of one.
  package var hasTwoLines: Bool
  /// True if the name is, or looks like, another's or mine: the address follows it.
  package var showsAddress: Bool
  /// True if the contact is typing.
  package var isTyping: Bool
  /// The words for who is typing in a room: `bob is`, `bob and carol are`.
  package var typists = "is"
  /// True if the list has rows of several accounts: each then shows its account's name.
  package var showsAccount: Bool
  /// The place in the list, from 1, by which a key opens it.
  package var number: Int?

  package init(
    isSelected: Bool = false, hasTwoLines: Bool = true, showsAddress: Bool = false, isTyping: Bool = false,
    showsAccount: Bool = false, number: Int? = nil
  ) {
    self.isSelected = isSelected
    self.hasTwoLines = hasTwoLines
    self.showsAddress = showsAddress
    self.isTyping = isTyping
    self.showsAccount = showsAccount
    self.number = number
  }
}
