import Bytes
import Testing
import XML

@testable import XMPPExtensions

@Suite("Addresses of encrypted files")
struct XEP0454OMEMOMediaSharingTests {
  private let iv = "8c3d050e9386ec173861778f"
  private let key = "68e9af38a97aaf82faa4063b4d0878a61261534410c8a84331eaac851759f587"
  private let place = "download.montague.tld/4a771ac1-f0b2-4a4a-9700-f2a26fa2bb67/tr%C3%A8s%20cool.jpg"

  private var whole: String { "aesgcm://\(place)#\(iv)\(key)" }

  @Test("The example of section 3 is read and written")
  func example() throws {
    let address = try #require(EncryptedFileAddress(whole))
    #expect(address.url == "https://\(place)")
    #expect(address.key.nonce == Hex.decode(iv) && address.key.key == Hex.decode(key))
    #expect(address.text == whole)
    #expect(EncryptedFileAddress(url: address.url, key: address.key) == address)
    #expect("\(address)" == "https://\(place)")
  }

  @Test("Old clients' IV of 16 bytes, capital letters, a thumbnail and blanks around are read")
  func variants() {
    #expect(EncryptedFileAddress("aesgcm://\(place)#00112233\(iv)\(key)")?.key.nonce.count == 16)
    #expect(EncryptedFileAddress("AESGCM://\(place)#\((iv + key).uppercased())")?.key.key == Hex.decode(key))
    for text in [whole + "\ndata:image/jpeg,/9j/4AAQ", " " + whole, whole + "\n", "\n\(whole) \n"] {
      #expect(EncryptedFileAddress(text) == EncryptedFileAddress(whole), "\(text)")
    }
  }

  @Test("A text that is anything else is none")
  func refused() {
    for text in [
      "", "aesgcm://", "aesgcm://#\(iv)\(key)", "aesgcm://\(place)", "aesgcm://\(place)#", "aesgcm://\(place)#\(key)",
      "aesgcm://\(place)#\(iv)\(key)00", "aesgcm://\(place)#\(iv)\(key.dropLast(2))", "aesgcm://\(place)#\(iv)\(key)#",
      "aesgcm://\(place)#zz\(iv.dropLast(2))\(key)", "https://\(place)#\(iv)\(key)", "http://\(place)#\(iv)\(key)",
      "See " + whole, whole + "\nHello", whole + " Hello", whole + "\ndata:image/jpeg,a b",
      whole + "\ndata:image/jpeg,a\ndata:image/jpeg,b", "aesgcm://a b/#\(iv)\(key)", "aesgcm:\(place)#\(iv)\(key)",
      "aesgcm://\(place)\u{1B}[2J#\(iv)\(key)", "aesgcm:///etc/passwd#\(iv)\(key)", "aesgcm://host:99999/#\(iv)\(key)",
      "aesgcm://\(String(repeating: "x", count: 5_000))/#\(iv)\(key)",
    ] {
      #expect(EncryptedFileAddress(text) == nil, "\(text.prefix(200))")
    }
  }

  @Test("An address is made of https alone")
  func made() {
    let key = FileKey(key: [UInt8](1...32), nonce: [UInt8](1...12))
    #expect(EncryptedFileAddress(url: "https://example.org/f", key: key) != nil)
    for url in ["http://example.org/f", "https://example.org/f#x", "ftp://example.org/f", "example.org"] {
      #expect(EncryptedFileAddress(url: url, key: key) == nil, "\(url)")
    }
    for wrong in [
      FileKey(key: Array(key.key.dropLast()), nonce: key.nonce), FileKey(key: key.key, nonce: []), .unknown,
      FileKey(key: Array(key.key.prefix(16)), nonce: key.nonce),
    ] {
      #expect(EncryptedFileAddress(url: "https://example.org/f", key: wrong) == nil)
    }
  }

  @Test("A file has its name from the end of its path, and the type of a picture from that")
  func names() throws {
    #expect(try shared(place) == SharedPlace("très cool.jpg", "image/jpeg"))
    #expect(try shared("example.org/a/b.PNG?x=/y.gif") == SharedPlace("b.PNG", "image/png"))
    #expect(try shared("example.org/%2e%2e%2fpasswd") == SharedPlace(".._passwd", nil))
    #expect(try shared("example.org/100%") == SharedPlace("100%", nil))
    #expect(try shared("example.org/%FF%1B") == SharedPlace("%FF%1B", nil))
    #expect(try shared("example.org/..") == SharedPlace(nil, nil))
    #expect(try shared("example.org") == SharedPlace(nil, nil))
  }

  private struct SharedPlace: Equatable {
    let name: String?
    let type: String?

    init(_ name: String?, _ type: String?) { (self.name, self.type) = (name, type) }
  }

  private func shared(_ place: String) throws -> SharedPlace {
    var writer = XMLWriter()
    writer.open("message", xmlns: "jabber:client")
    try #require(EncryptedFileAddress("aesgcm://\(place)#\(iv)\(key)")).writeShared(into: &writer)
    writer.close()
    let file = try #require(Element.parse(writer.bytes).flatMap { FileSharing.files(of: $0).first })
    #expect(file.url == "https://\(place)" && file.key?.key == Hex.decode(key))
    return SharedPlace(file.metadata.name, file.metadata.type)
  }
}
