import Testing
import XML

@testable import XMPPExtensions

@Suite struct XEP0202EntityTimeTests {
  @Test func weSayWhatTimeItIsHere() throws {
    #expect(
      try answer("<iq id='1' type='get'><time xmlns='urn:xmpp:time'/></iq>")
        == element(
          "<iq id='1' type='result'><time xmlns='urn:xmpp:time'><tzo>+01:00</tzo><utc>2026-11-20T09:10:00.123Z</utc></time></iq>"
        ))
  }

  @Test(arguments: [
    (0, "Z"), (3_600, "+01:00"), (-3_600, "-01:00"), (19_800, "+05:30"), (-12_600, "-03:30"), (50_400, "+14:00"),
    (59, "Z"), (-59, "Z"), (.max, "+23:59"), (.min, "-23:59"),
  ])
  func zones(_ seconds: Int, _ expected: String) {
    #expect(EntityTime.zone(seconds) == expected)
  }
}
