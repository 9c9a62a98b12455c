import Bytes
import CPNG
import TestSupport
import Testing

/// A picture of 16 by 16 pixels in each format: its left half is red, its right half blue.
enum SamplePictures {
  static let all: [(name: String, bytes: [UInt8])] = [("png", png), ("jpeg", jpeg), ("gif", gif), ("webp", webp)]

  static let png = decoded(
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQMAAAAlPW0iAAAABlBMVEUAAP//AADF+ovTAAAADklEQVQI12P4z8BACgIAhrcP"
      + "8bB5hOMAAAAASUVORK5CYII=")

  static let jpeg = decoded(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQ"
      + "ERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU"
      + "FBQUFBQUFBQUFBQUFBT/wAARCAAQABADAREAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABwj/xAAUEAEAAAAAAAAAAAAA"
      + "AAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAACQf/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCdEMKmAjjB"
      + "0PoOTFgI4wdH/9k=")

  static let gif = decoded(
    "R0lGODdhEAAQAIAAAP8AAAAA/ywAAAAAEAAQAAACH4RvoauIzNyBSyYaLMDZcv15GDiKFHmaELqqkVvBSgEAOw==")

  static let webp = decoded(
    "UklGRiYAAABXRUJQVlA4TBkAAAAvD8ADAA8Q87//8x8OxILJ/KW7M4jof+QCAA==")

  private static func decoded(_ text: String) -> [UInt8] { Base64.decode(text) ?? [] }

  /// A PNG of squares of a pixel, red and opaque, or black and not there; without opacity they are there.
  static func board(_ size: Int, hasOpacity: Bool = true) throws -> [UInt8] {
    let pixels = (0..<size * size).flatMap { index -> ArraySlice<UInt8> in
      let pixel: [UInt8] = (index / size + index % size) % 2 == 0 ? [255, 0, 0, 255] : [0, 0, 0, 0]
      return pixel.prefix(hasOpacity ? 4 : 3)
    }
    var image = unsafe png_image()
    unsafe (image.version, image.width, image.height) = (confab_png_version, UInt32(size), UInt32(size))
    unsafe image.format = hasOpacity ? confab_png_rgba : UInt32(PNG_FORMAT_FLAG_COLOR)
    var file = [UInt8](repeating: 0, count: 1 << 16)
    var count = file.count
    try #require(unsafe png_image_write_to_memory(&image, &file, &count, 0, pixels, 0, nil) != 0)
    return Array(file.prefix(count))
  }
}
