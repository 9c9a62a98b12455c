/// The parts of a JPEG that are sent to others: the picture, its colours and which way up it is, and nothing that a camera or a program
/// wrote about it (ITU-T T.81, annex B; Exif 2.3).
package enum JPEGMetadata {
  /// A piece of the file that is sent.
  package enum Piece: Equatable, Sendable {
    /// Bytes of the file.
    case copy(Range<UInt64>)
    /// Other bytes.
    case bytes([UInt8])
  }

  /// True if a file begins like a JPEG.
  package static func isJPEG(_ beginning: [UInt8]) -> Bool { beginning.starts(with: [0xFF, 0xD8, 0xFF]) }

  /// The pieces without metadata, and without what stands behind the picture; nil if the file is damaged before its
  /// picture begins.
  ///
  /// - Parameter read: gives the file's bytes from a place on, up to a count; fewer at its end only.
  package static func removed<Failure: Error>(
    _ read: (UInt64, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [Piece]? {
    var pieces = Pieces()
    pieces.add(0..<2)
    var place: UInt64 = 2
    while true {
      let head = PictureBytes(try read(place, 4))
      guard head[0] == 0xFF, let marker = head[1] else { return nil }
      switch marker {
      case 0xFF: place += 1
      case 0x01, 0xD0...0xD7:
        pieces.add(place..<place + 2)
        place += 2
      case 0xD9:
        pieces.add(place..<place + 2)
        return pieces.all
      case 0x00, 0xD8: return nil
      default:
        guard let length = head.bigEndian(2, at: 2), length >= 2 else { return nil }
        let end = place + 2 + UInt64(length)
        if let wanted = kept(marker, try read(place + 4, length - 2), place..<end) { pieces.add(wanted) }
        place = end
        guard marker == 0xDA else { continue }
        place = try endOfScan(from: end, read)
        pieces.add(end..<place)
        if try read(place, 1).isEmpty { return pieces.all }
      }
    }
  }

  /// The part of a segment that is kept; nil: nothing.
  private static func kept(_ marker: Int, _ content: [UInt8], _ range: Range<UInt64>) -> Piece? {
    switch marker {
    case 0xE0 where content.starts(with: "JFIF\0".utf8): content.count > 14 ? .bytes(jfif(content)) : .copy(range)
    case 0xE2 where content.starts(with: "ICC_PROFILE\0".utf8): .copy(range)
    case 0xEE where content.starts(with: "Adobe".utf8): .copy(range)
    case 0xE1: orientation(content).map { .bytes(segment(orientation: $0)) }
    // Other applications' data, and comments.
    case 0xE0...0xEF, 0xFE: nil
    default: .copy(range)
    }
  }

  /// A JFIF segment without its small picture, which may show what was cut off.
  private static func jfif(_ content: [UInt8]) -> [UInt8] { [0xFF, 0xE0, 0, 16] + content[..<12] + [0, 0] }

  /// The place of the next marker behind the data of a scan, or of the end of the file.
  private static func endOfScan<Failure: Error>(
    from start: UInt64, _ read: (UInt64, Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> UInt64 {
    var place = start
    while true {
      let bytes = try read(place, 64 << 10)
      var index = 0
      while index + 1 < bytes.count {
        if bytes[index] != 0xFF {
          index += 1
        } else {
          switch bytes[index + 1] {
          case 0x00, 0xD0...0xD7: index += 2
          case 0xFF: index += 1
          default: return place + UInt64(index)
          }
        }
      }
      if bytes.count <= 1 { return place + UInt64(bytes.count) }
      place += UInt64(index)
    }
  }

  /// The orientation of the picture by Exif, if it is not to be shown as it stands: 2 to 8.
  private static func orientation(_ content: [UInt8]) -> UInt8? {
    let bytes = PictureBytes(content)
    guard bytes.has("Exif\0\0", at: 0) else { return nil }
    let isLittle = bytes.has("II*\0", at: 6)
    guard isLittle || bytes.has("MM\0*", at: 6) else { return nil }
    func number(_ count: Int, at place: Int) -> Int? {
      isLittle ? bytes.littleEndian(count, at: place + 6) : bytes.bigEndian(count, at: place + 6)
    }
    guard let directory = number(4, at: 4), let count = number(2, at: directory) else { return nil }
    for entry in 0..<count {
      let place = directory + 2 + 12 * entry
      guard let tag = number(2, at: place) else { return nil }
      if tag == 0x0112 { return number(2, at: place + 8).flatMap { (2...8).contains($0) ? UInt8($0) : nil } }
    }
    return nil
  }

  /// An Exif segment that says this alone.
  private static func segment(orientation: UInt8) -> [UInt8] {
    [0xFF, 0xE1, 0, 34] + "Exif\0\0MM\0*".utf8 + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
      + [0, 0, 0, 0]
  }
}

/// Pieces of a file, joined where they touch.
private struct Pieces {
  private(set) var all: [JPEGMetadata.Piece] = []

  mutating func add(_ range: Range<UInt64>) {
    guard case .copy(let last)? = all.last, last.upperBound == range.lowerBound else { return all.append(.copy(range)) }
    all[all.count - 1] = .copy(last.lowerBound..<range.upperBound)
  }

  mutating func add(_ piece: JPEGMetadata.Piece) {
    if case .copy(let range) = piece { add(range) } else { all.append(piece) }
  }
}
