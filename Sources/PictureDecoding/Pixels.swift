/// Pixels of a decoded picture: red, green, blue and opacity, a byte each, row by row.
package struct Pixels: Equatable, Sendable {
  package let width: Int
  package let height: Int
  package var bytes: [UInt8]
  /// The size in pixels of the file, of which these may be fewer.
  package let (fileWidth, fileHeight): (Int, Int)

  /// - Parameter file: the size of the file; nil: the same.
  init(width: Int, height: Int, bytes: [UInt8], of file: (width: Int, height: Int)? = nil) {
    self.width = width
    self.height = height
    self.bytes = bytes
    (fileWidth, fileHeight) = file ?? (width, height)
  }
}

/// Decodes pictures by the libraries of their formats; of animated ones the first frame.
package enum PictureDecoding {
  /// Pictures of more pixels are refused before they are decoded.
  package static let mostPixels = 50_000_000

  /// The pixels of a file, scaled down if its format's library can do that while it decodes.
  ///
  /// - Parameters:
  ///   - file: a whole file.
  ///   - fitting: the size in pixels that is wanted, about twice of which is enough.
  /// - Returns: nil for anything but a whole PNG, JPEG, GIF or WebP.
  package static func decode(_ file: [UInt8], fitting size: (width: Int, height: Int)) -> Pixels? {
    if file.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return png(file, fitting: size) }
    if file.starts(with: [0xFF, 0xD8]) { return jpeg(file, fitting: size) }
    if file.starts(with: "GIF8".utf8) { return gif(file) }
    if file.starts(with: "RIFF".utf8) { return webp(file, fitting: size) }
    return nil
  }

  /// Whether a picture is not empty and not too large.
  static func isDecodable(_ width: Int, _ height: Int) -> Bool {
    width > 0 && height > 0 && width <= 1 << 20 && height <= 1 << 20 && width * height <= mostPixels
  }
}
