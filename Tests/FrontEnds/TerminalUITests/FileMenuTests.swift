import ConfabClient
import JSON
import Testing

@testable import TerminalUI

@Suite("What can be done with files of messages")
struct FileMenuTests {
  private func opened(_ files: [String]) -> Harness {
    let ui = Harness.opened()
    let all = #""attachments":[\#(files.joined(separator: ","))]"#
    ui.answerHistory([
      Harness.message(1, "look", opens: true).replacing(#""opens_section""#, with: all + #","opens_section""#)
    ])
    return ui
  }

  private static let cat = #"{"url":"https://example.org/cat","name":"cat.gif","type":"image/gif","size":900}"#
  private static let dog = #"{"url":"https://example.org/dog","name":"../.dog","type":"image/png","size":901}"#

  /// The file that the UI wants to keep.
  private func kept(_ ui: Harness) -> WantedFile? {
    guard case .keep(let file)? = ui.actions.last else { return nil }
    return file
  }

  @Test("nothing is fetched before a person chooses it; then the file is opened")
  func opening() {
    let ui = opened([Self.cat])
    #expect(ui.take("fetch") == nil)
    ui.press("C-x p")
    #expect(ui.shows("cat.gif: GIF, 900 bytes") && ui.shows("Open it"))
    #expect(ui.take("fetch") == nil)
    ui.press("Down", "Down", "Enter")
    #expect(ui.shows("Fetching cat.gif"))
    let fetch = ui.take("fetch")
    #expect(fetch?["id"]?.integer == 1 && fetch?["index"]?.integer == 0)
    #expect(ui.actions.isEmpty)
    ui.answer(fetch, final: #""ok":true,"type":"image/png","size":5,"name":"cat.gif""#)
    #expect(kept(ui)?.use == .open && kept(ui)?.file.safeEnding == "png", "by its bytes")
  }

  @Test("files of a message inside are fetched, opened and saved like its own, by the numbers behind those")
  func inside() {
    let ui = Harness.opened()
    let inside = #""forwarded":[{"from":"a@x","text":"","attachments":[\#(Self.dog)]}]"#
    ui.answerHistory([
      Harness.message(1, "look", opens: true)
        .replacing(#""opens_section""#, with: #""attachments":[\#(Self.cat)],\#(inside),"opens_section""#)
    ])
    #expect(ui.shows("[2 ../.dog: PNG, 901 bytes]"))
    ui.type("/save 2 dog")
    ui.press("Enter")
    let fetch = ui.take("fetch")
    #expect(fetch?["id"]?.integer == 1 && fetch?["index"]?.integer == 1)
    ui.answer(fetch, final: #""ok":true,"type":"image/png","size":5,"width":4,"height":3"#)
    #expect(kept(ui)?.use == .save("dog") && ui.shows("[2 ../.dog: PNG, 4x3, 5 bytes]"))
    ui.press("C-x p", "Down", "Enter", "Down", "Down", "Down", "Enter")
    #expect(ui.take("fetch")?["index"]?.integer == 1)
  }

  @Test("a message of files alone has no text to copy")
  func noText() {
    let ui = Harness.opened()
    let message = Harness.message(1, "", opens: true).replacing(
      #""opens_section""#, with: #""attachments":[\#(Self.cat)],"opens_section""#)
    ui.answerHistory([message])
    ui.press("Alt-W")
    #expect(ui.shows("The message has no text.") && !ui.actions.contains(.copy("")))
  }

  @Test("the box of a file that is here says what its bytes are")
  func bytes() {
    let ui = opened([Self.cat])
    #expect(ui.shows("│ GIF, 900 bytes"))
    ui.press("C-x p", "Down", "Down", "Enter")
    ui.answer(
      ui.take("fetch"), final: #""ok":true,"type":"image/gif","size":900,"width":4,"height":3,"animated":true"#)
    #expect(ui.shows("│ moving GIF, 4x3, 900 bytes"))
  }

  @Test("a file is saved under a name that is asked for, and its address copied")
  func saving() {
    let ui = opened([Self.cat, Self.dog])
    ui.press("Alt-Up", "Enter", "Down", "Enter", "Down", "Down", "Down", "Down", "Enter")
    #expect(ui.shows("Save ../.dog as") && ui.shows("~/dog"))
    ui.press("Enter")
    let fetch = ui.take("fetch")
    #expect(fetch?["index"]?.integer == 1)
    ui.answer(fetch, final: #""ok":true,"type":"image/png","size":5"#)
    #expect(kept(ui)?.use == .save("~/dog"))
    ui.press("C-x p", "Enter", "Down", "Down", "Down", "Down", "Down", "Enter")
    #expect(ui.actions.last == .copy("https://example.org/cat"))
  }

  @Test(
    "a name from elsewhere is saved as nothing but a name",
    arguments: [
      ("-rf", "_rf"), ("~", "_"), ("~root", "_root"), ("..-rf", "_rf"), ("/-rf", "_rf"), ("-\u{301}", "_\u{301}"),
      (".bashrc", "bashrc"), ("../", "file"), ("a-b~", "a-b~"), ("", "unnamed file"),
    ])
  func names(name: String, saved: String) {
    #expect(ShownAttachment(.object([JSONMember("name", .string(name))])).fileName == saved)
  }

  @Test("/save takes the number of the file and a path; a refusal is a sentence")
  func command() {
    let ui = opened([Self.cat, Self.dog])
    ui.type("/save x.gif")
    ui.press("Enter")
    #expect(ui.shows("The message has 2 files: /save NUMBER PATH.") && ui.take("fetch") == nil)
    ui.type("/save 3 x.gif")
    ui.press("Enter")
    #expect(ui.shows("The message has no file 3."))
    ui.type("/save 2 'my dog'")
    ui.press("Enter")
    let fetch = ui.take("fetch")
    #expect(fetch?["index"]?.integer == 1)
    ui.answer(fetch, final: #""ok":false,"error":"not-allowed","reason":"the address is a private one""#)
    #expect(ui.shows("../.dog was not fetched: the address is a private one") && kept(ui) == nil)
  }

  @Test("a file of mine can be shown and saved once it is sent, also in the pop-up that is open")
  func sent() {
    let ui = Harness.opened()
    let message = { (file: String, state: String) in
      Harness.message(1, "look", mine: true, opens: true, state: state)
        .replacing(#""opens_section""#, with: #""attachments":[\#(file)],"opens_section""#)
    }
    ui.answerHistory([message(#"{"name":"cat.gif","type":"image/gif","size":900}"#, "queued")])
    ui.press("C-x p")
    #expect(ui.shows("Take the message back") && ui.take("history") == nil)
    for state in ["sent", "delivered"] {
      ui.line(#"{"event":"state","seq":20,"conversation":"bob@example.org","id":1,"state":"\#(state)"}"#)
    }
    let asked = ui.takeAll("history")
    #expect(asked.count == 1 && asked.first?["around"]?.integer == 1)
    ui.answer(asked.first, [#""message":\#(message(Self.cat, "delivered"))"#])
    #expect(ui.shows("Show it here") && ui.shows("Save it as"))
    ui.line(#"{"event":"state","seq":22,"conversation":"bob@example.org","id":1,"state":"displayed"}"#)
    #expect(ui.take("history") == nil)
  }

  @Test("a file without an address has nothing to choose")
  func unsent() {
    let ui = opened([#"{"name":"a.png"}"#])
    ui.press("C-x p", "Enter")
    #expect(ui.shows("The file has no address") && ui.take("fetch") == nil)
    let none = Harness.opened()
    none.answerHistory(Harness.two)
    none.press("C-x p")
    #expect(none.shows("No file is here."))
  }
}
