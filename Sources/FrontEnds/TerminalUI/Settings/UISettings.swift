package import Screen

/// The settings of `tui.conf`, or their defaults.
package struct UISettings: Equatable, Sendable {
  package enum Order: String, Sendable { case unread, recency }
  /// Where rooms stand in the list.
  package enum Rooms: String, Sendable { case among, apart }
  package enum Enter: String, Sendable { case send, newline }
  package enum Colours: String, CaseIterable, Sendable { case auto, light, dark, none }
  package enum Editing: String, Sendable { case readline, vi }
  /// The keys of which clients and shells do not think alike.
  package enum Hands: String, Sendable { case usual, bash }
  /// How pictures are drawn: by graphics of the terminal's, in half-blocks, not at all.
  package enum Pictures: String, Sendable { case auto, kitty, iterm2, sixel, blocks, none }
  /// The escape sequence of a notice.
  package enum Notice: String, Sendable { case none, osc9, osc777, osc99 }

  package var hasBubbles = true
  package var order = Order.unread
  package var rooms = Rooms.among
  /// True if who is in a room is shown at its right, where there is room for that.
  package var hasOccupants = true
  package var enter = Enter.send
  package var editing = Editing.readline
  package var hands = Hands.usual
  package var colours = Colours.auto
  package var emoji = EmojiForm.yes
  package var pictures = Pictures.auto
  /// Languages in which words are checked; none: they are not.
  package var spelling: [String] = []
  package var hasMouse = true
  package var hasTwelveHours = false
  /// How long a message is kept back so that it can be taken back; 0: not at all.
  package var holdSeconds = 0
  package var notices = NoticeSettings()
  /// Own keys, by action.
  package var keys: [UserAction: [KeySequence]] = [:]
  /// Own colours, of all schemes.
  package var ownColours: [ColourPart: OwnColour] = [:]

  package init() {}

  /// The keys of the table and the own ones. If Enter begins a line, it swaps with the keys that usually do; Ctrl-R
  /// swaps with the key that finds sent texts, for users of bash.
  package var keyMap: KeyMap {
    let pairs: [(UserAction, UserAction)] =
      (enter == .newline ? [(.send, .newline)] : []) + (hands == .bash ? [(.reply, .findInput)] : [])
    var swapped: [UserAction: [KeySequence]] = [:]
    for (one, other) in pairs {
      swapped[one] = ActionTable[other]?.keys ?? []
      swapped[other] = ActionTable[one]?.keys ?? []
    }
    return KeyMap(swapped.merging(keys) { $1 })
  }
}

/// A colour of the user's: of letters, and of the ground where it is named.
package struct OwnColour: Equatable, Sendable {
  package var foreground: Colour
  package var background: Colour?
}

/// How somebody is told of a message that is not on the screen.
package struct NoticeSettings: Equatable, Sendable {
  package var hasBell = true
  package var sequence = UISettings.Notice.none
  package var hasTitle = true
  /// Run with the name and the text as arguments; empty: nothing is run.
  package var command = ""
  /// True if notices contain the text of the message.
  package var hasText = true
  /// Notices that come faster than this are gathered.
  package var pauseSeconds = 5

  package init() {}
}
