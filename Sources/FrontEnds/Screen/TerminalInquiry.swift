/// Asks the terminal what it can do, in two rounds, and learns from its answers; nothing waits for them.
///
/// The first round is one write: modes, colours, keyboard, name, and at last the question that each terminal answers. If
/// that answer comes without one about clusters, the second round measures the width of six of them.
package struct TerminalInquiry {
  /// The next step after an answer of the terminal.
  package enum Step: Equatable {
    /// They have changed.
    case capabilities(Capabilities)
    /// Written to the terminal; `undo` when it is given back.
    case set(String, undo: String)
    /// Written between two frames: it uses up the last line, which is then painted anew. The replies are reports of the
    /// cursor.
    case measure(String)
  }

  private enum Round: Equatable {
    case none, modes
    case widths([Int])
  }

  package private(set) var capabilities: Capabilities
  private let variable: (String) -> String?
  private var round = Round.none
  private var knowsClusters = false
  private let size: () -> (columns: Int, lines: Int)

  /// One cluster of each kind in which terminals differ, in the order of `EmojiWidths`; the newest emoji is of
  /// Unicode 15.
  private static let probes = [
    "\u{263A}\u{FE0F}", "\u{1F44D}\u{1F3FD}", "\u{1F469}\u{200D}\u{1F680}", "\u{1F1E9}\u{1F1EA}", "\u{1FAE8}",
    "\u{915}\u{93F}",
  ]
  /// Columns that the widest probe may take.
  private static let widestProbe = 8

  /// - Parameters:
  ///   - variable: the environment.
  ///   - size: the terminal's size when it is asked.
  package init(
    _ capabilities: Capabilities, variable: @escaping (String) -> String?,
    size: @escaping () -> (columns: Int, lines: Int)
  ) {
    self.capabilities = capabilities
    self.variable = variable
    self.size = size
  }

  /// Answers are still to come.
  package var isOpen: Bool { round != .none }

  /// The first round; nil where the terminal would show the questions instead of answering.
  package mutating func begin() -> String? {
    let name = variable("TERM") ?? ""
    guard !Self.silent.contains(where: name.hasPrefix) else { return nil }
    round = .modes
    return TerminalMode.synchronisedOutput.question + TerminalMode.clusters.question
      + TerminalSequences.keyboardQuestion + TerminalSequences.foregroundQuestion
      + TerminalSequences.backgroundQuestion + TerminalSequences.versionQuestion
      + (isInside ? "" : TerminalSequences.graphicsQuestion) + TerminalSequences.cellQuestion
      + TerminalSequences.attributesQuestion
  }

  /// Names of terminals that know none of it, and may print what they do not know.
  private static let silent = ["linux", "vt", "ansi", "dumb", "cons", "sun", "unknown"]

  /// Learns from a reply, however late.
  package mutating func take(_ reply: TerminalReply) -> [Step] {
    switch reply {
    case .mode(TerminalMode.synchronisedOutput.number, 1...2):
      return change { $0.hasSynchronisedOutput = true }
    case .mode(TerminalMode.clusters.number, let state) where state != 0: return useClusters(state)
    case .background(let red, let green, let blue):
      let isDark = Int(red) * 299 + Int(green) * 587 + Int(blue) * 114 < 128_000
      return variable("CONFAB_BACKGROUND") == nil ? change { $0.hasDarkBackground = isDark } : []
    case .keyboard: return [.set(TerminalSequences.keyboardPush, undo: TerminalSequences.keyboardPop)]
    case .version(let name): return takeName(name)
    case .graphics(let isKnown): return isKnown && !isInside ? use(.kitty) : []
    case .cellSize(let size): return change { $0.cellSize = size }
    case .cursor(let position): return measured(position.column)
    case .attributes(let numbers): return (numbers.contains(4) ? use(.sixel) : []) + endRound()
    case .mode, .foreground, .other: return []
    }
  }

  /// The size of a cell, which the kernel knows of some terminals; nil: the terminal is asked, if it has pictures.
  package mutating func takeCellSize(_ size: Capabilities.CellSize?) -> (steps: [Step], question: String?) {
    guard let size else { return ([], capabilities.graphics == nil ? nil : TerminalSequences.cellQuestion) }
    return (change { $0.cellSize = size }, nil)
  }

  private mutating func takeName(_ name: String) -> [Step] {
    let hasModifiedKeys = ["XTerm", "mintty", "tmux"].contains(where: name.hasPrefix)
    let keys = [Step.set(TerminalSequences.modifiedKeysOn, undo: TerminalSequences.modifiedKeysOff)]
    return (hasModifiedKeys ? keys : []) + (name.hasPrefix("iTerm2") ? use(.iTerm2) : [])
  }

  /// Between us and the terminal is tmux or GNU screen, which passes no pictures on; tmux with sixels of its own says so.
  private var isInside: Bool { variable("TMUX") != nil || variable("STY") != nil }

  /// The best protocol counts.
  private mutating func use(_ graphics: Capabilities.Graphics) -> [Step] {
    change { $0.graphics = max($0.graphics ?? graphics, graphics) }
  }

  /// The terminal has reported its focus: it does so from now on.
  package mutating func takeFocus() -> [Step] { change { $0.reportsFocus = true } }

  private mutating func change(_ body: (inout Capabilities) -> Void) -> [Step] {
    let old = capabilities
    body(&capabilities)
    return capabilities == old ? [] : [.capabilities(capabilities)]
  }

  /// The mode is set (1), could be (2), or always is (3).
  private mutating func useClusters(_ state: Int) -> [Step] {
    guard (1...3).contains(state), variable("CONFAB_WIDTHS") == nil else { return [] }
    knowsClusters = true
    let mode = TerminalMode.clusters
    return (state == 2 ? [.set(mode.set, undo: mode.reset)] : []) + change { $0.widths = .clusters }
  }

  private mutating func endRound() -> [Step] {
    guard case .modes = round else {
      round = .none
      return []
    }
    round = .none
    let (columns, lines) = size()
    guard !knowsClusters, variable("CONFAB_WIDTHS") == nil, capabilities.isUTF8, columns > Self.widestProbe else {
      return []
    }
    round = .widths([])
    return [.measure(Self.measurement(line: lines - 1))]
  }

  /// Each probe at the left edge of a line, concealed, and the question where the cursor is; the line is blank afterwards.
  private static func measurement(line: Int) -> String {
    let start = TerminalMode.cursor.reset + TerminalSequences.move(to: 0, line) + TerminalSequences.concealedPen
    let probes = probes.map { $0 + TerminalSequences.cursorQuestion + "\r" }.joined()
    return start + probes + TerminalSequences.plainPen + TerminalSequences.eraseLine
      + TerminalSequences.attributesQuestion
  }

  private mutating func measured(_ columns: Int) -> [Step] {
    guard case .widths(var widths) = round else { return [] }
    widths.append(columns)
    round = .widths(widths)
    guard widths.count == Self.probes.count else { return [] }
    let known = widths.map { UInt8(clamping: $0) }
    return change {
      $0.widths = .measured(
        EmojiWidths(
          variation: known[0], skinTone: known[1], joined: known[2], flag: known[3], newest: known[4],
          vowelSign: known[5]))
    }
  }
}
