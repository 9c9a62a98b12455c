import Testing

@testable import Pictures

@Suite("What is sent of a JPEG")
struct JPEGMetadataTests {
  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    let length = content.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content
  }

  static let frame = segment(0xC0, [8, 0, 4, 0, 3, 1, 1, 0x11, 0])
  static let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 0xFF, 0, 2, 0xFF, 0xD0, 3, 0xFF, 0xFF, 0xD9]
  static let jfif = segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 0, 0])
  static let profile = segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 9])

  /// Exif in the byte order given, with an orientation, and a place.
  static func exif(_ orientation: UInt8, isLittle: Bool) -> [UInt8] {
    let tiff: [UInt8] =
      isLittle
      ? Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
      : Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
    return segment(0xE1, Array("Exif\0\0".utf8) + tiff + Array("GPS 52.5 N".utf8))
  }

  private func removed(_ file: [UInt8]) -> [UInt8]? {
    let pieces = JPEGMetadata.removed { place, count in
      place < file.count ? Array(file[Int(place)..<min(file.count, Int(place) + count)]) : []
    }
    return pieces?.flatMap { piece in
      switch piece {
      case .copy(let range): Array(file[Int(range.lowerBound)..<Int(range.upperBound)])
      case .bytes(let bytes): bytes
      }
    }
  }

  @Test("A place is removed, and which way up it is stays", arguments: [false, true])
  func orientation(isLittle: Bool) throws {
    let file = [0xFF, 0xD8] + Self.jfif + Self.exif(6, isLittle: isLittle) + Self.profile + Self.frame + Self.scan
    let sent = try #require(removed(file))
    #expect(sent == [0xFF, 0xD8] + Self.jfif + sentExif(6) + Self.profile + Self.frame + Self.scan)
    #expect(PictureHeader(sent) == PictureHeader(.jpeg, width: 3, height: 4))
    // Once more changes nothing.
    #expect(removed(sent) == sent)
  }

  private func sentExif(_ orientation: UInt8) -> [UInt8] {
    Array(
      Self.exif(orientation, isLittle: false).dropLast("GPS 52.5 N".utf8.count).enumerated().map { index, byte in
        index == 3 ? 34 : byte
      })
  }

  @Test("Exif of a picture that stands upright, XMP, IPTC, comments and other pictures behind it are removed")
  func others() {
    let xmp = Self.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))
    let iptc = Self.segment(0xED, Array("Photoshop 3.0\0Berlin".utf8))
    let comment = Self.segment(0xFE, Array("here".utf8))
    let index = Self.segment(0xE2, Array("MPF\0".utf8) + [0, 0])
    let picture = Self.frame + Self.scan
    let file = [0xFF, 0xD8] + Self.exif(1, isLittle: true) + xmp + iptc + comment + index + picture
    #expect(removed(file + [0xFF, 0xD8] + Self.exif(1, isLittle: true) + picture) == [0xFF, 0xD8] + picture)
  }

  @Test("JFIF's small picture, which may show more than the large one, is removed")
  func thumbnail() {
    let small = Self.segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 1, 1, 9, 9, 9])
    let extended = Self.segment(0xE0, Array("JFXX\0".utf8) + [0x13, 1, 1, 9, 9, 9])
    let rest = Self.frame + Self.scan
    #expect(removed([0xFF, 0xD8] + small + extended + rest) == [0xFF, 0xD8] + Self.jfif + rest)
  }

  @Test("A picture of several scans is sent whole, and one that is cut off as far as it goes")
  func scans() {
    let scan = Self.segment(0xDA, [1, 1, 0, 0, 63, 0]) + [UInt8](repeating: 7, count: 200_000)
    let file = [0xFF, 0xD8] + Self.frame + scan + Self.segment(0xC4, [1]) + scan + [0xFF]
    #expect(removed(file) == file)
    #expect(removed(Array(file.dropLast(100))) == Array(file.dropLast(100)))
  }

  @Test("A file that is damaged before its picture is not sent")
  func damaged() {
    let files: [[UInt8]] = [
      [0xFF, 0xD8], [0xFF, 0xD8, 0xFF, 0xE1], [0xFF, 0xD8, 0xFF, 0xE1, 0, 1], [0xFF, 0xD8, 1, 2, 3, 4],
    ]
    for file in files {
      #expect(removed(file) == nil)
    }
    #expect(removed([0xFF, 0xD8] + Self.segment(0xE1, Array("Exif\0\0II*\0".utf8) + [255, 255, 255, 255])) == nil)
  }
}
