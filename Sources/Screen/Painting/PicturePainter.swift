/// Puts strips of pictures on the terminal, and takes them away.
///
/// Sixels and iTerm2's pictures are gone once their cells are written. Kitty keeps an image until it is told, so a strip is sent
/// once, under its number, and placed by it; the line is the number of the placement.
struct PicturePainter {
  /// Strips that kitty has.
  private var sent: Set<UInt32> = []

  /// The screen is erased: nothing is known to be on it.
  mutating func clear(_ graphics: Capabilities.Graphics?, into writer: inout FrameWriter) {
    if graphics == .kitty { writer.write(Self.command("a=d,d=A")) }
    sent = []
  }

  /// Takes the strips of a line away before it is written.
  func remove(
    _ strips: [(column: Int, number: UInt32)], line: Int, _ graphics: Capabilities.Graphics?,
    into writer: inout FrameWriter
  ) {
    guard graphics == .kitty else { return }
    for strip in strips { writer.write(Self.command("a=d,d=i,i=\(strip.number),p=\(line + 1)")) }
  }

  /// Draws strips over their cells, which are blank.
  mutating func draw(
    _ strips: [(column: Int, number: UInt32)], of all: PictureStrips, line: Int, _ graphics: Capabilities.Graphics?,
    into writer: inout FrameWriter
  ) {
    for strip in strips {
      guard let bytes = all[strip.number]?.bytes, graphics != nil else { continue }
      writer.move(to: Frame.Position(column: strip.column, line: line))
      if graphics != .kitty {
        writer.draw(bytes)
      } else if sent.insert(strip.number).inserted {
        writer.draw(KittyImage.named(bytes, strip.number, placement: line + 1))
      } else {
        writer.write(Self.command("a=p,i=\(strip.number),p=\(line + 1),C=1"))
      }
    }
  }

  /// Kitty forgets strips that are no more.
  mutating func forget(missingFrom all: PictureStrips, into writer: inout FrameWriter) {
    for number in sent where all[number] == nil {
      writer.write(Self.command("a=d,d=I,i=\(number)"))
      sent.remove(number)
    }
  }

  /// Without an answer.
  private static func command(_ keys: String) -> String { "\u{1B}_G\(keys),q=2\u{1B}\\" }
}

/// An image of kitty's protocol as it is drawn, `ESC _ G a=T,…`.
enum KittyImage {
  /// The image under a number, without answers, and without moving the cursor.
  static func named(_ bytes: [UInt8], _ number: UInt32, placement: Int) -> [UInt8] {
    let start = Array("\u{1B}_Ga=T,".utf8)
    guard bytes.starts(with: start) else { return bytes }
    return start + Array("i=\(number),p=\(placement),C=1,q=2,".utf8) + bytes.dropFirst(start.count)
  }
}
