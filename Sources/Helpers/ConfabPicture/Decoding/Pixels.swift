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
