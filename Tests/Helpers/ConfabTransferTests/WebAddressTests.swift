import Testing

@testable import ConfabTransfer

@Suite("Web addresses and heads of responses")
struct WebAddressTests {
  @Test(
    "Hosts are lower case, addresses in one form, ports known",
    arguments: [
      ("HTTP://Example.ORG/x", "http", "example.org", 80), ("https://a.b:8443", "https", "a.b", 8443),
      ("http://[::1]/", "http", "::1", 80), ("http://127.1/", "http", "127.0.0.1", 80),
      ("http://0x7f000001/", "http", "127.0.0.1", 80), ("http://u:p@h/#f", "http", "h", 80),
      ("ftp://h/", "ftp", "h", 21),
    ] as [(String, String, String, UInt16)])
  func parts(text: String, scheme: String, host: String, port: UInt16) throws {
    let address = try #require(WebAddress(text))
    #expect(address.scheme == scheme && address.host == host && address.port == port)
  }

  @Test(
    "What is no URL is refused", arguments: ["", "x", "/x", "http://", "http://h:99999/", "http://h/\n", "http://\0h/"])
  func wrong(text: String) {
    #expect(WebAddress(text) == nil)
  }

  @Test("References are resolved; a scheme is known as such")
  func references() throws {
    let base = try #require(WebAddress("https://h/a/b?c"))
    #expect(base.resolving("//other/x")?.host == "other")
    #expect(base.resolving("../x")?.scheme == "https")
    #expect(base.resolving("http://p:8080/")?.port == 8080)
    #expect(WebAddress.scheme(of: "File:///x") == "file")
    #expect(WebAddress.scheme(of: "javascript:x") == "javascript")
    for text in ["/a:b", "a/b:c", "x", "1a:b", ":x", "?a:b"] { #expect(WebAddress.scheme(of: text) == nil) }
  }

  @Test("A head is read line by line, the last one counts")
  func head() {
    var head = ResponseHead()
    var ends: [Bool] = []
    for line in ["HTTP/1.1 100 Continue", "Location: x", ""] { ends.append(head.take((line + "\r\n").utf8)) }
    #expect(ends == [false, false, true] && !head.isFinal)
    for line in ["HTTP/2 200", "content-TYPE:  a/b ", "Content-Type: c", "Content-Length: 12"] {
      _ = head.take(line.utf8)
    }
    #expect(head.isFinal)
    #expect(head.status == 200 && head.contentType == "a/b" && head.location == nil && head.contentLength == 12)
    #expect(!head.hasTwoLengths && !head.hasForeignCoding)
  }

  @Test("Lengths that differ, or are none, and codings of the transfer are known")
  func oddHeads() {
    for (lines, isOdd) in [
      (["Content-Length: 1", "Content-Length: 1"], false), (["Content-Length: 1", "Content-Length: 2"], true),
      (["Content-Length: -1"], true), (["Content-Length: 1, 1"], true), (["Transfer-Encoding: CHUNKED"], false),
      (["Transfer-Encoding: gzip, chunked"], true), (["no colon", ": empty", "\u{0}"], false),
    ] {
      var head = ResponseHead()
      for line in lines { _ = head.take(line.utf8) }
      #expect((head.hasTwoLengths || head.hasForeignCoding) == isOdd, "\(lines)")
    }
  }
}
