import Manuals
import TestSupport
import Testing

@Suite("Manual pages")
struct ManualPageTests {
  private static let pages = Manuals.documents.filter { $0.path.hasPrefix("docs/man/") }.map(\.path)

  @Test("are source that mandoc has nothing to say of", arguments: pages)
  func lint(path: String) throws {
    let done = try Program.run(["mandoc", "-T", "lint", "-W", "warning", Products.repository + "/" + path])
    #expect(done.status == .exited(0) && done.text.isEmpty, "\(done.text)")
  }

  @Test(
    "hold what people look for",
    arguments: [
      ("docs/man/confab.1", ["send [--wait=sent|delivered|displayed]", "--timeout", "--socket PATH", "75 "]),
      ("docs/man/confabd.8", ["--check", "WATCHDOG_USEC", "78 "]),
      ("docs/man/confab.conf.5", ["password-file", "snap-interval", "24h"]),
      ("docs/man/confab-protocol.7", ["line-too-long", "{\"confab\":1,", "until=END"]),
    ])
  func contents(path: String, words: [String]) throws {
    let done = try Program.run(["mandoc", "-T", "utf8", "-O", "width=200", Products.repository + "/" + path])
    // Bold is a letter, a backspace and the letter again.
    let text = done.text.replacing(/.\u{8}/, with: "")
    for word in words { #expect(text.contains(word), "\(word)") }
  }
}
