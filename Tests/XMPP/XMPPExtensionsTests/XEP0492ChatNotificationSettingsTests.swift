import Testing
import XML
import XMPPCore

@testable import XMPPExtensions

@Suite("Notification settings of rooms")
struct XEP0492ChatNotificationSettingsTests {
  private static let pinned = "<pinned xmlns='urn:xmpp:bookmarks-pinning:0'/>"

  private static func notify(_ inside: String) -> String {
    "<notify xmlns='urn:xmpp:notification-settings:1'>\(inside)</notify>"
  }

  private func bookmark(_ extensions: String) throws -> RoomBookmark {
    let xml = "<conference xmlns='urn:xmpp:bookmarks:1'><extensions>\(extensions)</extensions></conference>"
    return try #require(try XEP0402BookmarksTests.bookmark(xml))
  }

  private func changed(_ extensions: String, to setting: ChatNotification?) throws -> Element {
    var bookmark = try bookmark(extensions)
    bookmark.notification = setting
    #expect(bookmark.notification == setting)
    return try element("<all>\(String(decoding: bookmark.extensions, as: UTF8.self))</all>")
  }

  @Test(
    "The setting that is most particular counts",
    arguments: [
      ("<never/>", .never), ("<on-mention/>", .onMention), ("<always/><never identity-category='client'/>", .never),
      (
        "<never identity-category='client' identity-type='pc'/><on-mention identity-category='client'/><always/>",
        .never
      ),
      ("<never identity-category='client' identity-type='phone'/><always/>", .always),
      ("<never identity-category='gateway'/>", nil), ("<never identity-type='pc'/>", nil), ("<sometimes/>", nil),
      ("<never xmlns='urn:x'/>", nil), ("<never/><always/>", .never), ("", nil),
    ] as [(String, ChatNotification?)])
  func reading(_ settings: String, _ setting: ChatNotification?) throws {
    #expect(try bookmark(Self.pinned + Self.notify(settings)).notification == setting)
  }

  @Test("A setting is added to what other clients store")
  func adding() throws {
    #expect(try changed("", to: .never) == element("<all>\(Self.notify("<never/>"))</all>"))
    #expect(
      try changed(Self.pinned, to: .onMention) == element("<all>\(Self.pinned)\(Self.notify("<on-mention/>"))</all>"))
  }

  @Test(
    "A change leaves the settings of others, and what stands in ours",
    arguments: [
      ("<always/>", "<never/>"),
      (
        "<always><advanced><x xmlns='urn:x' a='1'>y</x></advanced></always>",
        "<never><advanced><x xmlns='urn:x' a='1'>y</x></advanced></never>"
      ),
      (
        "<on-mention identity-category='client' identity-type='phone'/><always/><z xmlns='urn:z'/>",
        "<on-mention identity-category='client' identity-type='phone'/><never/><z xmlns='urn:z'/>"
      ),
      (
        "<always identity-category='client' identity-type='pc'/><always/>",
        "<never identity-category='client' identity-type='pc'/><always/>"
      ),
      // There is one for all from then on.
      ("<always identity-category='client'/>", "<never identity-category='client'/><never/>"),
      // Two that contradict each other become one.
      ("<always/><on-mention/>", "<never/>"),
    ])
  func changing(_ before: String, _ after: String) throws {
    #expect(
      try changed(Self.notify(before) + Self.pinned, to: .never)
        == element("<all>\(Self.pinned)\(Self.notify(after))</all>"))
  }

  @Test("Taken away, it leaves the settings that are not for us")
  func taking() throws {
    let phone = "<on-mention identity-category='client' identity-type='phone'/>"
    let settings = Self.notify(phone + "<always/><never identity-category='client'/>")
    #expect(try changed(settings + Self.pinned, to: nil) == element("<all>\(Self.pinned)\(Self.notify(phone))</all>"))
    #expect(try changed(Self.notify("<always/>") + Self.pinned, to: nil) == element("<all>\(Self.pinned)</all>"))
  }

  @Test("The same setting again changes no byte")
  func same() throws {
    let bookmark = try bookmark(Self.notify("<never/>") + Self.pinned)
    #expect(ChatNotification.set(.never, in: bookmark.extensions) == bookmark.extensions)
  }
}
