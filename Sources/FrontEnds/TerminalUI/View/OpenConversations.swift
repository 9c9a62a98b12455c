import ConfabClient

/// The conversations that are open: one, or several in panes of their own, of which one has the keys.
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
  var hasSeveral: Bool { panes.count > 1 }

  subscript(key: ConversationKey) -> Pane? { panes.first { $0.view.key == key } }

  /// Gives the keys to a conversation; false if it is not open.
  mutating func focus(_ key: ConversationKey) -> Bool {
    guard let index = keys.firstIndex(of: key) else { return false }
    focusIndex = index
    return true
  }

  /// Gives the keys to the next one, from the last to the first.
  mutating func focusNext() {
    if hasSeveral { focusIndex = (focusIndex + 1) % panes.count }
  }

  /// Opens a conversation in the place of the focused one, or beside it.
  mutating func open(_ key: ConversationKey, beside: Bool) {
    let pane = Pane(view: ConversationView(key))
    if panes.isEmpty {
      panes = [pane]
    } else if beside {
      focusIndex += 1
      panes.insert(pane, at: focusIndex)
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
