import JSON
import Testing

@testable import TerminalUI

@Suite("Where a search looks")
struct SearchScopeTests {
  @Test("a search that is begun in a conversation looks there, and Tab or the same key widens it to all, and back")
  func searchScopes() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.press("F3")
    #expect(ui.shows("Search in Bob") && ui.shows("Enter searches · Tab all · Esc back"))
    ui.type("cake")
    ui.press("Enter")
    let narrow = ui.take("search")
    #expect(narrow?["in"]?.string == "bob@example.org" && narrow?["text"]?.string == "cake")
    ui.answer(narrow, final: #""ok":true,"more_before":false"#)
    #expect(ui.shows("Nothing found for “cake”") && ui.shows("▸ Search all messages"))
    ui.press("Tab")
    let wide = ui.take("search")
    #expect(wide?["text"]?.string == "cake" && wide?["in"] == nil)
    #expect(ui.shows("Search all messages") && ui.shows("Tab here") && !ui.shows("Search in"))
    ui.press("F3")
    #expect(ui.take("search")?["in"]?.string == "bob@example.org" && ui.shows("Search in Bob"))
  }

  @Test("a search that is opened again shows nothing of the one before, wherever that looked")
  func openedAgain() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.press("F3")
    ui.type("cake")
    ui.press("Enter")
    ui.answer(ui.take("search"), [#""message":\#(Harness.message(7, "the cake is ready"))"#])
    #expect(ui.shows("the cake is ready"))
    ui.press("Esc", "F3")
    #expect(!ui.shows("the cake is ready") && ui.shows("Search in Bob"))
    ui.type("cake")
    ui.press("Enter")
    #expect(ui.take("search")?["text"]?.string == "cake")
  }

  @Test("the choice below an empty result widens the search; an empty query searches nothing")
  func wideningSearch() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("/search")
    ui.press("Enter", "Tab")
    #expect(ui.shows("Search all messages") && ui.take("search") == nil)
    ui.press("Tab")
    ui.type("cake")
    ui.press("Enter")
    ui.answer(ui.take("search"), final: #""ok":true,"more_before":false"#)
    ui.press("Enter")
    let wide = ui.take("search")
    #expect(wide?["text"]?.string == "cake" && wide?["in"] == nil)
  }

  @Test("a search that is begun in the list looks in all conversations, and has no other place")
  func searchFromList() {
    let ui = Harness()
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    ui.press("F3")
    #expect(ui.shows("Search all messages") && !ui.shows("Tab"))
    ui.type("cake")
    ui.press("Tab")
    #expect(ui.take("search") == nil && ui.shows("Search all messages"))
  }
}
