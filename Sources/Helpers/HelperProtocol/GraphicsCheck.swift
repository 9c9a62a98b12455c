/// Graphics that come from a program that a picture may have taken over, on their way to the terminal: a strip of cells in one
/// sequence of the protocol that was asked for, that asks the terminal for nothing and draws nowhere else.
package struct GraphicsCheck {
  /// Bytes of a whole picture.
  package static let limit = 8 << 20

  private let style: DrawingRequest.Style
  private let columns: Int
  /// In pixels.
  private let width: Int
  private let height: Int

  /// - Parameter columns: cells of the strip, which is one row high.
  package init(_ request: DrawingRequest, columns: Int) {
    style = request.style
    self.columns = columns
    width = columns * request.cellWidth
    height = request.cellHeight
  }

  package func passes(_ strip: [UInt8]) -> Bool {
    guard strip.count <= Self.limit else { return false }
    switch style {
    case .kitty: return isKitty(strip[...])
    case .iTerm2: return isITerm2(strip[...])
    case .sixel: return isSixel(strip[...])
    case .trueColour, .colours256, .colours16: return false
    }
  }

  /// One image (https://sw.kovidgoyal.net/kitty/graphics-protocol/) whose pixels are in the sequences, not in a file.
  private func isKitty(_ strip: ArraySlice<UInt8>) -> Bool {
    let first = "\u{1B}_Ga=T,f=32,s=\(width),v=\(height),c=\(columns),r=1,m=1\u{1B}\\"
    let last = "\u{1B}_Gm=0\u{1B}\\"
    guard var rest = Self.inside(strip, first, last) else { return false }
    while !rest.isEmpty {
      guard rest.starts(with: "\u{1B}_Gm=1;".utf8) else { return false }
      rest = rest.dropFirst(8).drop(while: Self.isBase64)
      guard rest.starts(with: "\u{1B}\\".utf8) else { return false }
      rest = rest.dropFirst(2)
    }
    return true
  }

  /// A file that is shown, not kept (https://iterm2.com/documentation-images.html).
  private func isITerm2(_ strip: ArraySlice<UInt8>) -> Bool {
    let start = "\u{1B}]1337;File=inline=1;width=\(columns);height=1;preserveAspectRatio=0:"
    return Self.inside(strip, start, "\u{7}")?.allSatisfy(Self.isBase64) ?? false
  }

  /// Bands of sixels (VT330/VT340 Programmer Reference Manual, volume 2, chapter 14), no wider and higher than the strip.
  private func isSixel(_ strip: ArraySlice<UInt8>) -> Bool {
    guard let inner = Self.inside(strip, "\u{1B}P", "\u{1B}\\") else { return false }
    let body = inner.drop { Self.isDigit($0) || $0 == UInt8(ascii: ";") }
    guard body.first == UInt8(ascii: "q") else { return false }
    var extent = SixelExtent()
    for byte in body.dropFirst() where !extent.take(byte) { return false }
    return extent.width <= width && extent.bands * 6 < height + 6
  }

  private static func inside(_ bytes: ArraySlice<UInt8>, _ start: String, _ end: String) -> ArraySlice<UInt8>? {
    guard bytes.starts(with: start.utf8), bytes.suffix(end.utf8.count).elementsEqual(end.utf8),
      bytes.count >= start.utf8.count + end.utf8.count
    else { return nil }
    return bytes.dropFirst(start.utf8.count).dropLast(end.utf8.count)
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "+/=".utf8.contains(byte)
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

/// How much room sixels take.
struct SixelExtent {
  private(set) var width = 0
  /// The number of bands of six pixels each. The band behind the last line end counts only if something is drawn in it.
  var bands: Int { lineEnds + (isBandOpen ? 1 : 0) }
  private var lineEnds = 0
  private var column = 0
  /// How often the next sixel is repeated; nil: no count is being read.
  private var repeats: Int?
  private var isBandOpen = false

  /// False if the byte is none of the protocol's.
  mutating func take(_ byte: UInt8) -> Bool {
    if let count = repeats, GraphicsCheck.isDigit(byte) {
      repeats = min(1 << 20, count * 10 + Int(byte & 0xF))
      return true
    }
    switch byte {
    case UInt8(ascii: "!"): repeats = 0
    case UInt8(ascii: "$"): column = 0
    case UInt8(ascii: "-"):
      (column, isBandOpen) = (0, false)
      lineEnds += 1
    case 0x3F...0x7E: draw(byte)
    case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: ";"), 0x0A, 0x30...0x39: break
    default: return false
    }
    return true
  }

  private mutating func draw(_ byte: UInt8) {
    column += max(1, repeats ?? 1)
    repeats = nil
    guard byte != 0x3F else { return }
    width = max(width, column)
    isBandOpen = true
  }
}
