import Screen
import Testing

@Suite("What is known of the terminal")
struct TerminalInquiryTests {
  private static func capabilities(_ variables: [String: String], colours: Int = 256) -> Capabilities {
    Capabilities(variable: { variables[$0] }, colours: colours)
  }

  private static func inquiry(_ variables: [String: String] = [:], columns: Int = 80) -> TerminalInquiry {
    let variables = variables.merging(["TERM": "xterm", "LANG": "C.UTF-8"]) { old, _ in old }
    return TerminalInquiry(capabilities(variables), variable: { variables[$0] }, size: { (columns, 24) })
  }

  @Test(
    "the colours are those of the variables, else of the description",
    arguments: [
      ([:], 256, Capabilities.Depth.palette), ([:], 8, .eight), ([:], -1, .none), ([:], 16_777_216, .trueColour),
      (["COLORTERM": "truecolor"], 256, .trueColour), (["COLORTERM": "truecolor", "STY": "1"], 256, .palette),
      (["NO_COLOR": "1", "COLORTERM": "24bit"], 256, .none), (["NO_COLOR": ""], 16, .sixteen),
      (["TMUX": "/tmp/t,1,0"], 8, .palette), (["TMUX": "/tmp/t,1,0", "STY": "1"], 8, .eight),
      (["TMUX": "/tmp/t,1,0", "NO_COLOR": "1"], 8, .none),
      (["CONFAB_COLORS": "8", "NO_COLOR": "1"], 256, .eight), (["CONFAB_COLORS": "pink"], 256, .palette),
    ] as [([String: String], Int, Capabilities.Depth)])
  func depth(variables: [String: String], colours: Int, depth: Capabilities.Depth) {
    #expect(Self.capabilities(variables, colours: colours).depth == depth)
  }

  @Test("letters beyond ASCII are shown if the locale is UTF-8; the background is told by COLORFGBG, or unknown")
  func locale() {
    #expect(Self.capabilities(["LANG": "de_DE.UTF-8"]).isUTF8)
    #expect(!Self.capabilities(["LANG": "de_DE.UTF-8", "LC_ALL": "C"]).isUTF8)
    #expect(Self.capabilities(["LANG": "en_US.utf8", "LC_ALL": ""]).isUTF8)
    #expect(!Self.capabilities([:]).isUTF8)
    #expect(Self.capabilities([:]).hasDarkBackground == nil)
    #expect(Self.capabilities(["COLORFGBG": "0;default;15"]).hasDarkBackground == false)
    #expect(Self.capabilities(["COLORFGBG": "15;0"]).hasDarkBackground == true)
    #expect(Self.capabilities(["COLORFGBG": "15;0", "CONFAB_BACKGROUND": "light"]).hasDarkBackground == false)
  }

  @Test("the best protocol of pictures counts that the terminal answers to, and none within tmux but its own sixels")
  func graphics() {
    var inquiry = Self.inquiry()
    #expect(inquiry.begin()?.contains("a=q") == true)
    _ = inquiry.take(.graphics(false))
    _ = inquiry.take(.version("iTerm2 3.5"))
    _ = inquiry.take(.attributes([64, 4]))
    #expect(inquiry.capabilities.graphics == .iTerm2)
    _ = inquiry.take(.graphics(true))
    #expect(inquiry.capabilities.graphics == .kitty)
    for variable in ["TMUX", "STY"] {
      var inside = Self.inquiry([variable: "1"])
      #expect(inside.begin()?.contains("a=q") == false)
      _ = inside.take(.graphics(true))
      #expect(inside.capabilities.graphics == nil)
      _ = inside.take(.attributes([1, 2, 4]))
      #expect(inside.capabilities.graphics == .sixel)
    }
    var plain = Self.inquiry()
    _ = plain.take(.attributes([1, 2]))
    #expect(plain.capabilities.graphics == nil)
  }

  @Test("the size of a cell is the kernel's, or is asked for where there are pictures")
  func cellSize() {
    var inquiry = Self.inquiry()
    #expect(inquiry.takeCellSize(nil).question == nil)
    _ = inquiry.take(.attributes([4]))
    #expect(inquiry.takeCellSize(nil).question == "\u{1B}[16t")
    let size = Capabilities.CellSize(width: 9, height: 19)
    #expect(inquiry.takeCellSize(size).steps.count == 1 && inquiry.capabilities.cellSize == size)
    #expect(inquiry.takeCellSize(size).steps.isEmpty)
    #expect(Capabilities.CellSize(plausible: 0, 16) == nil && Capabilities.CellSize(plausible: 8, 900) == nil)
  }

  @Test("the first round ends in the question that each terminal answers, and some terminals are asked nothing")
  func firstRound() {
    var inquiry = Self.inquiry()
    #expect(!inquiry.isOpen)
    let questions = inquiry.begin()
    #expect(questions?.hasSuffix("\u{1B}[c") == true)
    #expect(inquiry.isOpen)
    var console = Self.inquiry(["TERM": "linux"])
    #expect(console.begin() == nil)
    #expect(!console.isOpen)
  }

  @Test("a terminal that knows clusters is told to count them, and measured by nobody")
  func clusters() {
    var inquiry = Self.inquiry()
    _ = inquiry.begin()
    var expected = inquiry.capabilities
    expected.widths = .clusters
    #expect(
      inquiry.take(.mode(2027, 2)) == [.set("\u{1B}[?2027h", undo: "\u{1B}[?2027l"), .capabilities(expected)])
    #expect(inquiry.take(.attributes([62])) == [])
    #expect(!inquiry.isOpen)
  }

  @Test("a terminal that does not know clusters is measured; its second answer ends the round")
  func measured() {
    var inquiry = Self.inquiry()
    _ = inquiry.begin()
    #expect(inquiry.take(.mode(2027, 0)) == [])
    guard case .measure(let text)? = inquiry.take(.attributes([62])).first else {
      Issue.record("no measurement")
      return
    }
    #expect(text.hasPrefix("\u{1B}[?25l\u{1B}[24;1H") && text.hasSuffix("\u{1B}[2K\u{1B}[c"))
    for column in [1, 4, 5, 2, 0] { #expect(inquiry.take(.cursor(.init(column: column, line: 23))) == []) }
    _ = inquiry.take(.cursor(.init(column: 1, line: 23)))
    #expect(
      inquiry.capabilities.widths
        == .measured(EmojiWidths(variation: 1, skinTone: 4, joined: 5, flag: 2, newest: 0, vowelSign: 1)))
    #expect(inquiry.isOpen)
    #expect(inquiry.take(.attributes([62])) == [])
    #expect(!inquiry.isOpen)
  }

  @Test("a terminal that reports no cursor keeps the safe widths; a late report changes nothing")
  func silentAboutCursor() {
    var inquiry = Self.inquiry()
    _ = inquiry.begin()
    _ = inquiry.take(.attributes([1]))
    _ = inquiry.take(.cursor(.init(column: 2, line: 23)))
    _ = inquiry.take(.attributes([1]))
    for _ in 0..<6 { #expect(inquiry.take(.cursor(.init(column: 2, line: 23))) == []) }
    #expect(inquiry.capabilities.widths == .codePoints)
  }

  @Test("a terminal that is too narrow, or of another character set, is not measured")
  func notMeasured() {
    for var inquiry in [
      Self.inquiry(columns: 8), Self.inquiry(["LANG": "C"]), Self.inquiry(["CONFAB_WIDTHS": "clusters"]),
    ] {
      _ = inquiry.begin()
      #expect(inquiry.take(.attributes([1])) == [])
      #expect(!inquiry.isOpen)
    }
  }

  @Test("answers about colours, synchronised output, keyboard and focus are learned from, each once")
  func others() {
    var inquiry = Self.inquiry()
    _ = inquiry.begin()
    _ = inquiry.take(.background(0xFD, 0xF6, 0xE3))
    #expect(inquiry.capabilities.hasDarkBackground == false)
    _ = inquiry.take(.mode(2026, 2))
    #expect(inquiry.capabilities.hasSynchronisedOutput)
    #expect(inquiry.take(.mode(2026, 2)) == [])
    #expect(inquiry.take(.keyboard(0)) == [.set("\u{1B}[>1u", undo: "\u{1B}[<u")])
    #expect(inquiry.takeFocus().count == 1)
    #expect(inquiry.takeFocus() == [])
    var overruled = Self.inquiry(["CONFAB_BACKGROUND": "dark"])
    #expect(overruled.take(.background(255, 255, 255)) == [])
  }
}

@Suite("Sequences that are written")
struct TerminalSequencesTests {
  @Test("no text ends its sequence early", arguments: ["a\u{1B}\\b", "a\u{7}b", "a\u{9C}b", "a\nb"])
  func texts(text: String) {
    for sequence in [
      TerminalSequences.title(text), TerminalSequences.notice9(text), TerminalSequences.notice777(title: text, text),
      TerminalSequences.notice99(id: 1, title: text, text), TerminalSequences.clipboard(text),
    ] {
      let parts = sequence.components(separatedBy: "\u{1B}\\")
      for part in parts.dropLast() {
        let controls = part.unicodeScalars.filter { $0.properties.generalCategory == .control }
        #expect(controls.count == 1 && part.hasPrefix("\u{1B}]"), "\(sequence.debugDescription)")
      }
      #expect(parts.last == "")
    }
  }

  @Test("a notice goes through tmux with its escapes doubled, through screen in parts that end at their own end")
  func passedOn() {
    let notice = TerminalSequences.notice9("hi")
    #expect(TerminalSequences.throughTmux(notice) == "\u{1B}Ptmux;\u{1B}\u{1B}]9;hi\u{1B}\u{1B}\\\u{1B}\\")
    #expect(TerminalSequences.throughScreen(notice) == "\u{1B}P\u{1B}]9;hi\u{7}\u{1B}\\")
    let long = TerminalSequences.throughScreen(TerminalSequences.notice9(String(repeating: "ü", count: 400)))
    #expect(long.split(separator: "\u{1B}P").allSatisfy { $0.utf8.count < 768 })
  }

  @Test("a notice is no command of ConEmu's, a title no field")
  func details() {
    #expect(TerminalSequences.notice9("4;1 times") == "\u{1B}]9; 4;1 times\u{1B}\\")
    #expect(TerminalSequences.notice777(title: "a;b", "c;d") == "\u{1B}]777;notify;a,b;c;d\u{1B}\\")
    #expect(TerminalSequences.clipboard("foo") == "\u{1B}]52;c;Zm9v\u{1B}\\")
    #expect(
      TerminalSequences.throughScreen(TerminalSequences.clipboard("foo")) == "\u{1B}P\u{1B}]52;c;Zm9v\u{7}\u{1B}\\")
    let long = TerminalSequences.throughScreen(TerminalSequences.clipboard(String(repeating: "long", count: 500)))
    let parts = long.split(separator: "\u{1B}P").map { $0.dropLast(2) }
    #expect(parts.count > 3 && parts.allSatisfy { $0.utf8.count <= 500 })
    #expect(parts.joined() == TerminalSequences.clipboard(String(repeating: "long", count: 500)).dropLast(2) + "\u{7}")
  }
}

extension String {
  /// As Foundation's.
  fileprivate func components(separatedBy separator: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(rest[..<range.lowerBound])
      rest = rest[range.upperBound...]
    }
    return parts + [rest]
  }
}
