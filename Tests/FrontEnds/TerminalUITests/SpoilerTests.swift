import ConfabClient
import JSON
import Testing

@testable import TerminalUI

/// Texts that are closed, or look like nothing.
@Suite("Spoilers, and texts that look like nothing")
struct SpoilerTests {
  private static func message(_ id: UInt64, _ text: String, _ member: String) -> String {
    Harness.message(id, text).replacing(#""mine":"#, with: member + #","mine":"#)
  }

  @Test("A spoiler shows its hint until a key opens it, and closes again")
  func spoiler() {
    let ui = Harness()
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    ui.press("Enter")
    ui.answerHistory([Self.message(1, "he dies", #""spoiler":"the end""#)])
    #expect(ui.shows("(spoiler: the end; Alt-O opens)") && !ui.shows("he dies"))
    ui.press("Alt-O")
    #expect(ui.shows("he dies") && !ui.shows("spoiler"))
    ui.press("Alt-O")
    #expect(!ui.shows("he dies"))
  }

  @Test("The list of conversations shows no more of a spoiler than its hint")
  func preview() {
    #expect(LayoutSupport.message("he dies", ["spoiler": .string("the end")]).preview == "spoiler: the end")
    #expect(LayoutSupport.message("he dies", ["spoiler": .string("")]).preview == "spoiler")
  }

  @Test("A message that cannot be read shows the words for it")
  func unreadable() {
    let encrypted = JSONValue.object([
      JSONMember("scheme", .string("omemo")), JSONMember("error", .string("unknown-scheme")),
    ])
    let row = LayoutSupport.message("", ["encrypted": encrypted, "plain": .string("Encrypted with OMEMO.")])
    #expect(row.text == "Encrypted with OMEMO." && row.preview == "Encrypted with OMEMO.")
  }

  @Test(
    "A text of characters without a look shows marks, and a joiner in a text does not",
    arguments: [
      ("\u{200B}", "\u{FFFD}"), ("\u{2060} \u{200D}", "\u{FFFD} \u{FFFD}"), ("a\u{200B}", "a\u{200B}"), (" ", " "),
      ("", ""),
    ])
  func invisible(_ text: String, _ shown: String) {
    let row = LayoutSupport.message(text, [:])
    #expect(RowText(row, name: "Bob", opener: nil).text == shown)
  }
}
