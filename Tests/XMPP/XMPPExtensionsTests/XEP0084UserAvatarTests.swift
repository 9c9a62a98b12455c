import Bytes
import Pictures
import Testing
import XML
import XMPPCore
import XMPPExtensions

/// A picture of one pixel, as small as a GIF can be.
let tinyPicture: [UInt8] =
  Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0, 0x3B]

@Suite struct XEP0084UserAvatarTests {
  private static let hash = "111f4b3c50d7b0df729d299bc6f8e9ef9066971f"
  private static let other = "e279f80c38f99c1e7e53e262b440993b2f7eea57"

  private func item(_ payload: String, id: String = hash) throws -> PubSub.Item? {
    let answer = try element(
      "<iq type='result' id='1'><pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='n'>"
        + "<item id='\(id)'>\(payload)</item></items></pubsub></iq>")
    return PubSub.items(in: answer, of: "n")?.first
  }

  private func hash(_ infos: String, id: String = hash) throws -> String? {
    try item("<metadata xmlns='urn:xmpp:avatar:metadata'>\(infos)</metadata>", id: id).flatMap(UserAvatar.hash)
  }

  @Test func theHashIsThatOfTheFormatOnTheDataNode() throws {
    let (own, other) = (Self.hash, Self.other)
    #expect(try hash("<info id='\(own)' type='image/png' bytes='1'/>") == own)
    #expect(try hash("<info id='\(own.uppercased())' type='image/png'/>", id: own.uppercased()) == own)
    #expect(try hash("<info id='\(other)' type='image/gif' url='http://x/y'/><info id='\(own)'/>") == own)
    #expect(try hash("<info id='\(other)'/><info id='\(own)'/>") == own)
    #expect(try hash("<info id='\(other)'/>", id: "current") == other)
  }

  @Test func metadataWithoutAPictureOnTheNodeMeansNone() throws {
    #expect(try hash("") == "")
    #expect(try hash("<stop/>") == "")
    #expect(try hash("<info id='\(Self.hash)' url='http://x/y'/>") == "")
    #expect(try hash("<info id='../../etc/passwd'/>", id: "../../etc/passwd") == "")
    #expect(try hash("<info id='\(Self.hash)0'/><info/><info xmlns='urn:x' id='\(Self.hash)'/>") == "")
  }

  @Test func whatIsNoMetadataSaysNothing() throws {
    #expect(try item("<metadata xmlns='urn:x'/>").flatMap(UserAvatar.hash) == nil)
    #expect(try item("").flatMap(UserAvatar.hash) == nil)
  }

  @Test func aPictureIsReadWithLineFeedsAndWrittenWithout() throws {
    let avatar = try #require(Avatar(tinyPicture))
    #expect(avatar.header == PictureHeader(.gif, width: 1, height: 1))
    var writer = XMLWriter()
    UserAvatar.writeData(avatar, into: &writer)
    let written = String(decoding: writer.bytes, as: UTF8.self)
    #expect(written == "<data xmlns='urn:xmpp:avatar:data'>\(Base64.encode(tinyPicture))</data>")
    #expect(try item(written).flatMap(UserAvatar.avatar) == avatar)
    let lines = Base64.encode(tinyPicture).map { "\($0)\n " }.joined()
    #expect(try item("<data xmlns='urn:xmpp:avatar:data'>\n\(lines)</data>").flatMap(UserAvatar.avatar) == avatar)
  }

  @Test(
    "data that is no picture is none",
    arguments: [
      "", "=", "AAAA", "R0lGODlh!", Base64.encode(Array("<svg/>".utf8)), String(repeating: "A", count: 1_000_000),
    ])
  func noPicture(data: String) throws {
    #expect(try item("<data xmlns='urn:xmpp:avatar:data'>\(data)</data>").flatMap(UserAvatar.avatar) == nil)
  }

  @Test func aPictureOverTheBoundsIsNone() {
    func gif(_ side: Int, count: Int = 30) -> [UInt8] {
      var bytes = tinyPicture + [UInt8](repeating: 0, count: max(0, count - tinyPicture.count))
      (bytes[6], bytes[7]) = (UInt8(side & 255), UInt8(side >> 8))
      return bytes
    }
    #expect(Avatar(gif(4096)) != nil)
    #expect(Avatar(gif(4097)) == nil)
    #expect(Avatar(gif(1, count: 1 << 20)) != nil)
    #expect(Avatar(gif(1, count: 1 << 20 + 1)) == nil)
    #expect(Avatar(base64: Base64.encode(gif(1, count: 1 << 20))) != nil)
  }

  @Test func theMetadataOfNoneIsEmpty() throws {
    func metadata(_ avatar: Avatar?) -> String {
      var writer = XMLWriter()
      UserAvatar.writeMetadata(avatar, into: &writer)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
    #expect(metadata(nil) == "<metadata xmlns='urn:xmpp:avatar:metadata'/>")
    let avatar = try #require(Avatar(tinyPicture))
    #expect(
      metadata(avatar)
        == "<metadata xmlns='urn:xmpp:avatar:metadata'><info bytes='\(tinyPicture.count)' id='\(avatar.hash)' "
        + "type='image/gif' width='1' height='1'/></metadata>")
  }
}
