/// A style as a terminal of some depth can show it, and the sequences between two of them.
struct Pen: Equatable {
  private var style: Style

  static let plain = Pen(style: .plain)

  private init(style: Style) { self.style = style }

  init(_ style: Style, depth: Capabilities.Depth) {
    self.style = Style(
      style.foreground.reduced(to: depth), on: style.background.reduced(to: depth), style.attributes)
  }

  /// Writes what makes this pen of another one (SGR, ECMA-48 §8.3.117).
  func write(after old: Pen, into bytes: inout [UInt8]) {
    guard self != old else { return }
    bytes += [0x1B, 0x5B]
    defer { bytes.append(0x6D) }
    var old = old
    if !old.style.attributes.subtracting(style.attributes).isEmpty || self == .plain {
      old = .plain
      if self == .plain { return }
      bytes += [0x30, 0x3B]
    }
    for code in Self.codes(style.attributes.subtracting(old.style.attributes)) { bytes += "\(code);".utf8 }
    if style.foreground != old.style.foreground { style.foreground.write(base: 30, into: &bytes) }
    if style.background != old.style.background { style.background.write(base: 40, into: &bytes) }
    // The last parameter has no semicolon behind it.
    bytes.removeLast()
  }

  private static func codes(_ attributes: Style.Attributes) -> [Int] {
    let table: [(Style.Attributes, Int)] = [
      (.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.reverse, 7), (.strike, 9),
    ]
    return table.filter { attributes.contains($0.0) }.map(\.1)
  }
}

extension Colour {
  /// Parameters of SGR with a semicolon behind each; `base` is 30 for the letters, 40 for the ground.
  fileprivate func write(base: Int, into bytes: inout [UInt8]) {
    switch self {
    case .standard: bytes += "\(base + 9);".utf8
    case .indexed(let index) where index < 8: bytes += "\(base + Int(index));".utf8
    case .indexed(let index) where index < 16: bytes += "\(base + 52 + Int(index));".utf8
    case .indexed(let index): bytes += "\(base + 8);5;\(index);".utf8
    case .rgb(let red, let green, let blue): bytes += "\(base + 8);2;\(red);\(green);\(blue);".utf8
    }
  }
}
