import ConfabPicture
import Testing

@Suite("Decoding pictures")
struct DecodingTests {
  @Test("Each format gives its pixels")
  func formats() throws {
    for (name, bytes) in SamplePictures.all {
      let pixels = try #require(PictureDecoding.decode(bytes, fitting: (16, 16)), "\(name)")
      #expect(pixels.width == 16 && pixels.height == 16)
      let left = pixels.bytes[0..<4].map(Int.init)
      let right = pixels.bytes[60..<64].map(Int.init)
      #expect(left[0] > 240 && left[1] < 15 && left[2] < 15 && left[3] == 255, "\(name): \(left)")
      #expect(right[0] < 15 && right[1] < 15 && right[2] > 240 && right[3] == 255, "\(name): \(right)")
    }
  }

  @Test("Pictures that are cut or changed anywhere give pixels or nothing, and never trap")
  func damaged() {
    for (_, bytes) in SamplePictures.all {
      for index in bytes.indices {
        _ = PictureDecoding.decode(Array(bytes[..<index]), fitting: (4, 4))
        for byte in [0, 0x7F, 0xFF] as [UInt8] {
          var changed = bytes
          changed[index] = byte
          // What is claimed to be large is refused, so that this ends.
          _ = PictureDecoding.decode(changed, fitting: (4, 4))
        }
      }
    }
  }

  @Test("Pictures of too many pixels, or none, are refused before they are decoded")
  func large() {
    var png = SamplePictures.png
    png.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
    #expect(PictureDecoding.decode(png, fitting: (4, 4)) == nil)
    var gif = SamplePictures.gif
    gif.replaceSubrange(6..<10, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(PictureDecoding.decode(gif, fitting: (4, 4)) == nil)
    gif.replaceSubrange(6..<10, with: [0, 0, 0, 0])
    #expect(PictureDecoding.decode(gif, fitting: (4, 4)) == nil)
    for bytes in [[], [0x89], Array("GIF89a".utf8), Array("RIFF".utf8), [0xFF, 0xD8], Array("%PDF".utf8)] {
      #expect(PictureDecoding.decode(bytes, fitting: (4, 4)) == nil)
    }
  }

  @Test("A large PNG is shrunk while it is read; a cut or damaged one gives nothing")
  func shrunk() throws {
    let file = try SamplePictures.board(66)
    let pixels = try #require(PictureDecoding.decode(file, fitting: (8, 8)))
    #expect(pixels.width == 16 && pixels.height == 16 && pixels.fileWidth == 66 && pixels.fileHeight == 66)
    // A pixel that is not there has no colour.
    let (halfRed, darkRed): ([UInt8], [UInt8]) = ([255, 0, 0, 127], [127, 0, 0, 255])
    #expect(pixels.bytes == Array(repeating: halfRed, count: 256).flatMap(\.self))
    let opaque = try SamplePictures.board(66, hasOpacity: false)
    let others = try #require(PictureDecoding.decode(opaque, fitting: (8, 8)))
    #expect(others.width == 16 && others.bytes == Array(repeating: darkRed, count: 256).flatMap(\.self))
    for count in file.indices { _ = PictureDecoding.decode(Array(file[..<count]), fitting: (8, 8)) }
    #expect(PictureDecoding.decode(Array(file.prefix(file.count / 2)), fitting: (8, 8)) == nil)
    var damaged = file
    damaged[file.count / 2] ^= 0xFF
    #expect(PictureDecoding.decode(damaged, fitting: (8, 8)) == nil)
  }
}
