/// How a row of a list stands, and what the view wants of it.
package struct ListFlags: Hashable, Sendable {
  package var isSelected: Bool
  /// Two lines instead of one.
  package var hasTwoLines: Bool
  /// Whether the name is, or looks like, another's or mine: the address stands behind it.
  package var showsAddress: Bool
  /// Whether the contact writes at this moment.
  package var isTyping: Bool
  /// Whether rows of several accounts stand in the list: the account's name stands with each.
  package var showsAccount: Bool

  package init(
    isSelected: Bool = false, hasTwoLines: Bool = true, showsAddress: Bool = false, isTyping: Bool = false,
    showsAccount: Bool = false
  ) {
    self.isSelected = isSelected
    self.hasTwoLines = hasTwoLines
    self.showsAddress = showsAddress
    self.isTyping = isTyping
    self.showsAccount = showsAccount
  }
}
