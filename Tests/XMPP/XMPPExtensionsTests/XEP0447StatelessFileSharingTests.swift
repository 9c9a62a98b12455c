import Testing
import XML

@testable import XMPPExtensions

@Suite struct XEP0447StatelessFileSharingTests {
  static func sharing(_ name: String, _ sources: String) -> String {
    "<file-sharing xmlns='urn:xmpp:sfs:0'><file xmlns='urn:xmpp:file:metadata:0'><name>\(name)</name></file>"
      + "<sources>\(sources)</sources></file-sharing>"
  }

  static func urlData(_ url: String) -> String {
    "<url-data xmlns='http://jabber.org/protocol/url-data' target='\(url)'/>"
  }

  @Test("Files are read with the first address that is one, and addresses of XEP-0066 once")
  func reading() throws {
    let message = try element(
      "<message>\(Self.sharing("a", Self.urlData("no address") + Self.urlData("https://example.org/a")))"
        + Self.sharing("b", "<jinglepub xmlns='urn:xmpp:jinglepub:1'/>")
        + "<file-sharing xmlns='urn:xmpp:sfs:0'/>"
        + "<x xmlns='jabber:x:oob'><url>https://example.org/a</url></x>"
        + "<x xmlns='jabber:x:oob'><url>https://example.org/c</url></x></message>")
    let files = FileSharing.files(of: message)
    #expect(files.map(\.url) == ["https://example.org/a", nil, "https://example.org/c"])
    #expect(files.map(\.metadata.name) == ["a", "b", nil])
  }

  @Test("Of several addresses the first of the web counts, else the first")
  func severalSources() throws {
    let (ftp, web) = ("ftp://example.org/a", "https://example.org/a")
    for (sources, url) in [([ftp, web], web), ([web, ftp], web), ([ftp], ftp)] {
      let message = try element("<message>\(Self.sharing("a", sources.map(Self.urlData).joined()))</message>")
      #expect(FileSharing.files(of: message).map(\.url) == [url])
    }
  }

  @Test("Only so many files of a message are read")
  func bound() throws {
    let one = Self.sharing("a", "") + "<x xmlns='jabber:x:oob'><url>https://example.org/c</url></x>"
    let message = try element("<message>\(String(repeating: one, count: 100))</message>")
    #expect(FileSharing.files(of: message).count == FileSharing.most)
  }

  @Test("Several files that are written have different ids, and are read back")
  func writing() throws {
    var files = [SharedFile(), SharedFile()]
    for index in files.indices {
      (files[index].url, files[index].metadata.name) = ("https://example.org/\(index)?a=b&c", "\(index).txt")
    }
    var writer = XMLWriter()
    FileSharing.write(files, into: &writer)
    let message = try element("<message>\(String(decoding: writer.bytes, as: UTF8.self))</message>")
    #expect(FileSharing.files(of: message) == files)
    #expect(message.children("file-sharing", FileSharing.namespace).compactMap { $0.attribute("id") } == ["0", "1"])
  }
}
