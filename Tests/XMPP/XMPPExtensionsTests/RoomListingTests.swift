import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite("Rooms of a service")
struct RoomListingTests {
  private static let xmlns = "xmlns='http://jabber.org/protocol/disco#items'"

  private func listing(_ items: String) throws -> RoomListing? {
    RoomListing(try element("<iq type='result'><query \(Self.xmlns)>\(items)</query></iq>"))
  }

  @Test("A page is asked for")
  func request() throws {
    let request = try RoomListing.request(at: JID("rooms.example.org"), .before("hall"), max: 50, id: "1")
    let set = "<set xmlns='http://jabber.org/protocol/rsm'><max>50</max><before>hall</before></set>"
    let xml = "<iq type='get' to='rooms.example.org' id='1'><query \(Self.xmlns)>\(set)</query></iq>"
    #expect(try element(request) == element(xml))
  }

  @Test("Prosody sends all, without names")
  func prosody() throws {
    let listing = try #require(
      try listing("<item jid='a@rooms.example.org'/><item jid='b@rooms.example.org' name='Bees'/>"))
    #expect(listing.rooms.map(\.jid.description) == ["a@rooms.example.org", "b@rooms.example.org"])
    #expect(listing.rooms.map(\.title) == [nil, "Bees"] && listing.rooms.allSatisfy { $0.members == nil })
    #expect(listing.bounds == nil)
  }

  @Test(
    "ejabberd's names end with how many are there",
    arguments: [
      ("Tea (12)", "Tea", 12), ("Tea (private, 3)", "Tea", 3), ("(0)", nil, 0),
      ("Tea (for two) (2)", "Tea (for two)", 2),
      ("Tea", "Tea", nil), ("Tea (two)", "Tea (two)", nil), ("Tea ()", "Tea ()", nil), ("Tea 12)", "Tea 12)", nil),
      ("Tea (-1)", "Tea (-1)", nil), ("Tea (99999999)", "Tea (99999999)", nil), ("Tea (１)", "Tea (１)", nil),
    ] as [(String, String?, Int?)])
  func counts(_ name: String, _ title: String?, _ members: Int?) throws {
    let rsm =
      "<set xmlns='http://jabber.org/protocol/rsm'><first index='0'>a</first><last>z</last><count>9</count></set>"
    let listing = try #require(try listing("<item jid='a@rooms.example.org' name='\(name)'/>" + rsm))
    #expect(listing.rooms.map(\.name) == [name] && listing.rooms.map(\.title) == [title])
    #expect(listing.rooms.map(\.members) == [members])
    #expect(listing.bounds?.first == "a" && listing.bounds?.last == "z")
  }

  @Test("Items that no room can have are left out, and each room is there once")
  func junk() throws {
    let listing = try #require(
      try listing(
        "<item/><item jid='@'/><item jid='rooms.example.org'/><item jid='a@rooms.example.org/x'/>"
          + "<item jid='n@rooms.example.org' node='n'/><item xmlns='urn:x' jid='x@rooms.example.org'/>"
          + "<item jid='A@rooms.example.org' name='1'/><item jid='a@rooms.example.org' name='2'/>"))
    #expect(listing.rooms.map(\.name) == ["1"])
    #expect(try RoomListing(element("<iq type='result'/>")) == nil)
    #expect(try self.listing("")?.rooms == [])
  }

  @Test("A name without end is cut")
  func bounds() throws {
    let name = String(repeating: "x", count: 100_000)
    #expect(try listing("<item jid='a@rooms.example.org' name='\(name)'/>")?.rooms.first?.name?.utf8.count == 1_000)
  }
}
