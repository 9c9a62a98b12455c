import Testing
import XML
import XMPPExtensions

@Suite struct XEP0153VCardAvatarsTests {
  private static let hash = "01b87fcd030b72895ff8e88db57ec525450f000d"

  private func hash(_ payload: String) throws -> String? {
    try VCardAvatarUpdate.hash(in: element("<presence>\(payload)</presence>"))
  }

  @Test func aPresenceSaysWhichPhotoThereIs() throws {
    func update(_ photo: String) -> String { "<x xmlns='vcard-temp:x:update'>\(photo)</x>" }
    #expect(try hash(update("<photo>\(Self.hash)</photo>")) == Self.hash)
    #expect(try hash(update("<photo>\(Self.hash.uppercased())</photo>")) == Self.hash)
    #expect(try hash(update("<photo/>")) == "")
    #expect(try hash(update("")) == nil)
    #expect(try hash("") == nil)
    #expect(try hash(update("<photo>sha1</photo>")) == nil)
  }

  @Test func ourPresenceSaysItTheSameWay() throws {
    for hash in ["", Self.hash] {
      var writer = XMLWriter()
      VCardAvatarUpdate.write(hash, into: &writer)
      #expect(try self.hash(String(decoding: writer.bytes, as: UTF8.self)) == hash)
    }
  }
}
