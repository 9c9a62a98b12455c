import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite("Private storage")
struct XEP0049PrivateStorageTests {
  private static let xmlns = "xmlns='jabber:iq:private'"

  @Test("Bookmarks are requested, read and stored")
  func bookmarks() throws {
    let request = "<iq type='get' id='1'><query \(Self.xmlns)><storage xmlns='storage:bookmarks'/></query></iq>"
    #expect(try element(PrivateStorage.request(id: "1")) == element(request))
    let stored = XEP0048BookmarkStorageTests.xml
    let answer = try element("<iq type='result' id='1'><query \(Self.xmlns)>\(stored)</query></iq>")
    let storage = try #require(PrivateStorage.bookmarks(in: answer))
    #expect(storage.rooms.count == 2)
    #expect(
      try element(PrivateStorage.store(storage, id: "2"))
        == element("<iq type='set' id='2'><query \(Self.xmlns)>\(stored)</query></iq>"))
  }

  @Test(
    "An answer without bookmarks, or with two of them, holds none",
    arguments: [
      "", "<query \(xmlns)/>", "<query \(xmlns)><storage xmlns='urn:x'/></query>",
      "<query \(xmlns)><storage xmlns='storage:bookmarks'/><storage xmlns='storage:bookmarks'/></query>",
    ])
  func others(_ query: String) throws {
    #expect(try PrivateStorage.bookmarks(in: element("<iq type='result'>\(query)</iq>")) == nil)
  }
}
