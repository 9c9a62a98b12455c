import ConfabClient
import JSON
import Testing

@testable import TerminalUI

@Suite("Files that are being fetched")
struct FileFetchTests {
  private let ui = Harness.opened()

  /// Bob's message 1 has as many files as a message has at most.
  init() {
    let files = (1...9).map { #"{"url":"https://x/\#($0)","name":"\#($0).png","type":"image/png","size":900}"# }
    let all = #""attachments":[\#(files.joined(separator: ","))]"#
    ui.answerHistory([
      Harness.message(1, "look", opens: true).replacing(#""opens_section""#, with: all + #","opens_section""#)
    ])
  }

  private static let bob = ConversationKey(account: "", jid: "bob@example.org")

  private static func wanted(_ id: Int) -> WantedFile {
    WantedFile(message: UInt64(id), index: 0, file: ShownAttachment(.object([])), use: .open)
  }

  private func transfer(_ index: Int, _ members: String) {
    ui.line(#"{"event":"transfer","conversation":"bob@example.org","id":1,"index":\#(index),\#(members)}"#)
  }

  /// Opens the first file by keys.
  private func open() { ui.press("C-x p", "Enter", "Down", "Down", "Down", "Enter") }

  @Test("the box of a file shows how far it is, and what it is once it is here")
  func progress() {
    open()
    let fetch = ui.take("fetch")
    #expect(fetch?["index"]?.integer == 0)
    #expect(ui.screen.contains { $0.contains("│ Fetching ") })
    transfer(0, #""done":0"#)
    #expect(ui.screen.contains { $0.contains("│ Fetching  ") })
    transfer(0, #""done":300,"total":600"#)
    #expect(ui.shows("│ Fetching 50 % of"))
    transfer(1, #""done":300,"total":600"#)
    #expect(ui.screen.filter { $0.contains("│ Fetching") }.count == 1)
    ui.press("C-x p", "Enter")
    #expect(ui.shows("Fetching 50 % of 600 bytes"))
    ui.press("Esc", "Esc")
    ui.answer(fetch, final: #""ok":true,"type":"image/png","size":600"#)
    #expect(!ui.shows("│ Fetching"))
    transfer(0, #""done":600,"total":600"#)
    #expect(!ui.shows("│ Fetching"))
  }

  @Test("a file that could not be had says why in its box, until the same keys have got it")
  func failure() {
    open()
    ui.answer(ui.take("fetch"), final: #""ok":false,"error":"failed","reason":"404""#)
    #expect(ui.shows("│ Not fetched: 404"))
    ui.press("C-x p", "Enter")
    #expect(ui.shows("Not fetched: 404"))
    ui.press("Esc", "Esc")
    open()
    #expect(!ui.shows("Not fetched"))
    ui.answer(ui.take("fetch"), final: #""ok":true,"type":"image/png","size":600"#)
    #expect(!ui.shows("Not fetched"))
  }

  @Test("a wish that is pressed twice is one; a cut ends all of them, and they can be wished for again")
  func twice() {
    open()
    open()
    #expect(ui.takeAll("fetch").count == 1)
    ui.handle(.disconnected("the daemon ended"))
    #expect(ui.shows("│ Not fetched: the"))
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    #expect(ui.take("fetch") == nil)
    open()
    #expect(ui.take("fetch") != nil)
  }

  @Test("a key stops the files of a message, and the menu one; what comes of them then is nothing to the person")
  func stopping() {
    open()
    let fetch = ui.take("fetch")
    ui.press("C-x p", "Enter")
    #expect(ui.shows("Stop it"))
    ui.press("Down", "Down", "Down", "Down", "Down", "Down", "Enter")
    let stop = ui.take("fetch-stop")
    #expect(stop?["id"]?.integer == 1 && stop?["index"]?.integer == 0)
    #expect(ui.shows("Stopped.") && !ui.shows("│ Fetching"))
    ui.answer(stop)
    ui.answer(fetch, final: #""ok":false,"error":"failed","reason":"this connection stopped it""#)
    #expect(!ui.shows("not fetched") && !ui.shows("Not fetched"))
    open()
    let second = ui.take("fetch")
    ui.press("Alt-X")
    #expect(ui.take("fetch-stop")?["index"]?.integer == 0 && !ui.shows("│ Fetching"))
    open()
    #expect(ui.take("fetch") != nil && ui.shows("│ Fetching"))
    ui.answer(second, final: #""ok":true,"type":"image/png","size":600"#)
    #expect(ui.actions.isEmpty && ui.shows("│ Fetching"))
  }

  @Test("all files of a message are stopped by one key, also those that were not asked for yet")
  func stoppingAll() {
    ui.press("C-x p", "Enter", "Down", "Enter")
    #expect(ui.takeAll("fetch").count == 9)
    ui.press("Alt-X")
    #expect(Set(ui.takeAll("fetch-stop").map { $0["index"]?.integer }) == Set(0..<9))
    #expect(!ui.shows("│ Fetching"))
    var fetches = FileFetches()
    _ = fetches.add(Self.wanted(1), Self.bob)
    let isAsked = fetches.stop(1, 0)
    #expect(!isAsked && fetches.next() == nil)
  }

  @Test("a dozen files at a time are asked for, the next ones as those come")
  func bound() {
    var fetches = FileFetches()
    for id in 1...20 { _ = fetches.add(Self.wanted(id), Self.bob) }
    let asked = (1...20).compactMap { _ in fetches.next()?.0.message }
    #expect(asked == Array(1...12))
    let isWaited = fetches.end(Self.wanted(5))
    #expect(isWaited && fetches.next()?.0.message == 13 && fetches.next() == nil)
    _ = fetches.end(Self.wanted(6), failure: "404")
    #expect(fetches.next()?.0.message == 14 && fetches.states(of: 15) == [0: .fetching(nil)])
  }

  @Test("failures are kept for the newest files only")
  func kept() {
    var fetches = FileFetches()
    for id in 1...200 {
      _ = fetches.add(Self.wanted(id), Self.bob)
      _ = fetches.next()
      _ = fetches.end(Self.wanted(id), failure: "404")
    }
    #expect(fetches.states(of: 1).isEmpty && fetches.states(of: 200) == [0: .notFetched("404")])
  }
}
