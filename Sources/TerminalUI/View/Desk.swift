/// What stands on the screen, and where the keys go: the list, the open conversations, the pop-ups.
package struct Desk {
  package var surface: Surface
  package var list = ListView()
  var talks = OpenTalks()
  var pictures = PictureShelf()
  package var popups: [Picker] = []
  /// The emoticon keyboard, while it is open.
  var keyboard: EmoticonKeyboard?
  /// The folder that was read last, to send a file of it.
  var folder: FolderListing?
  /// The file of it of which a preview is shown, or on its way.
  var preview: FilePreview?
  /// The viewer of pictures, while it is open.
  var viewer: PictureViewer?
  /// Whether the keys are the list's.
  package var isInList = true

  init(_ surface: Surface) {
    self.surface = surface
  }

  /// The open conversation that has the keys, or gets them from the list.
  package var talk: ConversationView? {
    get { talks.focused?.view }
    set { if let newValue { _ = talks.change(newValue.key) { $0 = newValue } } }
  }

  /// The panes on the screen.
  var panes: PaneLayout { surface.panes(talks, isInList: isInList) }

  var context: KeyContext {
    !popups.isEmpty || keyboard != nil || viewer != nil ? .popup : isInList ? .list : .conversation
  }

  /// The conversation that actions concern: the open one, or the one at the cursor.
  var concerned: ConversationKey? { isInList ? list.chosen : talk?.key }
}
