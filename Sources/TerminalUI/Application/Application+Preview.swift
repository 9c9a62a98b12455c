import Drawings
import Screen

/// A picture of this machine, before it is sent.
struct FilePreview: Equatable {
  let path: String
  let canvas: PictureCanvas
  /// Whether it is being drawn: one is, at a time.
  var isPending = true
}

/// Previews in the list of files to send.
extension Application {
  /// Asks for the preview of the file at the cursor.
  func settlePreview() {
    guard desk.preview?.isPending != true else { return }
    guard let path = previewPath, let canvas = previewCanvas else { return forgetPreview() }
    guard desk.preview?.path != path || desk.preview?.canvas != canvas else { return }
    forgetPreview()
    desk.preview = FilePreview(path: path, canvas: canvas)
    actions.append(.preview(path, canvas.request(rows: 1)))
  }

  func takePreview(_ drawing: Drawing?, _ path: String, _ request: DrawingRequest) {
    guard desk.preview?.path == path else { return }
    desk.preview?.isPending = false
    guard let drawing, let canvas = previewCanvas, canvas.request(rows: 1) == request else { return }
    desk.pictures.addPreview(drawing, on: canvas)
  }

  /// The picture at the cursor; nil: none, or it is not drawn yet.
  var previewPicture: DrawnPicture? {
    guard let path = previewPath, desk.preview?.path == path, let canvas = previewCanvas else { return nil }
    return desk.pictures.preview(on: canvas)
  }

  /// Columns of the preview at the right of the list.
  var previewColumns: Int {
    guard case .folder? = desk.popups.last?.kind, desk.surface.columns >= Surface.bubbleColumns else { return 0 }
    return min(Self.widestPreview, desk.surface.columns / 3)
  }

  private func forgetPreview() {
    desk.preview = nil
    desk.pictures.removePreview()
  }

  private var previewPath: String? {
    guard case .folder? = desk.popups.last?.kind, case .sendFiles(let paths, _)? = desk.popups.last?.chosen?.intent,
      let folder = desk.folder, let entry = folder.entries.first(where: { folder.path(of: $0.name) == paths[0] })
    else { return nil }
    return entry.isPicture ? paths[0] : nil
  }

  private var previewCanvas: PictureCanvas? {
    guard previewColumns > 0, let form = PictureForm(settings.pictures, desk.surface.capabilities) else { return nil }
    let rows = max(1, min(Self.highestPreview, desk.surface.lines - 8))
    return PictureCanvas(style: form.style, columns: previewColumns, rows: rows, cell: form.cell)
  }

  private static let widestPreview = 40
  private static let highestPreview = 16
}
