import Testing

@testable import TerminalUI

@Suite("Paths as they are typed and dropped")
struct TypedPathTests {
  @Test(
    "a path is read with its quotes and backslashes, and what stands behind it",
    arguments: [
      ("a.png", "a.png", ""), ("/tmp/a.png look at this", "/tmp/a.png", "look at this"),
      ("'/tmp/a b.png'  hi", "/tmp/a b.png", "hi"), ("\"it's\" x", "it's", "x"),
      (#"/tmp/a\ b.png"#, "/tmp/a b.png", ""),
      (#"~/it\'s.txt"#, "~/it's.txt", ""),
    ])
  func first(text: String, path: String, rest: String) {
    let found = TypedPath.first(of: text)
    #expect(found?.path == path)
    #expect(found?.rest == rest)
    #expect(TypedPath.first(of: TypedPath.quoted(path))?.path == path)
  }

  @Test("a quotation without end is no path", arguments: ["", "'/tmp/a", " x"])
  func none(text: String) { #expect(TypedPath.first(of: text) == nil) }

  @Test(
    "a text is a path alone, or not",
    arguments: [
      ("/tmp/a.png", "/tmp/a.png"), ("'/tmp/a b.png' ", "/tmp/a b.png"), ("file:///tmp/a%20b.png\n", "/tmp/a b.png"),
      ("file://localhost/tmp/a", "/tmp/a"), ("file://elsewhere/tmp/a", nil), ("file:///tmp/%zz", nil),
      ("/tmp/a and more", nil), ("see /tmp/a", nil), ("a.png", nil), ("~/a.png", nil),
    ])
  func alone(text: String, path: String?) { #expect(TypedPath.alone(text) == path) }
}
