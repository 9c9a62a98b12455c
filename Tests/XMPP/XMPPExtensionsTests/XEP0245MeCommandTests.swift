import Testing
import XMPPExtensions

@Suite struct XEP0245MeCommandTests {
  @Test func beginsTheText() {
    #expect(MeCommand.text("laughs") == "/me laughs")
  }
}
