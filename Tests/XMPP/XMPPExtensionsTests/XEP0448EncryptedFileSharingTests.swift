import Bytes
import Testing
import XML

@testable import XMPPExtensions

@Suite("Encrypted sources of files")
struct XEP0448EncryptedFileSharingTests {
  private let key = "SuRJ2agVm/pQbJQlPq/B23Xt1YOOJCcEGJA5HrcYOGQ="
  private let url = "https://download.montague.lit/4a771ac1/encrypted.jpg"

  private func file(
    cipher: String = "aes-256-gcm-nopadding", key: String? = nil, iv: String = "T8RDMBaiqn6Ci4Nw",
    urls: [String]? = nil,
    beside: String = ""
  ) throws -> SharedFile {
    let sources = (urls ?? [url]).map { "<url-data xmlns='http://jabber.org/protocol/url-data' target='\($0)'/>" }
    let message =
      "<message xmlns='jabber:client'><file-sharing xmlns='urn:xmpp:sfs:0'><file xmlns='urn:xmpp:file:metadata:0'>"
      + "<media-type>image/jpeg</media-type><name>summit.jpg</name><size>3032449</size></file><sources>\(beside)"
      + "<encrypted xmlns='urn:xmpp:esfs:0' cipher='urn:xmpp:ciphers:\(cipher):0'><key>\(key ?? self.key)</key>"
      + "<iv>\(iv)</iv><hash xmlns='urn:xmpp:hashes:2' algo='sha3-256'>BgKI</hash><sources xmlns='urn:xmpp:sfs:0'>"
      + sources.joined() + "</sources></encrypted><jinglepub xmlns='urn:xmpp:jinglepub:1'/></sources></file-sharing>"
      + "</message>"
    return try #require(Element.parse(Array(message.utf8)).flatMap { FileSharing.files(of: $0).first })
  }

  @Test("The example of section 3.1 is read, and written so that it is read again")
  func example() throws {
    let file = try file()
    #expect(file.url == url && file.key?.key == Base64.decode(key) && file.key?.nonce.count == 12)
    #expect(file.metadata.name == "summit.jpg" && file.metadata.size == 3_032_449)
    var writer = XMLWriter()
    writer.open("message", xmlns: "jabber:client")
    FileSharing.write([file], into: &writer)
    writer.close()
    let text = String(decoding: writer.bytes, as: UTF8.self)
    #expect(try FileSharing.files(of: #require(Element.parse(writer.bytes))) == [file])
    #expect(!text.contains("jabber:x:oob") && text.contains("urn:xmpp:ciphers:aes-256-gcm-nopadding:0"))
  }

  @Test("A plain source beside an encrypted one is left alone, and of addresses the first with https counts")
  func sources() throws {
    let plain = "<url-data xmlns='http://jabber.org/protocol/url-data' target='https://example.org/plain'/>"
    #expect(try file(beside: plain).url == url)
    #expect(try file(urls: ["http://example.org/a", url]).url == url)
    #expect(try file(urls: ["http://example.org/a"]).url == "http://example.org/a")
    #expect(try file(urls: []).url == nil)
  }

  @Test("A key of another length, or of a cipher that does not authenticate, is of no use")
  func unusable() throws {
    #expect(try file(cipher: "aes-128-gcm-nopadding", key: "T8RDMBaiqn6Ci4NwT8RDMA==").key?.isUsable == true)
    for (cipher, key, iv) in [
      ("aes-256-cbc-pkcs7", key, "T8RDMBaiqn6Ci4NwT8RDMA=="), ("aes-256-gcm-nopadding", "T8RD", "T8RDMBaiqn6Ci4Nw"),
      ("aes-128-gcm-nopadding", key, "T8RDMBaiqn6Ci4Nw"), ("aes-256-gcm-nopadding", key, "T8RD"),
      ("aes-256-gcm-nopadding", "!", "!"), ("rot13", key, "T8RDMBaiqn6Ci4Nw"),
    ] {
      #expect(try file(cipher: cipher, key: key, iv: iv).key == .unknown, "\(cipher)")
    }
  }
}
