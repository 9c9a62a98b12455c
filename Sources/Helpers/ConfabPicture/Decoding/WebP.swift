import CWebP

extension PictureDecoding {
  /// By libwebp, which scales while it decodes.
  static func webp(_ file: [UInt8], fitting size: (width: Int, height: Int)) -> Pixels? {
    var (width, height) = (CInt(0), CInt(0))
    guard unsafe WebPGetInfo(file, file.count, &width, &height) != 0, isDecodable(Int(width), Int(height)) else {
      return nil
    }
    let shrink = max(1, min(Int(width) / (2 * max(1, size.width)), Int(height) / (2 * max(1, size.height))))
    let scaled = (max(1, Int(width) / shrink), max(1, Int(height) / shrink))
    return unsafe pixels(scaled.0, scaled.1, of: (Int(width), Int(height))) {
      unsafe confab_webp_decode(file, file.count, CInt(scaled.0), CInt(scaled.1), $0, scaled.0 * scaled.1 * 4) == 1
    }
  }
}
