import JSON
import Screen
import Testing

@testable import TerminalUI

@Suite("The mouse in a conversation")
struct MouseTests {
  private static let link = "https://example.org/a/very/long/path/that/does/not/fit/on/one/line/of/a/bubble"

  private static func span(_ part: String, _ kind: String, _ target: String, in text: String) -> String {
    let start = text[..<(text.firstRange(of: part)?.lowerBound ?? text.startIndex)].unicodeScalars.count
    return
      #"{"start":\#(start),"end":\#(start + part.unicodeScalars.count),"kind":"\#(kind)","target":"\#(target)"}"#
  }

  private func opened(_ text: String, _ spans: [String]) -> Harness {
    let ui = Harness.opened()
    ui.answerHistory([
      Harness.message(1, "before", opens: true),
      Harness.message(2, text).replacing(
        #""opens_section""#, with: #""spans":[\#(spans.joined(separator: ","))],"opens_section""#),
    ])
    ui.forgetRequests()
    return ui
  }

  private func marked() -> Harness {
    let text = "谢谢 see \(Self.link) @zoe about #cake"
    return opened(
      text,
      [
        Self.span(Self.link, "link", Self.link, in: text), Self.span("@zoe", "mention", "zoe@example.org", in: text),
        Self.span("#cake", "topic", "cake", in: text),
      ])
  }

  /// Sends the bytes of a click (mode 1006) on the first place of a text on the screen.
  private func click(_ text: String, _ ui: Harness) throws {
    let letters = Array(text)
    let cells = ui.app.frame()
    let place = try #require(
      (0..<cells.height).lazy.compactMap { line -> (line: Int, column: Int)? in
        let texts = cells.cells(line: line).map(\.text)
        return texts.indices.first {
          texts[$0...].lazy.filter { !$0.isEmpty }.prefix(letters.count).elementsEqual(letters.map(String.init))
        }
        .map { (line, $0) }
      }.first)
    send("\u{1B}[<0;\(place.column + 1);\(place.line + 1)M\u{1B}[<0;\(place.column + 1);\(place.line + 1)m", ui)
  }

  private func send(_ bytes: String, _ ui: Harness) {
    var decoder = InputDecoder()
    var events: [InputEvent] = []
    decoder.receive(Array(bytes.utf8), into: &events)
    for event in events { ui.handle(.input(event)) }
  }

  @Test("a click on a link offers to open, copy or search for it; a second click does that, without a shell")
  func link() throws {
    let ui = marked()
    try click("https", ui)
    #expect(ui.shows("opens the link") && ui.shows("Copy it") && ui.shows("Search for it"))
    try click("Copy it", ui)
    #expect(ui.actions.contains(.copy(Self.link)) && ui.app.screen.popups.isEmpty)
    try click("bubble", ui)
    ui.press("Enter")
    #expect(ui.actions.contains(.run(["xdg-open", Self.link])), "its second line is the link as well")
    try click("https", ui)
    try click("Search for it", ui)
    #expect(ui.take("search")?["text"]?.string == Self.link)
  }

  @Test("a click on a topic searches for it, one on a mention opens the conversation")
  func others() throws {
    let ui = marked()
    try click("#cake", ui)
    #expect(ui.shows("searches for the topic") && !ui.shows("Search for it"))
    ui.press("Enter")
    #expect(ui.take("search")?["text"]?.string == "cake")
    ui.press("Esc")
    try click("@zoe", ui)
    ui.press("Enter")
    #expect(ui.take("history")?["jid"]?.string == "zoe@example.org")
  }

  @Test("beside them a click selects the message, and one on the input does nothing to it")
  func beside() throws {
    let ui = marked()
    try click("about", ui)
    #expect(ui.app.screen.focused?.selected == 2 && ui.app.screen.popups.isEmpty)
    try click("before", ui)
    #expect(ui.app.screen.focused?.selected == 1)
    try click("Write to Bob", ui)
    #expect(ui.app.screen.focused?.selected == 1)
  }

  @Test("links that the daemon has not marked, and those among letters from right to left, are found as well")
  func unmarked() throws {
    let ui = Harness.opened()
    ui.answerHistory([Harness.message(1, "שלום https://example.org/x עולם", opens: true)])
    try click("https", ui)
    ui.press("Enter")
    #expect(ui.actions.contains(.run(["xdg-open", "https://example.org/x"])))
  }

  @Test("a click on a thousand links finds the one that was meant")
  func many() throws {
    let ui = Harness.opened(columns: 120, lines: 40)
    ui.answerHistory([
      Harness.message(1, (0..<1000).map { "http://a.example/\($0)" }.joined(separator: " "), opens: true)
    ])
    ui.press("Alt-O")
    try click("http", ui)
    let shown = ui.screen.joined(separator: " ").split(separator: " ").first { $0.hasPrefix("http") }
    ui.press("Enter")
    #expect(
      ui.actions.contains { if case .run(let words) = $0 { shown.map(String.init) == words.last } else { false } })
  }
}
