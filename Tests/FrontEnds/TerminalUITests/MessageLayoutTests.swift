import Clocks
import ConfabClient
import JSON
import Screen
import Testing

@testable import TerminalUI

struct MessageLayoutTests {
  private func styled(
    _ row: MessageRow, _ flags: MessageFlags = MessageFlags(), _ width: Int = 60, compact: Bool = false
  )
    -> [StyledLine]
  {
    MessageLayout.layOut(row, flags, date: LayoutSupport.date, in: LayoutSupport.context(width, compact: compact))
  }

  private func lines(
    _ row: MessageRow, _ flags: MessageFlags = MessageFlags(), _ width: Int = 60, compact: Bool = false
  )
    -> [String]
  {
    styled(row, flags, width, compact: compact).map(\.plain)
  }

  private func mine(_ text: String, _ state: String, _ members: [String: JSONValue] = [:]) -> MessageRow {
    LayoutSupport.message(text, mine: true, members.merging(["state": .string(state)]) { $1 })
  }

  @Test("a message of another's is a bubble at the left, below initials and name")
  func theirs() {
    let row = LayoutSupport.message("Shall we meet at noon?", ["nick": .string("Bob Miller")])
    #expect(lines(row) == ["  BM  Bob Miller", "  Shall we meet at noon?  14:05"])
    let edge = " " + String(repeating: "▄", count: 31)
    #expect(lines(row, MessageFlags(showsName: false, hasGap: true)) == [edge, "  Shall we meet at noon?  14:05"])
  }

  @Test("a name that imitates another's shows the address")
  func imitation() {
    let row = LayoutSupport.message("Hi", ["nick": .string("Alice")])
    #expect(lines(row, MessageFlags(showsAddress: true))[0] == "  AL  Alice <bob@example.org>")
    #expect(
      lines(row, MessageFlags(showsAddress: true), 20, compact: true) == [" <bob@example.org>", " Alice: Hi"])
    let long = LayoutSupport.message(
      "Hi", ["nick": .string("Alice"), "from": .string("alice@a-long-name.example.net.example.org")])
    #expect(
      lines(long, MessageFlags(showsAddress: true), 40) == [
        "  AL  Alice", "  <alice@a-long-", "  name.example.net.example.org>", "  Hi  14:05",
      ])
  }

  @Test(
    "a message of mine is a bubble at the right with the mark of its state",
    arguments: [
      ("queued", "14:05 … queued"), ("sent", "14:05 ✓"), ("delivered", "14:05 ✓✓"), ("displayed", "14:05 ✓✓ seen"),
      ("cancelled", "14:05 ✗ cancelled"),
    ])
  func states(state: String, tail: String) throws {
    let lines = styled(mine("Yes", state))
    try #require(lines.count == 1)
    #expect(lines[0].plain.hasSuffix("Yes  " + tail))
    // The bubble ends one column before the right edge.
    #expect(lines[0].width == 59)
    #expect(lines[0].cells.last?.style.background == ColourScheme(.dark)[.mine].background)
  }

  @Test(
    "my bubble begins eight columns further right than others', however long the text", arguments: [40, 60, 80, 200])
  func edges(width: Int) {
    let text = String(repeating: "word ", count: 100)
    let scheme = ColourScheme(.dark)
    for line in styled(mine(text, "sent"), MessageFlags(), width) {
      #expect(line.width == width - 1)
      #expect(line.cells.firstIndex { $0.style.background == scheme[.mine].background } ?? 0 >= 9)
    }
    for line in styled(LayoutSupport.message(text), MessageFlags(showsName: false), width) {
      #expect(line.width <= width - 9)
      #expect(line.cells.firstIndex { $0.style.background == scheme[.theirs].background } == 1)
    }
  }

  @Test("a failed message says why and what to do")
  func failed() {
    let failure = JSONValue.object([JSONMember("condition", .string("remote-server-not-found"))])
    #expect(
      lines(mine("Yes", "failed", ["failure": failure])) == [
        "                                       Yes  14:05 ✗ failed",
        "             Not delivered: there is no such server. Check",
        "                                              the address.",
      ])
  }

  @Test("a message that is kept back counts down")
  func held() {
    let row = mine("Yes", "queued", ["held_until": .string("2026-11-25T14:05:06.500Z")])
    let now: Int64 = 1_795_615_501
    #expect(row.countdown(at: now)?.seconds == 5)
    #expect(row.countdown(at: now + 5)?.seconds == 1)
    #expect(row.countdown(at: now + 6) == nil)
    let flags = MessageFlags(row, below: nil, now: now)
    #expect(
      lines(row, flags, compact: true) == [
        " 14:05 me: Yes … held", "       Leaves in 5 s; Alt-X takes it back.",
      ])
  }

  @Test(
    "a countdown shows minutes and hours before the last two minutes, and changes when another time is shown",
    arguments: [
      (1, "1 s", 1), (120, "120 s", 1), (121, "3 min", 1), (180, "3 min", 60), (181, "4 min", 1), (3600, "1 h", 60),
      (7199, "2 h", 59), (7200, "2 h", 60), (7201, "2 h 1 min", 1), (90_000, "25 h", 60),
      (172_800, "48 h", 60), (172_801, "3 days", 1), (259_200, "3 days", 86_400),
    ] as [(Int64, String, Int64)])
  func countdowns(seconds: Int64, words: String, change: Int64) {
    let countdown = Countdown(seconds: seconds)
    #expect(countdown.shown.words == words && countdown.secondsShown == change)
    if seconds > change { #expect(Countdown(seconds: seconds - change).shown != countdown.shown) }
    if change > 1 { #expect(Countdown(seconds: seconds - change + 1).shown == countdown.shown) }
  }

  @Test("a message in doubt says so")
  func doubt() {
    let row = mine("Yes", "sent", ["in_doubt": .bool(true)])
    #expect(lines(row, compact: true)[1] == "       May arrive twice: the connection broke while it was")
  }

  @Test("compact lines have the time in front and go on below the name")
  func compact() {
    let row = LayoutSupport.message("The quick brown fox jumps over the lazy dog", ["nick": .string("Bob")])
    #expect(
      lines(row, MessageFlags(), 40) == [
        "  BO  Bob", "  The quick brown fox jumps", "  over the lazy dog   14:05",
      ])
    #expect(
      lines(row, MessageFlags(), 30) == [
        " 14:05 Bob: The quick brown", "       fox jumps over the lazy", "       dog",
      ])
    #expect(
      lines(row, MessageFlags(showsName: false, isSelected: true), 40, compact: true) == [
        "▸14:05 The quick brown fox jumps over", "▸      the lazy dog",
      ])
    #expect(
      lines(row, MessageFlags(), 12) == [" Bob: The", " quick brown", " fox jumps", " over the", " lazy dog"])
  }

  @Test("the mark goes to a line of its own if the text fills the last one")
  func markBelow() {
    #expect(lines(mine("12345678901", "sent"), MessageFlags(showsName: false), 20, compact: true) == [" 12345678901 ✓"])
    #expect(
      lines(mine("123456789012345678", "sent"), MessageFlags(showsName: false), 20, compact: true) == [
        " 123456789012345678", " ✓",
      ])
  }

  @Test("subject, links and hits have their styles; a hit within a link stays a hit")
  func parts() throws {
    var row = LayoutSupport.message("see http://a.b/c now", ["subject": .string("Lunch")])
    row.hits = [4..<8, 17..<20]
    let context = LayoutSupport.context(60)
    let lines = MessageLayout.layOut(row, MessageFlags(showsName: false), date: LayoutSupport.date, in: context)
    try #require(lines.map(\.plain) == ["  Lunch", "  see http://a.b/c now  14:05"])
    let scheme = context.scheme
    func text(_ part: ColourPart, _ line: Int) -> String {
      lines[line].cells.filter { $0.style == scheme.style(part, on: .theirs) }.map(\.text).joined()
    }
    #expect(text(.subject, 0) == "Lunch")
    #expect(text(.hit, 1) == "httpnow")
    #expect(text(.link, 1) == "://a.b/c")
  }

  @Test("a new sender has a name and a gap; the same one has half a gap, and in the same minute no time")
  func neighbours() {
    let bob = LayoutSupport.message("one")
    let same = MessageFlags(
      LayoutSupport.message("two", ["from": .string("bob@example.org/laptop")]), below: bob, now: 0)
    #expect(!same.showsName && same.hasGap && !same.showsTime)
    var later = LayoutSupport.message("two")
    later.time = later.time.advanced(by: .minutes(1))
    #expect(MessageFlags(later, below: bob, now: 0).showsTime)
    #expect(!lines(bob, same).joined().contains("14:05") && lines(bob, same).joined().contains("one"))
    let other = MessageFlags(mine("three", "sent"), below: bob, now: 0)
    #expect(other.showsName && other.hasGap)
    let first = MessageFlags(bob, below: nil, now: 0)
    #expect(first.showsName && !first.hasGap)
  }

  @Test("without letters beyond ASCII, no mark has any")
  func ascii() {
    var context = LayoutSupport.context(60)
    context.symbols = .ascii
    let lines = MessageLayout.layOut(
      mine("Yes", "displayed"), MessageFlags(isSelected: true), date: LayoutSupport.date, in: context)
    #expect(lines.map(\.plain) == [">                                       Yes  14:05 vv seen"])
  }

  @Test("without a ground, a bubble has a bar at its outer edge; a selected one has its ground")
  func bars() {
    let context = LayoutSupport.context(40, .plain)
    func lines(_ row: MessageRow, _ flags: MessageFlags) -> [String] {
      MessageLayout.layOut(row, flags, date: LayoutSupport.date, in: context).map(\.plain)
    }
    #expect(lines(LayoutSupport.message("Hi"), MessageFlags(showsName: false)) == [" │Hi  14:05"])
    #expect(lines(mine("Hi", "sent"), MessageFlags()) == [String(repeating: " ", count: 27) + "Hi  14:05 ✓│"])
    #expect(lines(LayoutSupport.message("Hi"), MessageFlags(showsName: false, isSelected: true)) == ["▸ Hi  14:05"])
  }
}
