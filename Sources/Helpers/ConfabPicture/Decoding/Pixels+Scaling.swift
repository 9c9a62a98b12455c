/// Pixels of another size, for terminals that are given each row of cells for itself.
extension Pixels {
  /// The picture scaled to a size; each pixel is the mean of those that it covers.
  func scaled(to newWidth: Int, _ newHeight: Int) -> Pixels {
    guard (newWidth, newHeight) != (width, height) else { return self }
    let columns = Self.parts(of: width, newWidth)
    var scaled = [UInt8](repeating: 0, count: newWidth * newHeight * 4)
    let lines = Self.parts(of: height, newHeight)
    unsafe bytes.withUnsafeBufferPointer { source in
      for (row, lines) in lines.enumerated() {
        for (column, range) in columns.enumerated() {
          let offset = (row * newWidth + column) * 4
          let mean = unsafe mean(source, range, lines)
          (scaled[offset], scaled[offset + 1]) = (mean.red, mean.green)
          (scaled[offset + 2], scaled[offset + 3]) = (mean.blue, mean.opacity)
        }
      }
    }
    return Pixels(width: newWidth, height: newHeight, bytes: scaled)
  }

  /// Some rows; below them transparent ones up to a height.
  func rows(_ range: Range<Int>, height: Int) -> Pixels {
    let rows = bytes[range.lowerBound * width * 4..<range.upperBound * width * 4]
    let missing = (height - range.count) * width * 4
    return Pixels(width: width, height: height, bytes: rows + [UInt8](repeating: 0, count: missing))
  }

  /// The ranges of `count` equal parts of a length, each of at least one pixel.
  private static func parts(of length: Int, _ count: Int) -> [Range<Int>] {
    (0..<count).map { part in
      let start = part * length / count
      return start..<max(start + 1, (part + 1) * length / count)
    }
  }

  /// Colours count as much as they are opaque.
  private func mean(
    _ source: UnsafeBufferPointer<UInt8>, _ columns: Range<Int>, _ lines: Range<Int>
  ) -> (red: UInt8, green: UInt8, blue: UInt8, opacity: UInt8) {
    var (red, green, blue, opacity) = (0, 0, 0, 0)
    for line in lines {
      let row = line * width
      for offset in stride(from: (row + columns.lowerBound) * 4, to: (row + columns.upperBound) * 4, by: 4) {
        let weight = unsafe Int(source[offset + 3])
        unsafe red += Int(source[offset]) * weight
        unsafe green += Int(source[offset + 1]) * weight
        unsafe blue += Int(source[offset + 2]) * weight
        opacity += weight
      }
    }
    guard opacity > 0 else { return (0, 0, 0, 0) }
    let mean = { (sum: Int) in UInt8(sum / opacity) }
    return (mean(red), mean(green), mean(blue), UInt8(opacity / (columns.count * lines.count)))
  }
}
