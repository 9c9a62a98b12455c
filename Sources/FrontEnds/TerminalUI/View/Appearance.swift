import Screen

/// How things are shown, as the settings, the screen and the keys say.
struct Appearance {
  let settings: UISettings
  let surface: Surface
  let words: DateWords
  let keys: KeyMap

  /// The key of an action, for people; its command if it has no key.
  func keyName(_ action: UserAction) -> String { keys.names[action] ?? "/" + action.rawValue }

  func layout(width: Int) -> LayoutContext {
    var words = words
    words.hasTwelveHours = words.hasTwelveHours || settings.hasTwelveHours
    return LayoutContext(
      width: width,
      isCompact: !settings.hasBubbles || surface.isCopyView || surface.columns < Surface.bubbleColumns,
      widths: surface.capabilities.widths, emoji: surface.capabilities.isConsole ? .names : settings.emoji,
      scheme: scheme, words: words, symbols: Symbols.of(surface.capabilities),
      unfoldKey: keyName(.unfold), takeBackKey: keyName(.cancelMessage), hasAvatars: avatarCanvas != nil)
  }

  private var scheme: ColourScheme {
    var capabilities = surface.capabilities
    switch settings.colours {
    case .auto: break
    case .dark: capabilities.hasDarkBackground = true
    case .light: capabilities.hasDarkBackground = false
    case .none: break
    }
    var scheme = settings.colours == .none ? ColourScheme(.plain) : ColourScheme(for: capabilities)
    for (part, colour) in settings.ownColours {
      scheme[part].foreground = colour.foreground
      if let ground = colour.background { scheme[part].background = ground }
    }
    return scheme
  }

  // MARK: Pictures

  /// nil where no pictures can be drawn, or none are to be.
  var pictureForm: PictureForm? { PictureForm(settings.pictures, surface.capabilities) }

  /// The room of an avatar; nil where initials stand for it.
  var avatarCanvas: PictureCanvas? {
    guard settings.hasBubbles, settings.colours != .none, surface.columns >= Surface.bubbleColumns,
      let form = pictureForm
    else { return nil }
    return PictureCanvas(style: form.style, columns: AvatarLines.columns, rows: AvatarLines.rows, cell: form.cell)
  }

  /// The room of a picture in the viewer: all of the screen but the status line.
  var viewerCanvas: PictureCanvas? {
    pictureForm.map {
      PictureCanvas(style: $0.style, columns: surface.columns, rows: max(1, surface.lines - 1), cell: $0.cell)
    }
  }

  /// Columns of the preview at the right of a list of files; 0: there is no room for one.
  var previewColumns: Int {
    surface.columns < Surface.bubbleColumns ? 0 : min(Self.widestPreview, surface.columns / 3)
  }

  var previewCanvas: PictureCanvas? {
    guard previewColumns > 0, let form = pictureForm else { return nil }
    let rows = max(1, min(Self.highestPreview, surface.lines - 8))
    return PictureCanvas(style: form.style, columns: previewColumns, rows: rows, cell: form.cell)
  }

  private static let widestPreview = 40
  private static let highestPreview = 16
}
