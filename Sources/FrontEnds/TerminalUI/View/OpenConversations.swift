import ConfabClient

/// The conversations that are open: one, or two side by side, of which one has the keys.
package struct OpenConversations {
  /// A conversation with its lines.
  struct Pane {
    var view: ConversationView
    let transcript = Transcript()
  }

  private(set) var panes: [Pane] = []
  /// The one that has the keys, by its index.
  private(set) var focusIndex = 0

  package init() {}

  var keys: [ConversationKey] { panes.map(\.view.key) }
  var focused: Pane? { panes.indices.contains(focusIndex) ? panes[focusIndex] : nil }
  var hasTwo: Bool { panes.count == 2 }

  subscript(key: ConversationKey) -> Pane? { panes.first { $0.view.key == key } }

  /// Gives the keys to a conversation; false if it is not open.
  mutating func focus(_ key: ConversationKey) -> Bool {
    guard let index = keys.firstIndex(of: key) else { return false }
    focusIndex = index
    return true
  }

  mutating func focusOther() {
    if hasTwo { focusIndex = 1 - focusIndex }
  }

  /// Opens a conversation in the place of the focused one, or beside it.
  mutating func open(_ key: ConversationKey, beside: Bool) {
    let pane = Pane(view: ConversationView(key))
    if panes.isEmpty || beside && !hasTwo {
      panes.append(pane)
      focusIndex = panes.count - 1
    } else {
      panes[focusIndex] = pane
    }
  }

  mutating func close(_ key: ConversationKey) {
    panes.removeAll { $0.view.key == key }
    focusIndex = min(focusIndex, max(0, panes.count - 1))
  }

  mutating func closeAll() { self = OpenConversations() }

  /// Changes the view of a conversation; nil if it is not open.
  mutating func change<Result>(_ key: ConversationKey, _ body: (inout ConversationView) -> Result) -> Result? {
    guard let index = keys.firstIndex(of: key) else { return nil }
    return body(&panes[index].view)
  }
}
