import Clocks
import ConfabClient
import JSON
import TerminalUI
import Testing

/// What the command line writes for eyes, the plain mode says in words.
@Suite("One format of messages and conversations")
struct SharedFormatTests {
  private let clock = LocalClock(offset: { _ in 0 })

  private func row(_ members: String, mine: Bool = false, state: String = "sent") throws -> MessageRow {
    let line = Harness.message(7, "hi", mine: mine, state: state).replacing(
      #""opens_section""#, with: members + #","opens_section""#)
    return try #require(MessageRow(try JSONParser.parse(Array(line.utf8), maximumDepth: 9)))
  }

  @Test(
    "no outcome of a message is a mark only in the spoken style, and each has its mark in the other",
    arguments: [
      ("sent", "me: hi ✓", "me: hi 10:00, sent"), ("delivered", "me: hi ✓✓", "me: hi 10:00, delivered"),
      ("displayed", "me: hi ✓✓ seen", "me: hi 10:00, displayed"), ("queued", "me: hi …", "me: hi 10:00, queued"),
    ])
  func outcomes(state: String, shown: String, said: String) throws {
    let row = try row(#""x":1"#, mine: true, state: state)
    #expect(MessageFormat(style: TextStyle(hasColour: false), clock: clock).oneLine(row) == shown)
    #expect(MessageFormat(style: .spoken, clock: clock).spoken(row, at: "10:00") == said)
  }

  @Test("a failure is one sentence in both styles, and the one for eyes has the condition too")
  func failure() throws {
    let row = try row(#""failure":{"condition":"gone","text":"moved"}"#, mine: true, state: "failed")
    let sentence = "Not delivered: the address has moved. Ask for the new one."
    #expect(
      MessageFormat(style: TextStyle(hasColour: false), clock: clock).oneLine(row)
        == "me: hi ✗ \(sentence) (gone: moved)")
    #expect(
      MessageFormat(style: .spoken, clock: clock).spoken(row, at: "10:00")
        == "me: hi 10:00, failed. \(sentence) (moved)")
  }

  @Test("an emoticon that stands for characters, a message inside another one inside, and its files are written")
  func inside() throws {
    let deep =
      #"{"from":"z@x/r","time":"2026-11-19T09:30:00.000Z","text":"deep","attachments":[{"url":"https://x/y"}]}"#
    let row = try row(
      #""spans":[{"kind":"emoticon","start":0,"end":2,"target":"👋"}],"forwarded":[{"text":"outer","forwarded":[\#(deep)]}]"#
    )
    #expect(
      MessageFormat(style: TextStyle(hasColour: false), clock: clock).oneLine(row)
        == "Bob: 👋 (forwarded from an unknown author: outer (forwarded from z@x, 2026-11-19 09:30: deep [y: file]))")
  }

  @Test("text of the network is clean in each part of a line")
  func clean() throws {
    let evil = #"\u001b[31m\u202e"#
    var row = try row(
      #""subject":"\#(evil)","reply_to":{"text":"\#(evil)"},"reactions":[{"emoji":"\#(evil)"}],"#
        + #""forwarded":[{"from":"\#(evil)","text":"\#(evil)","attachments":[{"name":"\#(evil)","type":"\#(evil)"}]}]"#)
    row.nick = "\u{1B}[31m\u{202E}"
    let retracted = try self.row(#""retracted":{"by":"\#(evil)","reason":"\#(evil)"}"#)
    let failed = try self.row(#""failure":{"condition":"\#(evil)","text":"\#(evil)"}"#, mine: true, state: "failed")
    for style in [TextStyle(hasColour: false), .spoken] {
      let format = MessageFormat(style: style, clock: clock)
      for row in [row, retracted, failed] {
        for line in [format.oneLine(row), format.spoken(row, at: ""), format.lines(row, indent: 2), format.found(row)] {
          #expect(!line.unicodeScalars.contains(where: TerminalText.isForbidden))
        }
      }
    }
  }

  @Test("a conversation is a row in columns, or a sentence that begins with who it is")
  func conversation() throws {
    let line = Harness.conversation("bob@example.org", name: "Bob", unread: 2).replacing(
      #""draft""#, with: #""pinned":true,"notify":"never","draft""#)
    let row = try #require(ConversationRow(try JSONParser.parse(Array(line.utf8), maximumDepth: 9)))
    #expect(
      RowFormat(style: TextStyle(hasColour: false), clock: clock).conversation(row)
        .hasSuffix("Bob <bob@example.org>  [pinned, muted]"))
    #expect(
      RowFormat(style: .spoken, clock: clock).conversation(row) == "Bob, bob@example.org, 2 unread, pinned, muted")
  }
}
