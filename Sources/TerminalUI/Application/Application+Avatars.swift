import Drawings
import Screen

/// Avatars beside the names of senders, drawn two rows high.
extension Application {
  /// The room of an avatar; nil where initials stand for it.
  var avatarCanvas: PictureCanvas? {
    guard settings.hasBubbles, settings.colours != .none, desk.surface.columns >= Surface.bubbleColumns,
      let form = PictureForm(settings.pictures, desk.surface.capabilities)
    else { return nil }
    return PictureCanvas(style: form.style, columns: AvatarLines.columns, rows: AvatarLines.rows, cell: form.cell)
  }

  /// Asks for the avatars of the conversations on the screen; no server is asked because of a stranger.
  func settleAvatars() {
    guard model.link == .connected, let canvas = avatarCanvas else { return }
    let missing = desk.pictures.avatars.show(desk.panes.talks.map(\.key), on: canvas)
    for key in missing { model.askAvatar(of: key, model.conversations[key]?.isKnown == true ? .shown : .ifHere) }
  }

  /// The avatar is here: it is drawn, unless that was done before.
  func takeAvatar(_ hash: String, of key: ConversationKey) {
    desk.pictures.avatars.note(hash, of: key)
    guard !hash.isEmpty, let canvas = avatarCanvas, !desk.pictures.avatars.isDrawn(hash, on: canvas) else { return }
    actions.append(.drawAvatar(hash: hash, canvas.request(rows: AvatarLines.rows)))
  }

  func takeAvatar(_ drawing: Drawing?, hash: String, _ request: DrawingRequest) {
    // The room may be another one by now.
    guard let canvas = avatarCanvas, canvas.request(rows: AvatarLines.rows) == request,
      !desk.pictures.avatars.isDrawn(hash, on: canvas)
    else { return }
    desk.pictures.addAvatar(drawing, hash, on: canvas)
  }

  /// A person wants the avatar, wherever it is.
  func fetchAvatar(of key: ConversationKey) {
    desk.popups = []
    guard model.link == .connected else { return say("Without the daemon nothing can be fetched.") }
    say("Fetching the avatar of \(name(of: key)) …")
    model.askAvatar(of: key, .wanted)
  }
}
