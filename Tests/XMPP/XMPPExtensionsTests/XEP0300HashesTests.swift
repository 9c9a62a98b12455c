import Bytes
import Crypto
import Testing
import XML

@testable import XMPPExtensions

@Suite struct XEP0300HashesTests {
  @Test("Hashes of known functions are read once each, malformed ones too; others are left out")
  func reading() throws {
    let sha256 = Base64.encode([UInt8](repeating: 7, count: 32))
    let file = try element(
      "<file><hash xmlns='urn:xmpp:hashes:2' algo='sha-256'>\n \(sha256)\n</hash>"
        + "<hash xmlns='urn:xmpp:hashes:2' algo='sha-256'>\(Base64.encode([UInt8](repeating: 8, count: 32)))</hash>"
        + "<hash xmlns='urn:xmpp:hashes:2' algo='sha3-256'>\(sha256)</hash>"
        + "<hash xmlns='urn:xmpp:hashes:2' algo='sha-512'>\(sha256)</hash>"
        + "<hash xmlns='urn:xmpp:hashes:2' algo='sha-1'>?</hash><hash xmlns='urn:xmpp:hashes:2'>\(sha256)</hash></file>"
    )
    let seven = [UInt8](repeating: 7, count: 32)
    #expect(FileHash.all(in: file) == [FileHash(.sha256, seven), FileHash(.sha512, seven), FileHash(.sha1, [])])
  }

  @Test("A hash that is written is read back")
  func writing() throws {
    let hash = FileHash(.sha512, try Digest.hash(Array("hello".utf8), .sha512))
    var writer = XMLWriter()
    hash.write(into: &writer)
    #expect(FileHash.all(in: try element("<file>\(String(decoding: writer.bytes, as: UTF8.self))</file>")) == [hash])
  }
}
