import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite("Bookmarks")
struct XEP0402BookmarksTests {
  static let xmlns = "xmlns='urn:xmpp:bookmarks:1'"
  static let room = "hall@rooms.example.org"

  static func bookmark(_ payload: String, id: String? = room) throws -> RoomBookmark? {
    let id = id.map { " id='\($0)'" } ?? ""
    let event = try element(
      "<event xmlns='http://jabber.org/protocol/pubsub#event'><items node='urn:xmpp:bookmarks:1'>"
        + "<item\(id)>\(payload)</item></items></event>")
    return try #require(PersonalEvent(event)).items.first.flatMap { RoomBookmark($0) }
  }

  static func written(_ bookmark: RoomBookmark) throws -> Element {
    var writer = XMLWriter()
    bookmark.write(into: &writer)
    return try element(writer.bytes)
  }

  static let whole = """
    <conference \(xmlns) name='The Hall' autojoin='true'><nick>Al</nick><password>a&amp;b</password><extensions>\
    <pinned xmlns='urn:xmpp:bookmarks-pinning:0'/><state xmlns='urn:x' a:b='1' xmlns:a='urn:a'>x<y xmlns='urn:y'/></state>\
    </extensions></conference>
    """

  @Test("A bookmark is written as it was read, with what others store in it")
  func whole() throws {
    let bookmark = try #require(try Self.bookmark(Self.whole))
    #expect(bookmark.room.description == Self.room && bookmark.name == "The Hall" && bookmark.autojoin)
    #expect(bookmark.nick == "Al" && bookmark.password == "a&b" && !bookmark.extensions.isEmpty)
    #expect(try Self.written(bookmark) == element(Self.whole))
    #expect(try Self.bookmark(String(decoding: Self.written(bookmark).serialized(), as: UTF8.self)) == bookmark)
  }

  @Test("A bookmark needs nothing but its room")
  func least() throws {
    let bookmark = try #require(try Self.bookmark("<conference \(Self.xmlns)/>"))
    #expect(try bookmark == RoomBookmark(JID(Self.room), autojoin: false))
    #expect(try Self.written(bookmark) == element("<conference \(Self.xmlns) autojoin='false'/>"))
    for (autojoin, isSet) in [("1", true), ("0", false), ("false", false), ("yes", false), ("", false)] {
      #expect(try Self.bookmark("<conference \(Self.xmlns) autojoin='\(autojoin)'/>")?.autojoin == isSet)
    }
    let empty = "<conference \(Self.xmlns) name=''><nick/><password/><extensions/></conference>"
    #expect(try Self.bookmark(empty) == bookmark)
  }

  @Test("Other items are no bookmark")
  func others() throws {
    for id in [nil, "", "@", "rooms.example.org", Self.room + "/Al", "current"] {
      #expect(try Self.bookmark(Self.whole, id: id) == nil)
    }
    for payload in ["", "<conference xmlns='storage:bookmarks'/>", "<x \(Self.xmlns)/>", Self.whole + Self.whole] {
      #expect(try Self.bookmark(payload) == nil)
    }
  }

  @Test("A bookmark of more than 64 KiB is left alone")
  func bounds() throws {
    for (count, isRead) in [(65_000, true), (65_537, false)] {
      let long = String(repeating: "x", count: count)
      #expect(try (Self.bookmark("<conference \(Self.xmlns) name='\(long)'/>") != nil) == isRead)
      let further = "<conference \(Self.xmlns)><extensions><x xmlns='urn:x'>\(long)</x></extensions></conference>"
      #expect(try (Self.bookmark(further) != nil) == isRead)
    }
  }

  @Test("It is published for our devices alone, and retracted")
  func publishing() throws {
    let bookmark = try RoomBookmark(JID(Self.room + "/x"), autojoin: true)
    let publish = try element(bookmark.publish(id: "1"))
    let pubsub = try #require(publish.child("pubsub", PubSub.namespace))
    let item = pubsub.child("publish", PubSub.namespace)?.child("item", PubSub.namespace)
    #expect(item?.attribute("id") == Self.room)
    #expect(try item?.children.first { _ in true } == element("<conference \(Self.xmlns) autojoin='true'/>"))
    let options = pubsub.child("publish-options", PubSub.namespace).flatMap { try? DataForm(in: $0) }
    #expect(options?.value(of: "pubsub#access_model") == "whitelist" && options?.value(of: "pubsub#max_items") == "max")
    #expect(options?.value(of: "pubsub#send_last_published_item") == "never")
    let retract = """
      <iq type='set' id='1'><pubsub xmlns='http://jabber.org/protocol/pubsub'><retract node='urn:xmpp:bookmarks:1' \
      notify='true'><item id='\(Self.room)'/></retract></pubsub></iq>
      """
    #expect(try element(RoomBookmark.retract(JID(Self.room), id: "1")) == element(retract))
  }
}
