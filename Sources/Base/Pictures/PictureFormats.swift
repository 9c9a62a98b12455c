/// PNG, with APNG's animation control chunk (PNG specification, third edition, sections 5.3, 11.2.1 and 11.3.6.1).
extension PictureHeader {
  static func png(_ bytes: PictureBytes) -> PictureHeader? {
    guard bytes[0] == 0x89, bytes.has("PNG\r\n\u{1A}\n", at: 1), bytes.bigEndian(4, at: 8) == 13,
      bytes.has("IHDR", at: 12), let width = bytes.bigEndian(4, at: 16), let height = bytes.bigEndian(4, at: 20),
      max(width, height) <= Int(Int32.max), bytes[28] != nil
    else { return nil }
    return PictureHeader(.png, width: width, height: height, isAnimated: hasAnimationControl(bytes))
  }

  /// It stands before the first `IDAT`.
  private static func hasAnimationControl(_ bytes: PictureBytes) -> Bool {
    var place = 33
    while let length = bytes.bigEndian(4, at: place), !bytes.has("IDAT", at: place + 4) {
      if bytes.has("acTL", at: place + 4) { return true }
      place += length + 12
    }
    return false
  }
}

/// JPEG: the first frame header (ITU-T T.81, sections B.1.1 and B.2.2).
extension PictureHeader {
  static func jpeg(_ bytes: PictureBytes) -> PictureHeader? {
    guard bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
    var place = 2
    while bytes[place] == 0xFF, let marker = bytes[place + 1] {
      switch marker {
      // Fill bytes, and markers without a length.
      case 0xFF: place += 1
      case 0x01, 0xD0...0xD7: place += 2
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: return jpegFrame(bytes, at: place + 2)
      // The picture itself begins, or is over.
      case 0x00, 0xD8...0xDA: return nil
      default:
        guard let length = bytes.bigEndian(2, at: place + 2), length >= 2 else { return nil }
        place += 2 + length
      }
    }
    return nil
  }

  private static func jpegFrame(_ bytes: PictureBytes, at place: Int) -> PictureHeader? {
    guard let length = bytes.bigEndian(2, at: place), length >= 11, let height = bytes.bigEndian(2, at: place + 3),
      let width = bytes.bigEndian(2, at: place + 5)
    else { return nil }
    return PictureHeader(.jpeg, width: width, height: height)
  }
}

/// GIF: the logical screen, and whether a second image follows (GIF89a, sections 18 to 25).
extension PictureHeader {
  static func gif(_ bytes: PictureBytes) -> PictureHeader? {
    guard bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0), let width = bytes.littleEndian(2, at: 6),
      let height = bytes.littleEndian(2, at: 8), let flags = bytes[10]
    else { return nil }
    let isAnimated = hasSecondImage(bytes, from: 13 + colourTableLength(flags))
    return PictureHeader(.gif, width: width, height: height, isAnimated: isAnimated)
  }

  private static func colourTableLength(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 6 << (flags & 7) }

  private static func hasSecondImage(_ bytes: PictureBytes, from start: Int) -> Bool {
    var (place, images) = (start, 0)
    while let introducer = bytes[place] {
      switch introducer {
      case 0x21: place = endOfSubBlocks(bytes, from: place + 2)
      case 0x2C:
        images += 1
        guard images < 2, let flags = bytes[place + 9] else { return images == 2 }
        place = endOfSubBlocks(bytes, from: place + 11 + colourTableLength(flags))
      default: return false
      }
    }
    return false
  }

  private static func endOfSubBlocks(_ bytes: PictureBytes, from start: Int) -> Int {
    var place = start
    while let length = bytes[place], length > 0 { place += length + 1 }
    return place + 1
  }
}

/// WebP: the first chunk (RFC 9649, sections 2.4 to 2.7; RFC 6386, section 9.1).
extension PictureHeader {
  static func webp(_ bytes: PictureBytes) -> PictureHeader? {
    guard bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) else { return nil }
    if bytes.has("VP8X", at: 12) { return extended(bytes) }
    return bytes.has("VP8L", at: 12) ? lossless(bytes) : bytes.has("VP8 ", at: 12) ? lossy(bytes) : nil
  }

  private static func extended(_ bytes: PictureBytes) -> PictureHeader? {
    guard let flags = bytes[20], let width = bytes.littleEndian(3, at: 24), let height = bytes.littleEndian(3, at: 27)
    else { return nil }
    return PictureHeader(.webp, width: width + 1, height: height + 1, isAnimated: flags & 2 != 0)
  }

  private static func lossless(_ bytes: PictureBytes) -> PictureHeader? {
    guard bytes[20] == 0x2F, let sizes = bytes.littleEndian(4, at: 21) else { return nil }
    return PictureHeader(.webp, width: sizes & 0x3FFF + 1, height: sizes >> 14 & 0x3FFF + 1)
  }

  private static func lossy(_ bytes: PictureBytes) -> PictureHeader? {
    guard let tag = bytes[20], tag & 1 == 0, bytes.bigEndian(3, at: 23) == 0x9D012A,
      let width = bytes.littleEndian(2, at: 26), let height = bytes.littleEndian(2, at: 28)
    else { return nil }
    return PictureHeader(.webp, width: width & 0x3FFF, height: height & 0x3FFF)
  }
}
