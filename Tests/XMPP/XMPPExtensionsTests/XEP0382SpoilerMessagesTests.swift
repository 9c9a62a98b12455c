import Testing
import XML

@testable import XMPPExtensions

@Suite struct XEP0382SpoilerMessagesTests {
  @Test("A hint is one line, and not a long one")
  func hints() throws {
    #expect(Spoilers.hint(in: try element("<spoiler xmlns='urn:xmpp:spoiler:0'>a\nb</spoiler>")) == "a b")
    let long = String(repeating: "x", count: 1_000)
    #expect(Spoilers.hint(in: try element("<spoiler xmlns='urn:xmpp:spoiler:0'>\(long)</spoiler>")).count == 200)
  }
}
