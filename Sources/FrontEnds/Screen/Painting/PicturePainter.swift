/// Puts strips of pictures on the terminal, and takes them away.
///
/// Sixels and iTerm2's pictures are gone once their cells are written. Kitty keeps an image until it is told, so a strip is sent
/// once, under its number, and placed by it; the line is the number of the placement. It is sent before the frame: kitty waits
/// two seconds at most for the end of a frame that it shows at once, and may take the rest for text.
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

  /// Sends kitty those strips that it does not have.
  mutating func send(
    _ strips: some Sequence<(column: Int, number: UInt32)>, of all: PictureStrips, _ graphics: Capabilities.Graphics?,
    into writer: inout FrameWriter
  ) {
    guard graphics == .kitty else { return }
    for (_, number) in strips where !sent.contains(number) {
      guard let bytes = all[number]?.bytes else { continue }
      writer.draw(KittyImage.sent(bytes, number))
      sent.insert(number)
    }
  }

  /// Draws strips over their cells, which are blank.
  func draw(
    _ strips: [(column: Int, number: UInt32)], of all: PictureStrips, line: Int, _ graphics: Capabilities.Graphics?,
    into writer: inout FrameWriter
  ) {
    for strip in strips {
      guard let picture = all[strip.number], graphics != nil else { continue }
      writer.move(to: Frame.Position(column: strip.column, line: line))
      if graphics == .kitty {
        writer.write(Self.command("a=p,i=\(strip.number),p=\(line + 1),c=\(picture.columns),r=1,C=1"))
      } else {
        writer.draw(picture.bytes)
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
  /// The image under a number, without answers; it is not shown.
  static func sent(_ bytes: [UInt8], _ number: UInt32) -> [UInt8] {
    let start = "\u{1B}_Ga=T,"
    guard bytes.starts(with: start.utf8) else { return [] }
    return Array("\u{1B}_Ga=t,i=\(number),q=2,".utf8) + bytes.dropFirst(start.utf8.count)
  }
}
