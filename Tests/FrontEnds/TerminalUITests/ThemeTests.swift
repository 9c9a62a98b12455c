import Screen
import Testing

@testable import TerminalUI

@Suite("Other colours")
struct ThemeTests {
  private func connected(_ depth: Capabilities.Depth = .trueColour) -> Harness {
    var capabilities = Capabilities(depth: depth)
    capabilities.hasDarkBackground = true
    let ui = Harness(capabilities: capabilities)
    ui.connect(conversations: [Harness.conversation("bob@example.org", name: "Bob")])
    return ui
  }

  private func type(_ command: String, _ ui: Harness) {
    ui.type(command)
    ui.press("Enter")
  }

  private func ground(_ ui: Harness) -> Colour? { ui.app.frame().cells(line: 0).first?.style.background }

  @Test("/theme shows other colours at once, and says how they are kept")
  func theme() {
    let ui = connected()
    #expect(ground(ui) == ColourScheme(.dark)[.status].background)
    type("/theme light", ui)
    #expect(ground(ui) == ColourScheme(.light)[.status].background)
    #expect(ui.shows("Colours: light. To keep them, write colours = light below [ui] in tui.conf."))
    type("/theme none", ui)
    #expect(ground(ui) == ColourScheme(.plain)[.status].background)
    type("/theme auto", ui)
    #expect(ground(ui) == ColourScheme(.dark)[.status].background)
  }

  @Test("an unknown name is refused with those that there are, and Tab completes them")
  func names() {
    let ui = connected()
    type("/theme solarized", ui)
    #expect(ui.shows("Type /theme and auto, dark, light or none."))
    #expect(ground(ui) == ColourScheme(.dark)[.status].background)
    ui.press("Esc")
    ui.type("/theme da")
    ui.press("Tab")
    #expect(ui.shows("/theme dark"))
  }

  @Test("a terminal with few colours says that it shows its own")
  func fewColours() {
    let ui = connected(.sixteen)
    type("/theme dark", ui)
    #expect(ui.shows("too few colours"))
  }
}
