import Clocks
import TerminalUI
import Testing

@Suite("The plain mode and changed messages")
struct PlainChangeTests {
  private let ui: PlainApplication
  private let now = Moment(instant: Instant(milliseconds: 0), wall: Harness.start)

  init() {
    let environment = ApplicationEnvironment(offset: { _ in 0 }, words: .english, token: "run", socket: "/s")
    ui = PlainApplication(environment, now: now)
    _ = say(#"{"confab":1,"log":"L","limits":{"text":60000}}"#)
    _ = ui.handle(.typed("/open bob@example.org"), at: now)
  }

  private func say(_ line: String) -> [String] { ui.handle(.lines([Array(line.utf8)]), at: now).lines }

  private func message(_ text: String, _ members: String, mine: Bool = false) -> String {
    Harness.message(4, text, mine: mine).replacing(#""opens_section""#, with: members + #","opens_section""#)
  }

  private func said(_ text: String, _ members: String, mine: Bool = false) -> [String] {
    say(#"{"event":"message","seq":5,"message":\#(message(text, members, mine: mine))}"#)
  }

  @Test("a message is said with what it answers, what is inside, its reactions, and that it was edited")
  func messages() {
    #expect(
      said("yes", #""reply_to":{"id":1,"from":"x","text":"lunch?\nnoon"},"edited":"2026-11-20T10:00:00.000Z""#)
        == [#"Bob: (reply to "lunch? noon") yes 10:00, edited #1"#])
    let forwarded = #""forwarded":[{"from":"zoe@example.org/x","time":"2026-11-20T09:30:00.000Z","text":"news"}]"#
    #expect(said("look", forwarded) == ["Bob: look (forwarded from zoe@example.org, 9:30: news) 10:00 #1"])
    let file = #""forwarded":[{"from":"zoe@example.org/x","text":"","attachments":[{"url":"x:y","name":"b.gif"}]}]"#
    #expect(said("look", file) == ["Bob: look (forwarded from zoe@example.org: [b.gif: file]) 10:00 #1"])
    #expect(said("/me waves", #""me":true"#) == ["* Bob waves 10:00 #1"])
    let reactions = #""reactions":[{"emoji":"👍","from":["a","b"],"mine":true},{"emoji":"🎂","from":["a"],"mine":false}]"#
    #expect(said("hi", reactions, mine: true) == ["me: hi 10:00, reactions: 👍 2 with mine, 🎂, sent #1"])
  }

  @Test("files are said with their names and what they are")
  func files() {
    let files =
      #""attachments":[{"name":"cat.gif","type":"image/gif","size":900,"animated":true},{"url":"https://x/y"}]"#
    #expect(said("look", files) == ["Bob: look [cat.gif: moving GIF, 900 bytes] [y: file] 10:00 #1"])
  }

  @Test("what becomes of a message in the open conversation is said")
  func changes() {
    _ = said("fien", #""x":1"#)
    func change(_ event: String, _ text: String, _ members: String) -> [String] {
      say(
        #"{"event":"\#(event)","seq":6,"conversation":"bob@example.org","id":4,"message":\#(message(text, members))}"#)
    }
    #expect(change("edit", "fine", #""edited":"2026-11-20T10:00:00.000Z""#) == ["Edited: Bob: fine 10:00, edited #1"])
    #expect(
      change("reaction", "fine", #""reactions":[{"emoji":"👍","from":["a"],"mine":false}]"#)
        == ["To Bob: fine, reactions: 👍 #1"])
    #expect(change("reaction", "fine", #""x":1"#) == ["No reactions any more to Bob: fine #1"])
    #expect(
      change("retract", "", #""retracted":{"by":"bob@example.org","reason":"typo"}"#)
        == ["Bob retracted this message: typo #1"])
    #expect(change("edit", "fien", #""x":1"#) == ["As it was before: Bob: fien 10:00 #1"], "the retraction was refused")
  }
}
