import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite("Bookmarks in one element")
struct XEP0048BookmarkStorageTests {
  static let xml = """
    <storage xmlns='storage:bookmarks'><url name='Tea' url='https://example.org'/>\
    <conference name='Hall' autojoin='1' jid='Hall@rooms.example.org' minimize='1'><nick>Al</nick><password>p</password>\
    <x xmlns='urn:x'>y</x></conference><conference jid='@'/><group xmlns='urn:g'/>\
    <conference jid='attic@rooms.example.org'/><conference jid='hall@rooms.example.org' name='again'/></storage>
    """

  static func storage(_ xml: String = xml) throws -> BookmarkStorage? { BookmarkStorage(try element(xml)) }

  static func written(_ storage: BookmarkStorage) throws -> Element {
    var writer = XMLWriter()
    storage.write(into: &writer)
    return try element(writer.bytes)
  }

  @Test("All that is in it is written again")
  func whole() throws {
    let storage = try #require(try Self.storage())
    #expect(storage.rooms.map(\.room.local) == ["hall", "attic"])
    let hall = try RoomBookmark(
      JID("hall@rooms.example.org"), name: "Hall", autojoin: true, nick: "Al", password: "p",
      extensions: Array("<x xmlns='urn:x'>y</x>".utf8))
    #expect(storage.rooms[0] == hall && !storage.rooms[1].autojoin)
    #expect(try Self.written(storage) == element(Self.xml))
  }

  @Test("A changed room, a new one and a removed one leave all else as it is")
  func changing() throws {
    var storage = try #require(try Self.storage())
    storage.set(storage.rooms[0])
    #expect(try Self.written(storage) == element(Self.xml))
    var attic = storage.rooms[1]
    (attic.autojoin, attic.notification) = (true, .never)
    storage.set(attic)
    try storage.set(RoomBookmark(JID("new@rooms.example.org"), autojoin: true, nick: "Al"))
    try storage.remove(JID("hall@rooms.example.org/x"))
    let changed = """
      <storage xmlns='storage:bookmarks'><url name='Tea' url='https://example.org'/><conference jid='@'/>\
      <group xmlns='urn:g'/><conference jid='attic@rooms.example.org' autojoin='true'>\
      <notify xmlns='urn:xmpp:notification-settings:1'><never/></notify></conference>\
      <conference jid='new@rooms.example.org' autojoin='true'><nick>Al</nick></conference></storage>
      """
    #expect(try Self.written(storage) == element(changed))
    #expect(try Self.storage(changed) == storage)
  }

  @Test("Other elements are none, and an empty one is")
  func others() throws {
    #expect(try Self.storage("<storage xmlns='urn:x'/>") == nil)
    #expect(try Self.storage("<x xmlns='storage:bookmarks'/>") == nil)
    #expect(try Self.storage("<storage xmlns='storage:bookmarks'/>") == BookmarkStorage())
  }

  /// On the wire the namespace is there once, here it is with each element.
  @Test("One that would be too long to write is left alone")
  func bounds() throws {
    let namespace = "urn:" + String(repeating: "x", count: 10_000)
    let many = String(repeating: "<a:b/>", count: 1_000)
    #expect(try Self.storage("<storage xmlns='storage:bookmarks' xmlns:a='\(namespace)'>\(many)</storage>") == nil)
  }

  @Test("It is stored as one item of a node, too")
  func node() throws {
    let storage = try #require(try Self.storage())
    let item = try element(storage.publish(id: "1")).child("pubsub", PubSub.namespace)?
      .child("publish", PubSub.namespace)?.child("item", PubSub.namespace)
    #expect(item?.attribute("id") == "current")
    #expect(item.map { BookmarkStorage(PubSub.Item($0)) } == storage)
  }
}
