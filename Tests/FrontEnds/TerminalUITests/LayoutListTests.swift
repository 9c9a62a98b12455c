import Clocks
import ConfabClient
import JSON
import Screen
import Testing

@testable import TerminalUI

struct LayoutListTests {
  private let today = LayoutSupport.date

  private func conversation(_ change: (inout ConversationRow) -> Void = { _ in }) -> ConversationRow {
    var row = ConversationRow(ConversationKey(account: "home", jid: "bob@example.org"), name: "Bob")
    row.last = LayoutSupport.message("See you\nat noon")
    change(&row)
    return row
  }

  private func lines(_ row: ConversationRow, _ flags: ListFlags = ListFlags(), _ width: Int = 40) -> [String] {
    ListLayout.conversation(
      row, presence: .available, lastDate: today, today: today, flags, in: LayoutSupport.context(width)
    ).map(\.plain)
  }

  @Test("a conversation has presence, name, counts, marks, time and its last message")
  func twoLines() {
    let row = conversation { ($0.unread, $0.mentions, $0.isPinned) = (12, 1, true) }
    #expect(lines(row) == [" ● Bob                     @1 12 ▴ 14:05", "   See you at noon"])
  }

  @Test("a conversation fits on one line")
  func oneLine() {
    let row = conversation { $0.unread = 2 }
    #expect(lines(row, ListFlags(hasTwoLines: false)) == [" ● Bob  See you at noon          2 14:05"])
  }

  @Test("the second line says what is newest: typing, a draft, mine or another's message")
  func preview() {
    let draft = conversation { $0.draft = "Wait" }
    #expect(lines(draft)[1] == "   Draft: Wait")
    #expect(lines(draft, ListFlags(isTyping: true))[1] == "   is typing …")
    let mine = conversation { $0.last = LayoutSupport.message("Yes", mine: true, ["state": .string("failed")]) }
    #expect(lines(mine)[1] == "   You: ✗ Yes")
  }

  @Test("a muted conversation says so without colours")
  func muted() {
    #expect(
      lines(conversation { ($0.notify, $0.unread) = (.never, 3) })[0] == " ● Bob                     3 muted 14:05")
  }

  @Test("a selected row is marked, and its ground goes over the whole width")
  func selected() {
    let context = LayoutSupport.context(40)
    let lines = ListLayout.conversation(
      conversation(), presence: nil, lastDate: nil, today: today, ListFlags(isSelected: true), in: context)
    #expect(lines[0].plain == "▸  Bob")
    for line in lines {
      #expect(line.width == 40)
      #expect(line.cells.allSatisfy { $0.style.background == context.scheme[.selected].background })
    }
  }

  @Test("a nameless conversation shows its address, an imitating one shows both")
  func addresses() {
    #expect(lines(conversation { $0.name = "" })[0].hasPrefix(" ● bob@example.org"))
    #expect(lines(conversation(), ListFlags(showsAddress: true))[0].hasPrefix(" ● Bob <bob@example.org>"))
    #expect(lines(conversation(), ListFlags(showsAccount: true))[0].hasPrefix(" ● Bob home"))
  }

  @Test("rows fit into any width, and fill it", arguments: 0...60)
  func narrow(width: Int) {
    let context = LayoutSupport.context(width)
    let row = conversation { ($0.unread, $0.mentions, $0.isPinned, $0.notify) = (1200, 9, true, .never) }
    for flags in [ListFlags(), ListFlags(isSelected: true, hasTwoLines: false, showsAddress: true, showsAccount: true)]
    {
      let lines = ListLayout.conversation(
        row, presence: .busy, lastDate: today, today: today, flags, in: context)
      for line in lines { #expect(line.width == width) }
    }
  }
}
