import TerminalUI
import Testing

@Suite("Lines that are typed")
struct TypedLinesTests {
  private static let script =
    "Not sent: the line is longer than 65536 bytes; a text may have at most 60000."

  private func events(_ lines: inout TypedLines, _ pieces: [String]) -> [PlainEvent] {
    pieces.flatMap { piece in
      lines.append(Array(piece.utf8))
      var events: [PlainEvent] = []
      while let event = lines.next() { events.append(event) }
      return events
    }
  }

  private func letters(_ count: Int) -> String { String(repeating: "q", count: count) }

  @Test("come in any pieces, and the last one may have no end")
  func pieces() {
    var lines = TypedLines(isTerminal: false)
    #expect(
      events(&lines, ["o", "ne\ntw", "o\n\nthree"]) == [.typed("one"), .typed("two"), .typed("")])
    lines.end()
    #expect(events(&lines, [""]) == [.typed("three")])
    lines.end()
    #expect(events(&lines, [""]).isEmpty)
  }

  @Test(
    "are dropped whole if they are too long, which is said once",
    arguments: [[65_537], [65_536, 1], [65_537, 65_536, 65_536], [70_000, 0, 126_585]])
  func tooLong(counts: [Int]) {
    var lines = TypedLines(isTerminal: false)
    #expect(
      events(&lines, counts.map(letters) + ["/presence dnd\nnext\n"]) == [
        .said(Self.script), .typed("next"),
      ])
    #expect(events(&lines, counts.map(letters)).isEmpty)
    lines.end()
    #expect(events(&lines, [""]) == [.said(Self.script)])
  }

  @Test(
    "are dropped whole if they are not UTF-8",
    arguments: [[0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF]])
  func notText(bytes: [UInt8]) {
    for isTerminal in [false, true] {
      var lines = TypedLines(isTerminal: isTerminal)
      lines.append(bytes + [0x0A])
      #expect(events(&lines, ["näxt\n"]) == [.said("Not sent: the line is not UTF-8."), .typed("näxt")])
    }
  }

  @Test("may have 65536 bytes")
  func longest() {
    var lines = TypedLines(isTerminal: false)
    #expect(events(&lines, [letters(65_536), "\n"]) == [.typed(letters(65_536))])
  }

  @Test("of a terminal are dropped if it may have cut them")
  func terminal() {
    var lines = TypedLines(isTerminal: true)
    let refused = events(&lines, [letters(4095) + "\n", letters(4000), letters(4000), "tail\n"])
    #expect(refused.count == 2 && Set(refused.map(\.description)).count == 1)
    #expect(refused.first?.description.contains("4095 bytes") == true)
    #expect(refused.first?.description.contains("confab send JID -") == true)
    #expect(
      events(&lines, [letters(4094) + "\nnext\n"]) == [.typed(letters(4094)), .typed("next")])
  }

  @Test("texts that are here together are one event")
  func together() {
    var lines = TypedLines(isTerminal: true)
    lines.append(Array("one\ntwo\nthr".utf8))
    let first = lines.nextTogether()
    #expect(first == [.pasted(["one", "two"])])
    lines.append(Array("ee\n".utf8))
    let (second, third) = (lines.nextTogether(), lines.nextTogether())
    #expect(second == [.typed("three")] && third.isEmpty)
  }
}

extension PlainEvent {
  fileprivate var description: String { if case .said(let text) = self { text } else { "" } }
}
