import HelperProtocol

/// The preview of a picture of this machine, before it is sent.
struct FilePreview {
  private struct Target: Equatable {
    let path: String
    let canvas: PictureCanvas
  }

  /// The picture that is shown, or on its way.
  private var target: Target?
  /// True while it is being drawn; only one is drawn at a time.
  private var isPending = false

  /// - Parameter path: the picture at the cursor; nil: none is there.
  /// - Returns: what is to be drawn.
  mutating func settle(_ path: String?, on canvas: PictureCanvas?, _ cache: inout PictureCache) -> ApplicationAction? {
    guard !isPending else { return nil }
    let wanted = path.flatMap { path in canvas.map { Target(path: path, canvas: $0) } }
    guard wanted != target || wanted == nil else { return nil }
    target = wanted
    cache.removePreview()
    guard let wanted else { return nil }
    isPending = true
    return .preview(wanted.path, wanted.canvas.request(rows: 1))
  }

  /// - Parameter drawing: nil: it cannot be drawn.
  mutating func take(
    _ drawing: Drawing?, _ path: String, _ request: DrawingRequest, on canvas: PictureCanvas?,
    _ cache: inout PictureCache
  ) {
    guard target?.path == path else { return }
    isPending = false
    guard let drawing, let canvas, canvas.request(rows: 1) == request else { return }
    cache.addPreview(drawing, on: canvas)
  }

  /// The picture of a file; nil: it is not drawn yet.
  func picture(of path: String?, on canvas: PictureCanvas?, _ cache: PictureCache) -> DrawnPicture? {
    guard let path, let canvas, target?.path == path else { return nil }
    return cache.preview(on: canvas)
  }
}
