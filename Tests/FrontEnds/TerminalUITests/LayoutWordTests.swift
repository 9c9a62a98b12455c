import ConfabClient
import JSON
import Screen
import Testing

@testable import TerminalUI

struct LayoutWordTests {
  @Test(
    "links end before white space and what ends a sentence",
    arguments: [
      ("see https://example.org/a.", ["https://example.org/a"]), ("(http://a.b/c)", ["http://a.b/c"]),
      ("https://en.example.org/wiki/A_(b)!", ["https://en.example.org/wiki/A_(b)"]), ("xhttp://a.b", []),
      ("HTTPS://A.B and http://", ["HTTPS://A.B"]), ("https://例え.jp/ü，文", ["https://例え.jp/ü"]),
      ("<https://a.b>\"http://c.d\"", ["https://a.b", "http://c.d"]), ("http:/a https:", []), ("", []),
    ])
  func links(text: String, expected: [String]) {
    let scalars = Array(text.unicodeScalars)
    let found = ShownLinks.links(in: text).map { String(String.UnicodeScalarView(scalars[$0])) }
    #expect(found == expected)
  }

  @Test(
    "initials are two columns of a name's first and last word",
    arguments: [
      ("Bob Miller", "BM"), ("bob", "BO"), ("x", "X "), ("Anna Maria Schmidt", "AS"), ("李小龙", "李"), ("", "??"),
      ("...", "??"),
      ("ß", "SS"), ("élan vital", "ÉV"), ("  a  ", "A "), ("ben@home.test", "BE"),
      ("ben.miller@home.test", "BM"), ("b@home.test", "B "), ("Bob @ work", "BW"),
    ])
  func initials(name: String, expected: String) {
    #expect(Initials.of(name, in: LayoutSupport.context(80)) == expected)
  }

  @Test("a failure says why, what to do, and the server's words")
  func failures() {
    #expect(MessageRow.failureWords(nil) == "Not delivered. Send it again.")
    #expect(
      MessageRow.failureWords("remote-server-not-found: no route")
        == "Not delivered: there is no such server. Check the address. (no route)")
    #expect(MessageRow.failureWords("strange") == "Not delivered: strange. Send it again.")
  }

  @Test(
    "a failure of files that were not uploaded is about the upload, and not about the receiver",
    arguments: [
      ("not-acceptable: the file is too large.", "Not sent: the file is too large."),
      ("forbidden: status 403", "Not sent: status 403."), ("undefined-condition", "Not sent: undefined-condition."),
      (
        "expired",
        "Not sent: its time was over before it could leave. Send it again if it still matters."
      ),
    ])
  func unsentFiles(reason: String, words: String) {
    let files: JSONValue = .array([.object([JSONMember("name", .string("a.png"))])])
    var row = LayoutSupport.message("", mine: true, ["state": .string("failed"), "attachments": files])
    row.failure = reason
    #expect(row.failureWords() == words)
  }

  @Test("marks are one column a letter, of which no terminal is in doubt")
  func symbols() {
    for child in Mirror(reflecting: Symbols.unicode).children + Array(Mirror(reflecting: Symbols.ascii).children) {
      let text = child.value as? String ?? ""
      let glyphs = Clusters.split(text)
      #expect(glyphs.count == text.count && glyphs.allSatisfy { $0.width == 1 && !$0.isDoubtful }, "\(text)")
    }
    for child in Mirror(reflecting: Symbols.ascii).children {
      #expect((child.value as? String)?.utf8.allSatisfy { $0 < 0x80 } == true)
    }
  }
}
