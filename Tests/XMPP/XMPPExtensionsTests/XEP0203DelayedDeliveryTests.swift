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

  @Test("A room's stamp is read beside others, and nobody else's for it")
  func rooms() throws {
    let room = try JID("hall@rooms.example.org")
    func time(_ stamps: String) throws -> Timestamp? {
      try DelayStamp.time(of: element("<message from='\(room)/Al'>\(stamps)</message>"), by: room)
    }
    let (stamp, other) = (Self.delay(room.description, Self.early), Self.delay("alice@example.org", Self.late))
    #expect(try time(stamp + other) == Timestamp(rfc3339: Self.early))
    #expect(try time(Self.delay(room.description, Self.late) + stamp) == Timestamp(rfc3339: Self.early))
    for none in [other, Self.delay(nil, Self.early), Self.delay("\(room)/Al", Self.early), ""] {
      #expect(try time(none) == nil)
    }
  }

  @Test(arguments: [
    "", "yesterday", "2002-09-10", "23:08:25Z", "2002-09-10T23:08:25", "2002-13-10T23:08:25Z", "99999-01-01T00:00:00Z",
    "0000-01-01T00:00:00Z", "-2002-09-10T23:08:25Z", "20020910T23:08:25",
  ])
  func whatIsNoTimeIsNone(_ stamp: String) throws {
    #expect(try Self.stamp(Self.delay("example.org", stamp)) == DelayStamp())
  }

  @Test(arguments: [
    ("<message>", true), ("<message from='alice@example.org'>", true), ("<message from='example.org'>", true),
    ("<message from='alice@example.org/other'>", false), ("<message from='bob@example.net/x'>", false),
    ("<message from='a@b@c'>", false), ("<message from=''>", false),
  ])
  func aStampOfNobodyIsOfTheSender(_ start: String, _ isBelieved: Bool) throws {
    let time = Timestamp(rfc3339: Self.early)
    let message = try element(start + Self.delay(nil, Self.early) + "</message>")
    #expect(
      try DelayStamp(of: message, own: JID("alice@example.org/c"))
        == (isBelieved ? DelayStamp(time: time) : DelayStamp(claimed: time)))
  }

  @Test func aForgedStampNeverHidesARealOne() throws {
    let real = Self.delay("example.org", Self.late)
    let forged = Self.delay("example.org.evil.example", Self.early)
    let expected = DelayStamp(time: Timestamp(rfc3339: Self.late), claimed: Timestamp(rfc3339: Self.early))
    #expect(try Self.stamp(forged + real) == expected)
    #expect(try Self.stamp(real + forged) == expected)
    #expect(try Self.stamp(Self.delay("example.org", "never") + real) == DelayStamp(time: expected.time))
  }

  @Test func theServersLastAndTheOldestClaimCount() throws {
    let stamp = Self.delay("example.org", Self.early)
    let later = Self.delay("alice@example.org", Self.late)
    let (early, late) = (Timestamp(rfc3339: Self.early), Timestamp(rfc3339: Self.late))
    #expect(try Self.stamp(stamp + later) == DelayStamp(time: late, claimed: early))
    #expect(try Self.stamp(later + stamp) == DelayStamp(time: early, claimed: late))
    let claims = [Self.delay("bob@example.net", Self.late), Self.delay(nil, Self.early)]
    for both in [claims, claims.reversed()] {
      #expect(try Self.stamp(both.joined()) == DelayStamp(claimed: early))
    }
    #expect(try Self.stamp("<delay stamp='\(Self.early)' from='example.org'/>") == DelayStamp())
    #expect(try Self.stamp("<x xmlns='urn:x'>\(stamp)</x>") == DelayStamp())
    #expect(try Self.stamp("<delay xmlns='urn:xmpp:delay' from='example.org'/>") == DelayStamp())
  }

  @Test func otherZonesAndFractionsAreRead() throws {
    let stamp = try Self.stamp(Self.delay("example.org", "2002-09-11T01:08:25.500+02:00"))
    #expect(stamp.time == Timestamp(rfc3339: "2002-09-10T23:08:25.500Z"))
  }
}
