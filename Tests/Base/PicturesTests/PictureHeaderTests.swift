import Pictures
import Testing

@Suite("Headers of pictures")
struct PictureHeaderTests {
  private static func number(_ value: Int, _ count: Int, isLittle: Bool = false) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isLittle ? bytes : bytes.reversed()
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count, 4) + name.utf8 + content + [0, 0, 0, 0]
  }

  static func png(_ width: Int, _ height: Int, _ more: [UInt8] = []) -> [UInt8] {
    let header = chunk("IHDR", number(width, 4) + number(height, 4) + [8, 6, 0, 0, 0])
    return [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + header + more + chunk("IDAT", [1, 2, 3]) + chunk("IEND", [])
  }

  static func jpeg(_ width: Int, _ height: Int, marker: UInt8 = 0xC2, before: [UInt8] = []) -> [UInt8] {
    let frame = [8] + number(height, 2) + number(width, 2) + [1, 1, 0x11, 0]
    return [0xFF, 0xD8] + before + [0xFF, marker] + number(frame.count + 2, 2) + frame + [0xFF, 0xD9]
  }

  static func gif(_ width: Int, _ height: Int, images: Int) -> [UInt8] {
    let image: [UInt8] =
      [0x21, 0xF9, 4, 0, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 0, 0, 0, 1, 1, 1, 2, 2, 0x4C, 1, 0]
    let screen = number(width, 2, isLittle: true) + number(height, 2, isLittle: true) + [0x80, 0, 0, 0, 0, 0, 1, 1, 1]
    return Array("GIF89a".utf8) + screen + (0..<images).flatMap { _ in image } + [0x3B]
  }

  private static func webp(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let chunk = Array(name.utf8) + number(content.count, 4, isLittle: true) + content
    return Array("RIFF".utf8) + number(chunk.count + 4, 4, isLittle: true) + Array("WEBP".utf8) + chunk
  }

  static func extended(_ width: Int, _ height: Int, flags: UInt8) -> [UInt8] {
    webp("VP8X", [flags, 0, 0, 0] + number(width - 1, 3, isLittle: true) + number(height - 1, 3, isLittle: true))
  }

  static func lossless(_ width: Int, _ height: Int) -> [UInt8] {
    webp("VP8L", [0x2F] + number(width - 1 | (height - 1) << 14, 4, isLittle: true))
  }

  static func lossy(_ width: Int, _ height: Int) -> [UInt8] {
    webp("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A] + number(width, 2, isLittle: true) + number(height, 2, isLittle: true))
  }

  @Test(
    "Type, pixels and animation are read from the bytes",
    arguments: [
      (png(640, 480), PictureHeader(.png, width: 640, height: 480)),
      (png(1, Int(Int32.max)), PictureHeader(.png, width: 1, height: Int(Int32.max))),
      (
        png(5, 6, chunk("gAMA", [0, 0, 0, 1]) + chunk("acTL", [])),
        PictureHeader(.png, width: 5, height: 6, isAnimated: true)
      ),
      (jpeg(300, 200), PictureHeader(.jpeg, width: 300, height: 200)),
      (
        jpeg(65_535, 1, marker: 0xC0, before: [0xFF, 0xFF, 0xE1, 0, 4, 0xFF, 0xC0, 0xFF, 0x01]),
        PictureHeader(.jpeg, width: 65_535, height: 1)
      ),
      (gif(10, 20, images: 1), PictureHeader(.gif, width: 10, height: 20)),
      (gif(10, 20, images: 3), PictureHeader(.gif, width: 10, height: 20, isAnimated: true)),
      (extended(16_777_216, 3, flags: 2), PictureHeader(.webp, width: 16_777_216, height: 3, isAnimated: true)),
      (extended(7, 8, flags: 0x10), PictureHeader(.webp, width: 7, height: 8)),
      (lossless(16_384, 9), PictureHeader(.webp, width: 16_384, height: 9)),
      (lossy(176, 144), PictureHeader(.webp, width: 176, height: 144)),
    ] as [([UInt8], PictureHeader)])
  func reads(bytes: [UInt8], header: PictureHeader) {
    #expect(PictureHeader(bytes) == header)
  }

  @Test(
    "What is no picture, or has no pixels, has no header",
    arguments: [
      [], Array("hello, this is a text".utf8), Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8),
      Array("BM".utf8) + [UInt8](repeating: 1, count: 60), png(0, 5), png(5, 0), png(1 << 31, 5), png(0xFFFF_FFFF, 1),
      jpeg(0, 5), jpeg(5, 0), jpeg(5, 5, marker: 0xC4), [0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 0xFF, 0xC0],
      [0xFF, 0xD8, 0xFF, 0xDA, 0, 2] + jpeg(5, 5).dropFirst(2), gif(0, 1, images: 1), gif(1, 0, images: 1), lossy(0, 5),
      webp("VP8 ", [1, 0, 0, 0x9D, 1, 0x2A, 5, 0, 5, 0]), webp("VP8 ", [0, 0, 0, 0x9D, 1, 0x2B, 5, 0, 5, 0]),
      webp("VP8L", [0x2E, 0, 0, 0, 0]), webp("ALPH", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ] as [[UInt8]])
  func refuses(bytes: [UInt8]) {
    #expect(PictureHeader(bytes) == nil)
  }

  @Test("A picture that is cut anywhere, or has any byte changed, is read without harm")
  func damaged() {
    let pictures = [
      Self.png(64, 64, Self.chunk("acTL", [1, 2])), Self.jpeg(64, 64, before: [0xFF, 0xE0, 0, 4, 1, 2]),
      Self.gif(64, 64, images: 2), Self.extended(64, 64, flags: 2), Self.lossless(64, 64), Self.lossy(64, 64),
    ]
    for picture in pictures {
      for count in picture.indices { _ = PictureHeader(Array(picture[..<count])) }
      for place in picture.indices {
        for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFE, 0xFF] {
          var changed = picture
          changed[place] = value
          guard let header = PictureHeader(changed) else { continue }
          #expect((1...Int(Int32.max)).contains(header.width) && (1...Int(Int32.max)).contains(header.height))
        }
      }
    }
  }

  @Test("Lengths that point far beyond the end stop the search")
  func farLengths() {
    let far = Self.number(0xFFFF_FFFF, 4) + Array("tEXt".utf8)
    #expect(PictureHeader(Self.png(2, 2, far)) == PictureHeader(.png, width: 2, height: 2))
    #expect(PictureHeader([0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF, 1, 2, 3]) == nil)
    let gif = Array("GIF89a".utf8) + [1, 0, 1, 0, 0xF7, 0, 0, 0x2C]
    #expect(PictureHeader(gif) == PictureHeader(.gif, width: 1, height: 1))
  }
}
