import Glibc
import TestSupport
import Testing

/// The packs are made from Debian's unicode-data and unicode-cldr-core; `CONFAB_WRITE_DOCS=1` (`make docs`) writes them instead of
/// comparing.
@Suite("The packs of emoticons")
struct EmoticonsDocumentTests {
  @Test("are as config/make-emoticons makes them")
  func freshness() throws {
    let folder = try TemporaryFolder()
    let script = Products.repository + "/config/make-emoticons"
    let isWriting = unsafe getenv("CONFAB_WRITE_DOCS") != nil
    let done = try Program.run([script] + (isWriting ? [] : [folder.path]))
    #expect(done.status == .exited(0))
    guard !isWriting else { return }
    for name in ["emoji.json", "emoji-zh.json"] {
      let shipped = try #require(TestFiles.text(Products.repository + "/config/emoticons/" + name))
      #expect(TestFiles.text(folder.path + "/" + name) == shipped, "\(name) is stale: make docs")
    }
  }
}
