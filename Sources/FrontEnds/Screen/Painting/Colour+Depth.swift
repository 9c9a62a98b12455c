extension Colour {
  /// The nearest colour that a terminal of some depth has.
  func reduced(to depth: Capabilities.Depth) -> Colour {
    switch (self, depth) {
    case (.standard, _), (_, .none): .standard
    case (.rgb(let red, let green, let blue), .palette): .indexed(Self.paletteIndex(red, green, blue))
    case (.rgb(let red, let green, let blue), .eight), (.rgb(let red, let green, let blue), .sixteen):
      .indexed(Self.basicIndex(red, green, blue, count: depth.rawValue))
    case (.indexed(let index), .eight) where index < 16: .indexed(index & 7)
    case (.indexed(let index), .eight), (.indexed(let index), .sixteen):
      index < 16 ? self : Self.paletteColour(index).reduced(to: depth)
    default: self
    }
  }

  /// xterm's 16 colours; a terminal's own may differ.
  private static let basic: [(Int, Int, Int)] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
    (255, 255, 255),
  ]
  /// Levels of the cube of 6 x 6 x 6 colours, from index 16 on.
  private static let levels: [Int] = [0, 95, 135, 175, 215, 255]

  private static func basicIndex(_ red: UInt8, _ green: UInt8, _ blue: UInt8, count: Int) -> UInt8 {
    let colour = (Int(red), Int(green), Int(blue))
    let nearest = (0..<count).min { distance(basic[$0], colour) < distance(basic[$1], colour) }
    return UInt8(nearest ?? 7)
  }

  /// The nearest of the cube and of the 24 greys.
  private static func paletteIndex(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
    let colour = (Int(red), Int(green), Int(blue))
    let cube = (level(colour.0), level(colour.1), level(colour.2))
    let cubeColour = (levels[cube.0], levels[cube.1], levels[cube.2])
    let grey = min(23, max(0, ((colour.0 + colour.1 + colour.2) / 3 - 3) / 10))
    let greyColour = (8 + 10 * grey, 8 + 10 * grey, 8 + 10 * grey)
    let isGrey = distance(greyColour, colour) < distance(cubeColour, colour)
    return UInt8(isGrey ? 232 + grey : 16 + 36 * cube.0 + 6 * cube.1 + cube.2)
  }

  private static func level(_ part: Int) -> Int {
    levels.indices.min { abs(levels[$0] - part) < abs(levels[$1] - part) } ?? 0
  }

  private static func paletteColour(_ index: UInt8) -> Colour {
    if index >= 232 {
      let grey = 8 + 10 * (index - 232)
      return .rgb(grey, grey, grey)
    }
    let cube = Int(index) - 16
    let parts = [cube / 36, cube / 6 % 6, cube % 6].map { UInt8(levels[$0]) }
    return .rgb(parts[0], parts[1], parts[2])
  }

  /// The eye sees green best, then red.
  private static func distance(_ left: (Int, Int, Int), _ right: (Int, Int, Int)) -> Int {
    let (red, green, blue) = (left.0 - right.0, left.1 - right.1, left.2 - right.2)
    return 3 * red * red + 6 * green * green + 1 * blue * blue
  }
}
