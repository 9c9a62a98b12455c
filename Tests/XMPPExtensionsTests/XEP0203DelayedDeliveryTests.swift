import Clocks
import Testing
import XML
import XMPPCore
import XMPPExtensions

@Suite struct XEP0203DelayedDeliveryTests {
  static let early = "2002-09-10T23:08:25Z"
  static let late = "2010-01-01T00:00:00Z"

  static func delay(_ from: String?, _ stamp: String) -> String {
    "<delay xmlns='urn:xmpp:delay'\(from.map { " from='\($0)'" } ?? "") stamp='\(stamp)'>Offline</delay>"
  }

  static func stamp(_ content: String) throws -> DelayStamp {
    try DelayStamp(
      of: element("<message from='bob@example.net/x'>\(content)</message>"), own: JID("alice@example.org/c"))
  }

  @Test(arguments: ["example.org", "alice@example.org", "Alice@EXAMPLE.org", "example.org."])
  func ourServerAndOurAccountAreBelieved(_ from: String) throws {
    #expect(try Self.stamp(Self.delay(from, Self.early)) == DelayStamp(time: Timestamp(rfc3339: Self.early)))
  }

  @Test(arguments: [
    nil, "", "bob@example.net", "example.net", "alice@example.org/c", "example.org/x", "sub.example.org",
    "room@conference.example.org", "alice@example.org.evil.example", "a@b@c", "alice@example.net",
  ])
  func othersOnlyClaim(_ from: String?) throws {
    #expect(try Self.stamp(Self.delay(from, Self.early)) == DelayStamp(claimed: Timestamp(rfc3339: Self.early)))
  }

  @Test(arguments: [
    "", "yesterday", "2002-09-10", "23:08:25Z", "2002-09-10T23:08:25", "2002-13-10T23:08:25Z", "99999-01-01T00:00:00Z",
    "0000-01-01T00:00:00Z", "-2002-09-10T23:08:25Z", "20020910T23:08:25",
  ])
  func whatIsNoTimeIsNone(_ stamp: String) throws {
    #expect(try Self.stamp(Self.delay("example.org", stamp)) == DelayStamp())
  }

  @Test func theLastCountsOfEitherSort() throws {
    let forged = Self.delay("example.org", Self.early)
    #expect(
      try Self.stamp(forged + Self.delay("bob@example.net", Self.early) + Self.delay("example.org", Self.late))
        == DelayStamp(time: Timestamp(rfc3339: Self.late), claimed: Timestamp(rfc3339: Self.early)))
    #expect(try Self.stamp("<delay stamp='\(Self.early)' from='example.org'/>") == DelayStamp())
    #expect(try Self.stamp("<x xmlns='urn:x'>\(forged)</x>") == DelayStamp())
    #expect(try Self.stamp("<delay xmlns='urn:xmpp:delay' from='example.org'/>") == DelayStamp())
  }

  @Test func otherZonesAndFractionsAreRead() throws {
    let stamp = try Self.stamp(Self.delay("example.org", "2002-09-11T01:08:25.500+02:00"))
    #expect(stamp.time == Timestamp(rfc3339: "2002-09-10T23:08:25.500Z"))
  }
}
