import CPNG

extension PictureDecoding {
  /// By libpng: a picture that is much larger than what is wanted row by row, shrunk while it is read; else by its simplified
  /// interface, which returns errors.
  static func png(_ file: [UInt8], fitting size: (width: Int, height: Int)) -> Pixels? {
    var image = unsafe png_image()
    unsafe image.version = confab_png_version
    defer { unsafe png_image_free(&image) }
    return unsafe file.withUnsafeBytes { file in
      guard unsafe png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0 else { return nil }
      unsafe image.format = confab_png_rgba
      let (width, height) = unsafe (Int(image.width), Int(image.height))
      guard isDecodable(width, height) else { return nil }
      let shrink = min(width / (2 * max(1, size.width)), height / (2 * max(1, size.height)), RowShrinker.most)
      if shrink > 1, let small = unsafe RowShrinker(width, height, by: shrink).pixels(file) { return small }
      return unsafe pixels(width, height) { unsafe png_image_finish_read(&image, nil, $0, 0, nil) != 0 }
    }
  }
}

/// Makes one pixel of each square of pixels, by the mean of two or three of its rows.
@safe private final class RowShrinker {
  /// Sums of larger squares would not fit.
  static let most = 64

  private let shrink: Int
  /// Only each `step`-th row is counted.
  private let step: Int
  private let size: (width: Int, height: Int)
  private let (columns, rows): (Int, Int)
  private var row: [UInt8]
  /// For each square, the sums of the colours and of 255 times the opacity.
  private var sums: [SIMD4<UInt32>]
  private var taken = 0
  private var bytes: [UInt8] = []

  init(_ width: Int, _ height: Int, by shrink: Int) {
    (self.shrink, step, size) = (shrink, max(1, shrink / 2), (width, height))
    (columns, rows) = (width / shrink, height / shrink)
    // One spare byte: a pixel of three bytes is loaded as four.
    row = [UInt8](repeating: 0, count: width * 4 + 1)
    sums = [SIMD4<UInt32>](repeating: .zero, count: columns)
    bytes.reserveCapacity(columns * rows * 4)
  }

  func pixels(_ file: UnsafeRawBufferPointer) -> Pixels? {
    let bytes = unsafe file.bindMemory(to: UInt8.self)
    // The row stays where it is: nobody else has it.
    let isDone = unsafe row.withUnsafeMutableBufferPointer { room in
      unsafe reading = UnsafeBufferPointer(room)
      return unsafe confab_png_rows(
        bytes.baseAddress, bytes.count, room.baseAddress, Unmanaged.passUnretained(self).toOpaque()
      ) { own, channels in
        guard let own = unsafe own else { return }
        unsafe Unmanaged<RowShrinker>.fromOpaque(own).takeUnretainedValue().take(Int(channels))
      }
    }
    return isDone != 0 ? Pixels(width: columns, height: rows, bytes: self.bytes, of: size) : nil
  }

  /// The row while `pixels` runs.
  private var reading = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)

  /// - Parameter channels: three, or four with opacity.
  private func take(_ channels: Int) {
    guard taken < rows * shrink else { return }
    if taken % shrink % step == 0 { unsafe add(reading, channels) }
    taken += 1
    if taken % shrink == 0 { finishSquares() }
  }

  private func add(_ row: UnsafeBufferPointer<UInt8>, _ channels: Int) {
    let (pixels, shrink) = (UnsafeRawBufferPointer(row), shrink)
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      var offset = 0
      for column in sums.indices {
        var sum = unsafe sums[column]
        for _ in 0..<shrink {
          var pixel = SIMD4<UInt32>(
            truncatingIfNeeded: unsafe pixels.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self))
          let opacity = channels == 4 ? pixel.w : 255
          pixel.w = 255
          sum &+= pixel &* opacity
          offset += channels
        }
        unsafe sums[column] = sum
      }
    }
  }

  private func finishSquares() {
    let count = UInt32(shrink * ((shrink + step - 1) / step))
    for column in 0..<columns {
      let opacity = sums[column].w / 255
      let colour = opacity == 0 ? .zero : sums[column] / opacity
      bytes += [UInt8(colour.x), UInt8(colour.y), UInt8(colour.z), UInt8(opacity / count)]
      sums[column] = .zero
    }
  }
}
