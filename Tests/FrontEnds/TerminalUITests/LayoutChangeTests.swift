import JSON
import Screen
import Testing

@testable import TerminalUI

/// Messages that were changed or that refer to others, as lines.
struct LayoutChangeTests {
  private func styled(
    _ text: String, mine: Bool = false, _ members: [String: JSONValue], width: Int = 60, compact: Bool = false
  ) -> [StyledLine] {
    var flags = MessageFlags(showsName: false)
    flags.answeredName = "Zoe"
    return MessageLayout.layOut(
      LayoutSupport.message(text, mine: mine, members), flags, date: LayoutSupport.date,
      in: LayoutSupport.context(width, compact: compact))
  }

  private func lines(
    _ text: String, mine: Bool = false, _ members: [String: JSONValue], width: Int = 60, compact: Bool = false
  ) -> [String] {
    styled(text, mine: mine, members, width: width, compact: compact).map(\.plain)
  }

  private static func object(_ members: [String: JSONValue]) -> JSONValue {
    .object(members.map { JSONMember($0.key, $0.value) })
  }

  private static func span(_ kind: String, _ start: Int64, _ end: Int64, _ target: String = "") -> JSONValue {
    object(["kind": .string(kind), "start": .integer(start), "end": .integer(end), "target": .string(target)])
  }

  private static let edited: [String: JSONValue] = ["edited": .string("2026-11-25T14:06:00.000Z")]
  private static let reply: [String: JSONValue] = [
    "reply_to": object(["id": .integer(7), "from": .string("zoe@example.org"), "text": .string("lunch?\nat noon")])
  ]

  @Test("an edited message says so beside its time")
  func editedMark() {
    #expect(lines("hello", Self.edited) == ["  hello  14:05 edited"])
    #expect(lines("hello", Self.edited, compact: true) == [" 14:05 hello edited"])
  }

  @Test("a retracted message is a line that says who retracted it and why, whatever its text was")
  func retracted() {
    func by(_ who: String, _ reason: String = "") -> [String: JSONValue] {
      ["retracted": Self.object(["by": .string(who), "reason": .string(reason)]), "nick": .string("Bob")]
    }
    #expect(lines("", by("bob@example.org")) == ["  Bob retracted this message.  14:05"])
    #expect(lines("", by("bob@example.org"), compact: true) == [" 14:05 Bob retracted this message."])
    #expect(lines("", mine: true, by("alice@example.org"))[0].hasSuffix("You retracted this message.  14:05"))
    #expect(
      lines("", by("mod@example.org", "off\ntopic"), compact: true)[0].hasSuffix("retracted this message: off topic"))
    #expect(styled("", by("bob@example.org"))[0].cells.allSatisfy { $0.style.background == .standard })
  }

  @Test("what a message answers stands on one line above it")
  func answered() {
    #expect(lines("yes", Self.reply) == ["  ┆ Zoe: lunch? at noon", "  yes             14:05"])
    #expect(lines("yes", Self.reply, compact: true) == ["       ┆ Zoe: lunch? at noon", " 14:05 yes"])
    let long = Self.object(["text": .string(String(repeating: "long ", count: 100))])
    #expect(lines("yes", ["reply_to": long], width: 50).map(\.count).max() ?? 99 <= 50)
  }

  @Test("reactions are chips below the message, mine in brackets; of a thousand emoji three lines are shown")
  func reactions() {
    func reaction(_ emoji: String, _ people: Int, mine: Bool) -> JSONValue {
      let from = (0..<people).map { JSONValue.string("p\($0)@example.org") }
      return Self.object(["emoji": .string(emoji), "from": .array(from), "mine": .bool(mine)])
    }
    let two: JSONValue = .array([reaction("👍", 2, mine: true), reaction("🎂", 1, mine: false)])
    #expect(lines("hi", ["reactions": two]) == ["  hi  14:05", " [👍 2]  🎂"])
    #expect(lines("hi", ["reactions": two], compact: true) == [" 14:05 hi", "       [👍 2]  🎂"])
    let mine = lines("hi", mine: true, ["reactions": two, "state": .string("sent")])
    #expect(mine[1].hasSuffix("[👍 2]  🎂") && mine[1].hasPrefix("     "))
    let many: JSONValue = .array((0..<1000).map { reaction("x\($0)", 1, mine: false) })
    let shown = lines("hi", ["reactions": many])
    #expect(shown.count == 5)
    #expect(shown[4].contains("more"))
  }

  @Test("forwarded messages stand inside with author and time, three deep")
  func forwarded() {
    func message(_ depth: Int) -> JSONValue {
      Self.object([
        "from": .string("a\(depth)@example.org/x"), "time": .string("2026-11-25T09:30:00.000Z"),
        "text": .string("text \(depth)"), "forwarded": depth < 10 ? .array([message(depth + 1)]) : .array([]),
      ])
    }
    #expect(
      lines("look", ["forwarded": .array([message(1)])]) == [
        "  look", "  ┆ Forwarded from a1@example.org, 9:30", "  ┆ text 1",
        "  ┆ ┆ Forwarded from a2@example.org, 9:30", "  ┆ ┆ text 2",
        "  ┆ ┆ ┆ Forwarded from a3@example.org, 9:30", "  ┆ ┆ ┆ text 3                        14:05",
      ])
    let alone = Self.object(["from": .string(""), "text": .string("x")])
    #expect(
      lines("", ["forwarded": .array([alone])], compact: true)
        == [" 14:05 ┆ Forwarded from an unknown author", "       ┆ x"])
  }

  @Test("an action is a line with the author's name, without bubble")
  func action() {
    let members: [String: JSONValue] = ["me": .bool(true), "nick": .string("Bob")]
    #expect(lines("/me waves", members) == ["  * Bob waves  14:05"])
    #expect(lines("/me waves", members, compact: true) == [" 14:05 * Bob waves"])
    #expect(lines("/me waves", mine: true, members)[0].contains("* alice waves  14:05"))
    #expect(styled("/me waves", members)[0].cells.allSatisfy { $0.style.background == .standard })
  }

  @Test("styling keeps its marks and looks like what it says, one kind within another")
  func styling() throws {
    let spans: JSONValue = .array([
      Self.span("strong", 0, 9), Self.span("emphasis", 3, 6), Self.span("strike", 10, 13), Self.span("code", 14, 17),
    ])
    let line = try #require(styled("*a _b_ c* ~d~ `e`", ["spans": spans]).first)
    #expect(line.plain.hasPrefix("  *a _b_ c* ~d~ `e`"))
    let styles = line.cells.dropFirst(2).map(\.style)
    #expect(styles[0].attributes == .bold && styles[4].attributes == [.bold, .italic])
    #expect(styles[11].attributes == .strike && styles[9].attributes == [])
    #expect(styles[15].foreground == ColourScheme(.dark)[.code].foreground)
  }

  @Test("an emoticon is shown as what it stands for, and marks behind it move along")
  func emoticons() throws {
    let spans: JSONValue = .array([
      Self.span("emoticon", 0, 8, "🚀"), Self.span("link", 9, 19, "http://a.b"),
      Self.span("emoticon", 20, 23, "/usr/share/x.png"),
    ])
    let line = try #require(styled(":rocket: http://a.b [x]", ["spans": spans]).first)
    #expect(line.plain.hasPrefix("  🚀 http://a.b [x]"))
    let scheme = ColourScheme(.dark)
    #expect(line.cells[5].style == scheme.style(.link, on: .theirs))
    #expect(line.cells[4].style == scheme[.theirs])
    #expect(line.cells[16].style == scheme.style(.emoticon, on: .theirs))
  }

  @Test("hits within an emoticon mark what is shown of it")
  func hits() throws {
    let hit: JSONValue = .array([.array([.integer(5), .integer(9)])])
    let spans: JSONValue = .array([Self.span("emoticon", 2, 10, "🚀")])
    let line = try #require(styled("a :rocket: b", ["spans": spans, "hits": hit]).first)
    #expect(line.cells[4].style == ColourScheme(.dark).style(.hit, on: .theirs))
    #expect(line.cells[7].style == ColourScheme(.dark)[.theirs])
  }

  @Test("spans that cannot be are left out")
  func hostileSpans() {
    let spans: JSONValue = .array([
      Self.span("strong", 0, 90), Self.span("link", 3, 3), Self.span("code", -1, 2), Self.span("wobble", 0, 1),
      Self.span("emoticon", 0, 4, "🚀"), Self.span("emoticon", 2, 5, "🎂"), .string("x"),
    ])
    #expect(lines("hello", ["spans": spans]) == ["  🚀o  14:05"])
    #expect(lines("/me", ["me": .bool(true)]) == ["  /me  14:05"])
  }
}
