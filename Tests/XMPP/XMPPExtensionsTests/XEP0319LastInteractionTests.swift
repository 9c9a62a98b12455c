import Clocks
import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0319LastInteractionTests {
  @Test func isWrittenAndRead() throws {
    let time = try #require(Timestamp(rfc3339: "2026-11-20T09:10:00Z"))
    let presence = Presence().serialized { LastInteraction.write(since: time, into: &$0) }
    #expect(try LastInteraction.since(in: element(presence)) == time)
  }

  @Test func isNoneThatIsNoTime() throws {
    for idle in [
      "", "<idle xmlns='urn:xmpp:idle:1'/>", "<idle xmlns='urn:xmpp:idle:1' since='noon'/>",
      "<idle since='2026-11-20T09:10:00Z'/>",
    ] {
      #expect(try LastInteraction.since(in: element("<presence>\(idle)</presence>")) == nil)
    }
  }
}
