package import Screen
import Crypto

/// The colour of a name, the same in all clients (XEP-0392).
package enum NameColour {
  /// Hue in degrees (XEP-0392 §5.1); `identifier` is a bare JID, or a nick in a room.
  package static func angle(_ identifier: String) -> Double {
    _ = isReady
    let hash = (try? Digest.hash(Array(identifier.utf8), .sha1)) ?? [0, 0]
    return Double(Int(hash[0]) | Int(hash[1]) << 8) / 65536 * 360
  }

  /// The UI uses OpenSSL for nothing else.
  private static let isReady: Void = Digest.prepareForHashes()

  /// The name on the ground of the terminal.
  package static func name(_ identifier: String, in scheme: ColourScheme) -> Style {
    switch scheme.kind {
    case .plain: scheme[.name]
    case .dark where !scheme.hasKnownGround: Style(palette(angle(identifier)), on: .standard, .bold)
    case .dark: Style(colour(identifier, lightness: 72), on: .standard, .bold)
    case .light: Style(colour(identifier, lightness: 38), on: .standard, .bold)
    }
  }

  /// Initials: on the colour.
  package static func initials(_ identifier: String, in scheme: ColourScheme) -> Style {
    switch scheme.kind {
    case .plain: Style(palette(angle(identifier)), on: .standard, [.bold, .reverse])
    case .dark: Style(.rgb(0, 0, 0), on: colour(identifier, lightness: 72), .bold)
    case .light: Style(.rgb(255, 255, 255), on: colour(identifier, lightness: 38), .bold)
    }
  }

  private static func colour(_ identifier: String, lightness: Double) -> Colour {
    let parts = HSLuv.rgb(hue: angle(identifier), saturation: 100, lightness: lightness).map { UInt8($0 * 255 + 0.5) }
    return .rgb(parts[0], parts[1], parts[2])
  }

  /// The closest of the six colours that every terminal has (XEP-0392 §5.4); hues by HSLuv.
  static func palette(_ angle: Double) -> Colour {
    let hues: [(Double, UInt8)] = [(12, 1), (86, 3), (128, 2), (192, 6), (266, 4), (308, 5)]
    func distance(_ hue: Double) -> Double {
      let difference = abs(hue - angle)
      return min(difference, 360 - difference)
    }
    return .indexed(hues.min { distance($0.0) < distance($1.0) }?.1 ?? 7)
  }
}
