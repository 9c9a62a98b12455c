package import Screen

/// The colours of all parts of the UI: one of three schemes, changed part by part by `tui.conf`. No part is told from another
/// by its colour alone.
package struct ColourScheme: Hashable, Sendable {
  /// The background or terminal for which a scheme is made.
  package enum Kind: String, CaseIterable, Sendable {
    /// 256 colours or more on a dark, or a light background.
    case dark, light
    /// 16 colours or fewer, or a background that is not known: the terminal's own colours and renditions only.
    case plain
  }

  package let kind: Kind
  /// In the order of `ColourPart.allCases`.
  private var styles: [Style]
  /// The styles on the terminal's own background, if it is unknown whether that is dark or light.
  private var bare: [Style]?

  /// True if the colours of letters fit the terminal's own background.
  var hasKnownGround: Bool { bare == nil }

  /// - Parameter isPalette: with 256 colours the areas are some of them, so that no two become the same one.
  package init(_ kind: Kind, isPalette: Bool = false) {
    self = (isPalette ? Self.ofPalette : Self.ofTrueColour)[kind] ?? ColourScheme(making: kind, isPalette: isPalette)
  }

  private static let ofTrueColour = made(isPalette: false)
  private static let ofPalette = made(isPalette: true)

  private static func made(isPalette: Bool) -> [Kind: ColourScheme] {
    Dictionary(uniqueKeysWithValues: Kind.allCases.map { ($0, ColourScheme(making: $0, isPalette: isPalette)) })
  }

  private init(making kind: Kind, isPalette: Bool) {
    self.kind = kind
    let table =
      switch kind {
      case .dark: Self.darkTable
      case .light: Self.lightTable
      case .plain: Self.plainTable
      }
    let grounds = isPalette ? Self.paletteGrounds[kind] ?? [:] : [:]
    styles = ColourPart.allCases.map { part in
      let style = table[part] ?? .plain
      return Style(style.foreground, on: grounds[part] ?? style.background, style.attributes)
    }
  }

  /// The scheme for what the terminal is known to have.
  package init(for capabilities: Capabilities) {
    switch (capabilities.hasDarkBackground, capabilities.depth) {
    case (true?, .palette...): self.init(.dark, isPalette: capabilities.depth == .palette)
    case (false?, .palette...): self.init(.light, isPalette: capabilities.depth == .palette)
    case (nil, .palette...): self = Self.onUnknownGround(isPalette: capabilities.depth == .palette)
    default: self.init(.plain)
    }
  }

  /// Areas of the dark scheme, with its letters; whatever is on the terminal's own ground, which may be light, is as in
  /// the plain one. tmux before 3.4 does not say what its ground is.
  private static func onUnknownGround(isPalette: Bool) -> ColourScheme {
    var scheme = ColourScheme(.dark, isPalette: isPalette)
    scheme.bare = ColourScheme(.plain).styles
    return scheme
  }

  package subscript(part: ColourPart) -> Style {
    get {
      let style = styles[part.ordinal]
      return style.background == .standard ? bare?[part.ordinal] ?? style : style
    }
    set {
      styles[part.ordinal] = newValue
      bare?[part.ordinal] = newValue
    }
  }

  /// A part on the ground of another: the ground stays, unless the part has one of its own.
  package func style(_ part: ColourPart, on ground: ColourPart) -> Style {
    let area = styles[ground.ordinal]
    return area.background == .standard ? self[part].over(self[ground]) : styles[part.ordinal].over(area)
  }
}

extension Style {
  /// This style on the ground of another: what it leaves open is as there.
  package func over(_ ground: Style) -> Style {
    Style(
      foreground == .standard ? ground.foreground : foreground,
      on: background == .standard ? ground.background : background, attributes.union(ground.attributes))
  }
}

extension ColourPart {
  /// The index in `allCases`.
  fileprivate var ordinal: Int { Self.ordinals[self] ?? 0 }

  private static let ordinals = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })
}
