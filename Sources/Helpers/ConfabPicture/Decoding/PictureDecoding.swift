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

  /// True if a picture is not empty and not too large.
  static func isDecodable(_ width: Int, _ height: Int) -> Bool {
    width > 0 && height > 0 && width <= 1 << 20 && height <= 1 << 20 && width * height <= mostPixels
  }

  /// Pixels that `decode` fills in; nil if it fails.
  static func pixels(
    _ width: Int, _ height: Int, of file: (width: Int, height: Int)? = nil,
    _ decode: (UnsafeMutablePointer<UInt8>) -> Bool
  ) -> Pixels? {
    var isDone = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      unsafe start.initialize(repeating: 0, count: width * height * 4)
      isDone = unsafe decode(start)
      count = width * height * 4
    }
    return isDone ? Pixels(width: width, height: height, bytes: bytes, of: file) : nil
  }
}
