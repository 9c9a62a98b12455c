/// The terminal's capabilities: safe defaults at first, then its answers. The painter and the layout read them; a
/// change repaints.
package struct Capabilities: Equatable, Sendable {
  /// How many colours cells may have.
  package enum Depth: Int, Comparable, Sendable {
    case none = 0
    case eight = 8
    case sixteen = 16
    case palette = 256
    case trueColour = 16_777_216

    package static func < (left: Depth, right: Depth) -> Bool { left.rawValue < right.rawValue }
  }

  package var depth: Depth
  /// nil: not known yet.
  package var hasDarkBackground: Bool?
  package var widths: WidthModel
  /// Mode 2026: the terminal shows a frame at once.
  package var hasSynchronisedOutput: Bool
  /// True once the terminal has reported a focus change; its focus state is trusted only then.
  package var reportsFocus: Bool
  /// True if the terminal shows letters beyond ASCII (its locale is UTF-8).
  package var isUTF8: Bool
  /// The protocol of pictures that it has; nil: none, or not known yet.
  package var graphics: Graphics?
  /// A cell in pixels; nil: not known.
  package var cellSize: CellSize?
  /// The Linux console: its fonts have at most 512 letters, and no emoji.
  package var isConsole = false

  /// Protocols of pictures, the better ones later.
  package enum Graphics: Int, Comparable, Sendable {
    /// (DA1 4, VT340)
    case sixel
    /// (https://iterm2.com/documentation-images.html)
    case iTerm2
    /// (https://sw.kovidgoyal.net/kitty/graphics-protocol/)
    case kitty

    package static func < (left: Graphics, right: Graphics) -> Bool { left.rawValue < right.rawValue }
  }

  package struct CellSize: Hashable, Sendable {
    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// nil if letters are of no such size.
    package init?(plausible width: Int, _ height: Int) {
      guard (2...64).contains(width), (2...128).contains(height) else { return nil }
      self.init(width: width, height: height)
    }
  }

  package init(depth: Depth = .eight, isUTF8: Bool = true) {
    self.depth = depth
    widths = .codePoints
    hasSynchronisedOutput = false
    reportsFocus = false
    self.isUTF8 = isUTF8
  }
}
