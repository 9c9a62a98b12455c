import Clocks
import JSON
import TerminalUI
import Testing

/// Drafts that several UIs share.
@Suite("Drafts in the terminal UI")
struct DraftTests {
  @Test("the draft is shared after a pause, and what came from elsewhere is shown")
  func draft() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("half a")
    #expect(ui.take("draft") == nil)
    ui.wait(.milliseconds(1100))
    #expect(ui.take("draft")?["text"]?.string == "half a")
    ui.wait(.seconds(5))
    ui.line(#"{"event":"draft","seq":20,"conversation":"bob@example.org","text":"half a sentence"}"#)
    #expect(ui.shows("› half a sentence"))
  }

  @Test("what is being typed here is never replaced by what is typed elsewhere, nor by late news of one's own")
  func draftsCollide() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    func news(_ text: String) {
      ui.line(#"{"event":"draft","seq":20,"conversation":"bob@example.org","text":"\#(text)"}"#)
    }
    ui.type("half a")
    ui.wait(.milliseconds(1100))
    news("other words")
    #expect(ui.shows("› half a"))
    news("half a")
    ui.type(" sentence")
    ui.wait(.milliseconds(1100))
    news("half a")
    #expect(ui.shows("› half a sentence"))
    ui.press("Enter")
    news("half a sentence")
    #expect(!ui.shows("› half a sentence"), "it was sent")
    ui.wait(.seconds(6))
    news("from elsewhere")
    #expect(ui.shows("› from elsewhere"))
  }

  @Test("a draft that is changed elsewhere while somebody types here is taken over once nobody does, if all was shared")
  func overtaken() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    func type(_ text: String) {
      ui.type(text)
      ui.wait(.milliseconds(1100))
      elsewhere(ui, draft: ui.take("draft")?["text"]?.string ?? "none")
    }
    type("half a")
    elsewhere(ui, draft: "half a sentence")
    #expect(ui.shows("› half a") && !ui.shows("› half a sentence"))
    ui.wait(.milliseconds(3900))
    #expect(ui.shows("› half a sentence"))
    #expect(ui.take("draft") == nil)
    type(" more")
    elsewhere(ui, draft: "other words")
    ui.type("!")
    ui.wait(.seconds(6))
    #expect(ui.shows("› half a sentence more!"), "who writes on has the last word")
    #expect(ui.take("draft")?["text"]?.string == "half a sentence more!")
  }

  @Test("sending does not clear a draft to which more was written elsewhere")
  func sentWhenOvertaken() {
    let ui = openedAndOvertaken()
    ui.press("Enter")
    #expect(ui.take("send")?["text"]?.string == "half a")
    ui.wait(.seconds(6))
    #expect(ui.take("draft") == nil && ui.shows("› half a sentence"))
  }

  @Test("leaving does not put an older text in the place of a draft that was changed elsewhere")
  func overtakenAtTheEnd() {
    let ui = openedAndOvertaken()
    ui.handle(.ending)
    #expect(ui.take("draft") == nil)
  }

  /// One in whose conversation "half a" was typed, and to whose draft another UI has added.
  private func openedAndOvertaken() -> Harness {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("half a")
    ui.wait(.milliseconds(1100))
    #expect(ui.take("draft")?["text"]?.string == "half a")
    elsewhere(ui, draft: "half a")
    elsewhere(ui, draft: "half a sentence")
    return ui
  }

  /// Deeds of another UI on the same daemon.
  private func elsewhere(_ ui: Harness, draft: String) {
    ui.line(#"{"event":"draft","seq":20,"conversation":"bob@example.org","text":"\#(draft)"}"#)
  }

  private func elsewhere(_ ui: Harness, sends text: String) {
    ui.line(#"{"event":"message","seq":21,"message":\#(Harness.message(9, text, mine: true))}"#)
  }

  @Test("a draft that another UI sent leaves the input, however it was changed there", arguments: ["", " and two"])
  func draftSentElsewhere(more: String) {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("half a")
    ui.wait(.milliseconds(1100))
    if !more.isEmpty { elsewhere(ui, draft: "half a" + more) }
    elsewhere(ui, sends: "half a" + more)
    #expect(ui.shows("› half a"), "the draft is still there")
    elsewhere(ui, draft: "")
    #expect(!ui.shows("› half a"))
    ui.type("half a")
    ui.wait(.milliseconds(1100))
    elsewhere(ui, draft: "")
    elsewhere(ui, sends: "half a")
    #expect(!ui.shows("› half a"), "in the other order as well")
  }

  @Test("what was typed since, or is another text, stays when a message is sent elsewhere")
  func otherTextsStay() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("half a")
    ui.wait(.milliseconds(1100))
    elsewhere(ui, sends: "other words")
    elsewhere(ui, draft: "")
    #expect(ui.shows("› half a"))
    ui.type(" sentence")
    elsewhere(ui, sends: "half")
    elsewhere(ui, draft: "")
    #expect(ui.shows("› half a sentence"))
  }

  @Test(
    "a draft that another UI sent leaves the input to which more was typed, and the rest stays",
    arguments: ["", " and two"], [true, false])
  func firstWordsSentElsewhere(more: String, isMessageFirst: Bool) {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("half a")
    ui.wait(.milliseconds(1100))
    ui.type(" sentence")
    if isMessageFirst { elsewhere(ui, sends: "half a" + more) }
    elsewhere(ui, draft: "")
    if !isMessageFirst { elsewhere(ui, sends: "half a" + more) }
    #expect(ui.shows("› sentence") && !ui.shows("› half a"))
    ui.press("Enter")
    #expect(ui.take("send")?["text"]?.string == "sentence")
  }

  @Test("a text that goes on while it is sent from here is not shortened by its own message")
  func ownMessage() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("half")
    ui.wait(.milliseconds(1100))
    ui.press("Enter")
    ui.type("half more")
    elsewhere(ui, sends: "half")
    elsewhere(ui, draft: "")
    #expect(ui.shows("› half more"))
  }
}
