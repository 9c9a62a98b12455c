import ConfabClient
import HelperProtocol

/// The elements on the screen and the focus of the keys: the list, the open conversations, the pop-ups.
package struct ScreenState {
  package var surface: Surface
  package var list = ListView()
  var conversations = OpenConversations()
  var pictures = PictureCache()
  package internal(set) var popups = Popups()
  /// A reaction that was chosen by its name before the daemon answered which ones have it.
  var awaitedReaction: AwaitedReaction?
  /// The emoticon keyboard, while it is open.
  var keyboard: EmoticonKeyboard?
  /// The folder that was read last, to send a file of it.
  var folder: FolderListing?
  /// The nick or the emoticon that Tab completed last.
  var completion: InputCompletion?
  /// The room whose occupants stand at the right; nil: there are none, or they are not wanted.
  var occupantsOf: ConversationKey?
  /// The first line of theirs that is shown.
  var occupantsTop = 0
  /// The path that waits for its folder, to be completed.
  var typedPath: PathCompletion?
  /// The preview of a file of it.
  var preview = FilePreview()
  /// The viewer of pictures, while it is open.
  var viewer: PictureViewer?
  /// True if the list has the focus of the keys.
  package var isInList = true

  init(_ surface: Surface) {
    self.surface = surface
  }

  /// The open conversation that has the keys, or gets them from the list.
  package var focused: ConversationView? {
    get { conversations.focused?.view }
    set { if let newValue { _ = conversations.change(newValue.key) { $0 = newValue } } }
  }

  /// The panes on the screen.
  var panes: PaneLayout { surface.panes(conversations, isInList: isInList, occupantsOf: occupantsOf) }

  var context: KeyContext {
    !popups.isEmpty || keyboard != nil || viewer != nil ? .popup : isInList ? .list : .conversation
  }

  /// The conversation that actions concern: the open one, or the one at the cursor.
  var concerned: ConversationKey? { isInList ? list.chosen : focused?.key }

  // MARK: Pictures

  /// The picture at the cursor of a list of files to send.
  var previewPath: String? {
    guard case .folder? = popups.last?.kind, case .sendFiles(let paths, _)? = popups.last?.chosen?.intent,
      let folder, let entry = folder.entries.first(where: { folder.path(of: $0.name) == paths[0] })
    else { return nil }
    return entry.isPicture ? paths[0] : nil
  }

  /// - Returns: what is to be drawn.
  mutating func settlePreview(_ appearance: Appearance) -> ApplicationAction? {
    preview.settle(previewPath, on: appearance.previewCanvas, &pictures)
  }

  /// - Parameter drawing: nil: it cannot be drawn.
  mutating func takePreview(_ drawing: Drawing?, _ path: String, _ request: DrawingRequest, _ appearance: Appearance) {
    preview.take(drawing, path, request, on: appearance.previewCanvas, &pictures)
  }

  /// nil: there is none, or it is not drawn yet.
  func previewPicture(_ appearance: Appearance) -> DrawnPicture? {
    preview.picture(of: previewPath, on: appearance.previewCanvas, pictures)
  }

  /// Columns of the preview beside a list of files to send; 0: there is none.
  func previewColumns(_ appearance: Appearance) -> Int {
    popups.last?.isFolder == true ? appearance.previewColumns : 0
  }

  /// The picture that the viewer shows; nil: it is not drawn yet.
  func viewedPicture(_ appearance: Appearance) -> DrawnPicture? {
    guard let target = viewer?.current, let canvas = appearance.viewerCanvas else { return nil }
    return pictures.picture(target.message, target.index, on: canvas)
  }
}
