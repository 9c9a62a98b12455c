import Testing
import XML
import XMPPExtensions

@Suite struct XEP0449StickersTests {
  private func words(_ file: String) throws -> String? {
    Stickers.words(
      of: try element(
        "<message><sticker xmlns='urn:xmpp:stickers:0'/><file-sharing xmlns='urn:xmpp:sfs:0'>\(file)</file-sharing></message>"
      ))
  }

  @Test func theFileHasTheWordsOfASticker() throws {
    let namespace = "urn:xmpp:file:metadata:0"
    #expect(try words("<file xmlns='\(namespace)'><desc>😘</desc><size>1</size></file>") == "😘")
    #expect(try words("<file xmlns='\(namespace)'><desc/></file>") == nil)
    #expect(try words("<file xmlns='\(namespace)'/>") == nil)
    #expect(try words("<file xmlns='urn:x'><desc>😘</desc></file>") == nil)
    #expect(try Stickers.words(of: element("<message><sticker xmlns='urn:xmpp:stickers:0'/></message>")) == nil)
  }
}
