import ConfabClient
import JSON
import Screen
import Testing

@testable import TerminalUI

/// Texts that nobody writes, in all widths: no line is wider than it may be, no cluster is cut, nothing steers the terminal.
struct LayoutHostileTests {
  private static let pieces: [String] = [
    "a", "word ", "  ", "\t", "\n", "\r\n", "漢", "字，", "e\u{301}", "\u{301}", "👩‍🚀", "🇩🇪", "🇩", "👍🏽", "☺️", "שלום ",
    "مرحبا ", "ไทย",
    "नमस्ते", "\u{200B}", "\u{200D}", "\u{202E}", "\u{2066}", "\u{1B}[2J", "\u{7}", "\u{9B}", "\u{FEFF}", "\u{AD}", "1",
    "-", "/",
    "https://example.org/", "\u{3000}", "\u{A0}", "각", "\u{1100}\u{1161}", "\u{FFFD}", "\u{E000}", "\u{10FFFD}",
    "\u{2028}",
    "﷽", "𒐫",
  ]
  private static let models: [WidthModel] = [
    .codePoints, .clusters,
    .measured(EmojiWidths(variation: 1, skinTone: 4, joined: 4, flag: 1, newest: 0)),
  ]

  private func text(_ chance: inout Chance, _ count: Int) -> String {
    (0..<count).map { _ in Self.pieces[chance.below(Self.pieces.count)] }.joined()
  }

  private func context(_ chance: inout Chance, width: Int) -> LayoutContext {
    LayoutContext(
      width: width, isCompact: chance.below(2) == 0, widths: Self.models[chance.below(3)],
      emoji: EmojiForm.allCases[chance.below(3)], scheme: ColourScheme(ColourScheme.Kind.allCases[chance.below(3)]),
      words: .english,
      symbols: chance.below(2) == 0 ? .unicode : .ascii)
  }

  /// True if the line fits, and further columns stand behind their cluster, as many as it has; nothing steers the terminal.
  private func isSound(_ line: StyledLine, _ width: Int) -> Bool {
    var owed = 0
    for cell in line.cells {
      if cell.width == 0 {
        guard owed > 0, cell.text.isEmpty else { return false }
        owed -= 1
      } else {
        guard owed == 0, !cell.text.unicodeScalars.contains(where: Self.isControl) else { return false }
        owed = Int(cell.width) - 1
      }
    }
    return owed == 0 && line.width <= width
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  @Test("no line of a message is wider than the pane, whatever is in it", arguments: 1...200)
  func messages(width: Int) {
    var chance = Chance(UInt64(width))
    for _ in 0..<4 {
      let context = context(&chance, width: width)
      var row = LayoutSupport.message(
        text(&chance, chance.below(60)), mine: chance.below(2) == 0,
        ["nick": .string(text(&chance, chance.below(8))), "state": .string("failed"), "in_doubt": .bool(true)])
      row.subject = chance.below(3) == 0 ? text(&chance, 5) : nil
      row.hits = [chance.below(20)..<(20 + chance.below(20)), 0..<chance.below(3) + 1]
      (row.isMention, row.isEvent) = (chance.below(2) == 0, chance.below(5) == 0)
      var flags = MessageFlags(
        hasGap: true, showsAddress: chance.below(2) == 0, isSelected: chance.below(2) == 0,
        countdown: Countdown(seconds: Int64(chance.below(9000))).shown)
      flags.readers = (0..<chance.below(9)).map { _ in text(&chance, chance.below(9)) }
      flags.address = chance.below(2) == 0 ? text(&chance, chance.below(30)) : nil
      (flags.showsName, flags.showsTime) = (chance.below(2) == 0, chance.below(2) == 0)
      for line in MessageLayout.layOut(row, flags, date: LayoutSupport.date, in: context) {
        #expect(isSound(line, width))
      }
    }
  }

  @Test("no row of a list is wider than the pane, whatever is in it", arguments: 1...200)
  func lists(width: Int) throws {
    var chance = Chance(UInt64(width))
    for _ in 0..<4 {
      let context = context(&chance, width: width)
      let key = ConversationKey(account: text(&chance, 3), jid: text(&chance, 10))
      var row = ConversationRow(key, name: text(&chance, chance.below(9)))
      row.last = LayoutSupport.message(text(&chance, 30))
      row.draft = chance.below(2) == 0 ? text(&chance, 9) : ""
      row.unread = chance.below(2000)
      let flags = ListFlags(
        isSelected: chance.below(2) == 0, hasTwoLines: chance.below(2) == 0, showsAddress: true, showsAccount: true)
      let date = LayoutSupport.date
      var lines = ListLayout.conversation(row, presence: .away, lastDate: date, today: date, flags, in: context)
      lines.append(RuleLines.typing(text(&chance, 8), in: context))
      lines += ListLayout.waiting(text(&chance, 5), text(&chance, 20), text(&chance, 40), flags, in: context)
      lines += ListLayout.heading(text(&chance, 9), text(&chance, 9), flags, in: context)
      for line in lines { #expect(isSound(line, width)) }
    }
  }

  @Test("texts of any size and kind take bounded room")
  func bounded() {
    let context = LayoutSupport.context(80)
    let texts = [
      String(repeating: "x", count: 60_000), "a" + String(repeating: "\u{301}", count: 50_000),
      String(repeating: "word ", count: 12_000), String(repeating: "\n", count: 60_000) + "x",
      String(repeating: "漢", count: 20_000), String(repeating: "👩‍🚀", count: 5000), String(repeating: " ", count: 60_000),
      String(repeating: "http://", count: 8000), String(repeating: "\u{200D}", count: 20_000),
      String(repeating: "\u{202E}", count: 20_000), String(repeating: "שלום", count: 7000),
      String(repeating: "http://a ", count: 6000),
    ]
    for text in texts {
      let row = LayoutSupport.message(text)
      let lines = MessageLayout.layOut(row, MessageFlags(), date: LayoutSupport.date, in: context)
      #expect(lines.count <= MessageLayout.foldedLimit + 3)
      #expect(lines.joined { $0.cells }.utf8.count < 100_000)
      let name = LayoutSupport.message("x", ["nick": .string(text)])
      for line in MessageLayout.layOut(name, MessageFlags(), date: LayoutSupport.date, in: context) {
        #expect(isSound(line, 80))
      }
    }
  }

  @Test("a thousand lines are folded, and shown whole when unfolded")
  func folding() {
    let row = LayoutSupport.message((1...1000).map(String.init).joined(separator: "\n"))
    let context = LayoutSupport.context(80)
    let folded = MessageLayout.layOut(row, MessageFlags(), date: LayoutSupport.date, in: context).map(\.plain)
    #expect(folded.count == 43)
    #expect(folded[41] == "  … 960 more lines")
    let whole = MessageLayout.layOut(row, MessageFlags(isUnfolded: true), date: LayoutSupport.date, in: context)
    #expect(whole.count == 1001)
    #expect(whole.last?.plain == "  1000  14:05")
  }
}

extension [StyledLine] {
  func joined(_ cells: (StyledLine) -> [Cell]) -> String { flatMap(cells).map(\.text).joined() }
}

/// Numbers by chance, the same for the same seed (SplitMix64).
struct Chance {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((value ^ value >> 31) % UInt64(bound))
  }
}
