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
    "a text is paths alone, or not; spaces can be part of one",
    arguments: [
      ("/tmp/a.png", [["/tmp/a.png"]]), ("'/tmp/a b.png' ", [["/tmp/a b.png"]]),
      ("file:///tmp/a%20b.png\n", [["/tmp/a b.png"]]),
      ("file://localhost/tmp/a", [["/tmp/a"]]), ("file://elsewhere/tmp/a", []), ("file:///tmp/%zz", []),
      ("/tmp/a and more", [["/tmp/a and more"]]), ("see /tmp/a", []), ("a.png", []), ("~/a.png", []),
      ("/tmp/a '/tmp/b c'", [["/tmp/a", "/tmp/b c"]]), ("file:///tmp/a\r\nfile:///b\r\n", [["/tmp/a", "/b"]]),
      ("/tmp/a /b", [["/tmp/a", "/b"], ["/tmp/a /b"]]), ("", []),
      (String(repeating: "'/a' ", count: 9), [Array(repeating: "/a", count: 9)]),
      (String(repeating: "'/a' ", count: 10), []),
    ])
  func alone(text: String, paths: [[String]]) { #expect(TypedPath.alone(text) == paths) }

  @Test(
    "words behind the first path that look like paths are paths, up to the text",
    arguments: [
      ("a.png", ["a.png"], ""),
      ("/tmp/a /b ~/c ./d ../e hello /f", ["/tmp/a", "/b", "~/c", "./d", "../e"], "hello /f"),
      ("/a -- /b is gone", ["/a"], "/b is gone"), ("'/a b' file:///c%20d", ["/a b", "/c d"], ""), ("/a --", ["/a"], ""),
      ("/a and/or", ["/a"], "and/or"), ("/a -- -- x", ["/a"], "-- x"),
    ])
  func all(text: String, paths: [String], rest: String) {
    let found = TypedPath.all(of: text)
    #expect(found?.paths == paths && found?.rest == rest)
    let again = TypedPath.all(of: TypedPath.words(paths, rest))
    #expect(again?.paths == paths && again?.rest == rest)
  }
}
