import CTurboJPEG

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
}
