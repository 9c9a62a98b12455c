extension Capabilities {
  /// Makes the capabilities that the environment states, before the terminal answers any question.
  ///
  /// `CONFAB_COLORS` (0, 8, 16, 256 or `true`), `CONFAB_BACKGROUND` (`dark` or `light`) and `CONFAB_WIDTHS` (`clusters`
  /// or `codepoints`) overrule everything, the terminal's answers included.
  ///
  /// - Parameter colours: the number of colours of the terminal's description.
  package init(variable: (String) -> String?, colours: Int) {
    self.init(depth: Self.depth(variable, colours), isUTF8: Self.isUTF8(variable))
    hasDarkBackground = Self.isDark(variable)
    isConsole = variable("TERM")?.hasPrefix("linux") ?? false
    if variable("CONFAB_WIDTHS") == "clusters" { widths = .clusters }
  }

  private static func depth(_ variable: (String) -> String?, _ colours: Int) -> Depth {
    if let wanted = variable("CONFAB_COLORS") {
      if wanted == "true" { return .trueColour }
      if let depth = Int(wanted).flatMap(Depth.init(rawValue:)) { return depth }
    }
    // https://no-color.org
    if variable("NO_COLOR")?.isEmpty == false { return .none }
    // GNU screen passes the variable on and does not know the colours.
    let isScreen = variable("STY") != nil
    if !isScreen, ["truecolor", "24bit"].contains(variable("COLORTERM")) { return .trueColour }
    // tmux takes 256 colours whatever it calls its terminal (`screen` by default), and finds the nearest that there are.
    if !isScreen, variable("TMUX")?.isEmpty == false, colours >= Depth.eight.rawValue, colours < Depth.palette.rawValue
    {
      return .palette
    }
    return [Depth.trueColour, .palette, .sixteen, .eight].first { colours >= $0.rawValue } ?? .none
  }

  /// Reads `COLORFGBG` of rxvt and Konsole, `foreground;background` as numbers of the 16 colours; nil if it is not set.
  private static func isDark(_ variable: (String) -> String?) -> Bool? {
    switch variable("CONFAB_BACKGROUND") {
    case "dark": return true
    case "light": return false
    default: break
    }
    guard let last = variable("COLORFGBG")?.split(separator: ";").last, let number = Int(last) else { return nil }
    return (0...6).contains(number) || number == 8
  }

  /// By the locale (locale(7)): the first variable that is set counts.
  private static func isUTF8(_ variable: (String) -> String?) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? ""
    let name = locale.lowercased()
    return name.contains("utf-8") || name.contains("utf8")
  }
}
