import JSON
import TerminalUI
import Testing

@Suite("How far files of mine have got")
struct FileProgressTests {
  private let ui = Harness.opened()

  init() {
    let files = #""attachments":[{"name":"a.png"},{"name":"b.png"}]"#
    ui.answerHistory([
      Harness.message(7, "look", mine: true, opens: true, state: "queued")
        .replacing(#""opens_section""#, with: files + #","opens_section""#)
    ])
  }

  private func transfer(_ id: Int, _ members: String) {
    ui.line(#"{"event":"transfer","conversation":"bob@example.org","id":\#(id),\#(members)}"#)
  }

  @Test("the progress stands below the message until it is sent")
  func progress() {
    transfer(7, #""index":1,"done":500000,"total":1000000"#)
    #expect(ui.shows("Sending file 2 of 2: 50 % of 976 KiB"))
    transfer(7, #""index":1,"done":600000"#)
    #expect(ui.shows("Sending file 2 of 2: 585 KiB"))
    ui.line(#"{"event":"state","conversation":"bob@example.org","id":7,"state":"sent"}"#)
    #expect(!ui.shows("Sending"))
    transfer(7, #""index":1,"done":1000000,"total":1000000"#)
    #expect(!ui.shows("Sending"))
  }

  @Test("the menu of a file that is being sent says how far it is, and takes the message back")
  func cancelling() {
    transfer(7, #""index":1,"done":500000,"total":1000000"#)
    ui.press("Alt-Up", "C-x p", "Enter")
    #expect(ui.screen.filter { $0.contains("Sending file 2 of 2: 50 %") }.count == 2)
    ui.press("Down", "Enter")
    #expect(ui.take("cancel")?["id"]?.integer == 7)
    ui.line(#"{"event":"state","conversation":"bob@example.org","id":7,"state":"failed"}"#)
    ui.press("C-x p", "Enter")
    #expect(ui.shows("Choose the file again"))
  }

  @Test("an upload that failed says why; a transfer of another message, or of nonsense, changes nothing")
  func failed() {
    transfer(8, #""index":0,"done":1,"total":2"#)
    transfer(7, #""index":0,"done":"x""#)
    #expect(!ui.shows("Sending"))
    transfer(7, #""index":0,"done":5,"total":0"#)
    #expect(ui.shows("Sending file 1 of 2: 5 bytes"))
    ui.line(
      #"{"event":"state","conversation":"bob@example.org","id":7,"state":"failed","#
        + #""failure":{"condition":"policy-violation","text":"too many files"}}"#)
    #expect(!ui.shows("Sending"))
    #expect(ui.shows("failed"))
    #expect(ui.shows("Not sent: too many files."))
  }

  @Test("files that were not sent say in their boxes how to send them again; nothing is known of their paths")
  func unsent() {
    ui.line(#"{"event":"state","conversation":"bob@example.org","id":7,"state":"failed"}"#)
    #expect(ui.shows("│ Not sent; /file sends them"))
    ui.press("C-x p", "Enter")
    #expect(ui.shows("Choose the file again …") && ui.shows("it was not sent, and no copy is kept"))
    ui.press("Enter")
    #expect(ui.actions.last == .list("~"))
  }

  @Test("files that were sent from here go again as a new message, with their text, by the menu of the failed one")
  func again() throws {
    ui.type("/file /tmp/a.png /tmp/b.png look")
    ui.press("Enter")
    guard case .pass(let first)? = ui.actions.last else { return #expect(Bool(false)) }
    let tag = try #require(try? JSONParser.parse(first.bytes.dropLast(), maximumDepth: 4)["tag"]?.integer)
    ui.line(#"{"ok":true,"id":7,"state":"queued","tag":\#(tag)}"#)
    ui.line(#"{"event":"state","conversation":"bob@example.org","id":7,"state":"failed"}"#)
    #expect(ui.shows("│ Not sent; Alt-Shift-A sends"))
    ui.press("C-x p", "Enter")
    #expect(ui.shows("Send all 2 files again") && ui.shows("as a new message: /tmp/a.png /tmp/b.png"))
    ui.press("Enter")
    guard case .pass(let second)? = ui.actions.last else { return #expect(Bool(false)) }
    #expect(second.paths == first.paths && second.message != first.message)
    #expect(String(decoding: second.bytes, as: UTF8.self).contains(#""text":"look""#))
  }
}
