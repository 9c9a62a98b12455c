import CTurboJPEG
import CWebP

extension PictureDecoding {
  /// By libjpeg-turbo, which scales while it decodes.
  static func jpeg(_ file: [UInt8], fitting size: (width: Int, height: Int)) -> Pixels? {
    guard let decoder = unsafe tjInitDecompress() else { return nil }
    defer { unsafe _ = tjDestroy(decoder) }
    var (width, height, sampling, space) = (CInt(0), CInt(0), CInt(0), CInt(0))
    let count = UInt(file.count)
    guard unsafe tjDecompressHeader3(decoder, file, count, &width, &height, &sampling, &space) == 0,
      isDecodable(Int(width), Int(height))
    else { return nil }
    var denominator: CInt = 1
    while denominator < 8, Int(width / denominator) >= 4 * size.width || Int(height / denominator) >= 4 * size.height {
      denominator *= 2
    }
    let scaled = ((width + denominator - 1) / denominator, (height + denominator - 1) / denominator)
    return unsafe pixels(Int(scaled.0), Int(scaled.1), of: (Int(width), Int(height))) {
      // A damaged picture is shown as far as it goes.
      unsafe tjDecompress2(
        decoder, file, count, $0, scaled.0, 0, scaled.1, CInt(TJPF_RGBA.rawValue), TJFLAG_FASTDCT) == 0
        || tjGetErrorCode(decoder) == CInt(TJERR_WARNING.rawValue)
    }
  }

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
