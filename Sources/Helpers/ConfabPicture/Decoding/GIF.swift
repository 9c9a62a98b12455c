import CGIF

/// The first image of a GIF on its screen, by giflib.
extension PictureDecoding {
  /// The offset of the next read.
  private final class Source {
    var rest: ArraySlice<UInt8>
    init(_ file: [UInt8]) { rest = file[...] }
  }

  static func gif(_ file: [UInt8]) -> Pixels? {
    let source = Source(file)
    var error: CInt = 0
    return withExtendedLifetime(source) {
      let gif = unsafe DGifOpen(
        Unmanaged.passUnretained(source).toOpaque(),
        { gif, buffer, count in
          guard let gif = unsafe gif, let buffer = unsafe buffer, let data = unsafe gif.pointee.UserData else {
            return 0
          }
          let source = unsafe Unmanaged<Source>.fromOpaque(data).takeUnretainedValue()
          let piece = source.rest.prefix(max(0, Int(count)))
          source.rest = source.rest.dropFirst(piece.count)
          for (index, byte) in piece.enumerated() { unsafe buffer[index] = byte }
          return CInt(piece.count)
        }, &error)
      guard let gif = unsafe gif else { return nil }
      defer { unsafe _ = DGifCloseFile(gif, nil) }
      return unsafe firstImage(gif)
    }
  }

  private static func firstImage(_ gif: UnsafeMutablePointer<GifFileType>) -> Pixels? {
    let (width, height) = unsafe (Int(gif.pointee.SWidth), Int(gif.pointee.SHeight))
    guard isDecodable(width, height) else { return nil }
    var transparent: Int?
    var kind = UNDEFINED_RECORD_TYPE
    while unsafe DGifGetRecordType(gif, &kind) != GIF_ERROR {
      switch kind {
      case EXTENSION_RECORD_TYPE:
        guard unsafe takeExtension(gif, &transparent) else { return nil }
      case IMAGE_DESC_RECORD_TYPE: return unsafe image(gif, width, height, transparent)
      default: return nil
      }
    }
    return nil
  }

  /// Reads an extension, of which a graphic control one names the transparent colour (GIF89a, section 23).
  private static func takeExtension(_ gif: UnsafeMutablePointer<GifFileType>, _ transparent: inout Int?) -> Bool {
    var code: CInt = 0
    var block: UnsafeMutablePointer<GifByteType>?
    guard unsafe DGifGetExtension(gif, &code, &block) != GIF_ERROR else { return false }
    while let bytes = unsafe block {
      if code == GRAPHICS_EXT_FUNC_CODE, unsafe bytes[0] >= 4, unsafe bytes[1] & 1 == 1 {
        transparent = unsafe Int(bytes[4])
      }
      guard unsafe DGifGetExtensionNext(gif, &block) != GIF_ERROR else { return false }
    }
    return true
  }

  private static func image(
    _ gif: UnsafeMutablePointer<GifFileType>, _ width: Int, _ height: Int, _ transparent: Int?
  ) -> Pixels? {
    guard unsafe DGifGetImageDesc(gif) != GIF_ERROR else { return nil }
    let area = unsafe gif.pointee.Image
    let (left, top, columns, rows) = unsafe (Int(area.Left), Int(area.Top), Int(area.Width), Int(area.Height))
    guard isDecodable(columns, rows), let map = unsafe area.ColorMap ?? gif.pointee.SColorMap else { return nil }
    var pixels = Pixels(width: width, height: height, bytes: [UInt8](repeating: 0, count: width * height * 4))
    var line = [GifPixelType](repeating: 0, count: columns)
    for row in order(rows, isInterlaced: unsafe area.Interlace) {
      guard unsafe DGifGetLine(gif, &line, CInt(columns)) != GIF_ERROR else { return nil }
      guard top + row < height else { continue }
      for column in 0..<min(columns, max(0, width - left)) {
        let index = Int(line[column])
        guard index != transparent, unsafe index < Int(map.pointee.ColorCount) else { continue }
        let colour = unsafe map.pointee.Colors[index]
        let offset = ((top + row) * width + left + column) * 4
        pixels.bytes[offset] = colour.Red
        pixels.bytes[offset + 1] = colour.Green
        pixels.bytes[offset + 2] = colour.Blue
        pixels.bytes[offset + 3] = 255
      }
    }
    return pixels
  }

  /// The rows as they come (GIF89a, appendix E).
  private static func order(_ rows: Int, isInterlaced: Bool) -> [Int] {
    guard isInterlaced else { return Array(0..<rows) }
    return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: rows, by: $0.1)) }
  }
}
