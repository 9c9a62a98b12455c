import JSON
import Screen
import Testing

@testable import TerminalUI

@Suite("Sending files")
struct FileSendingTests {
  private let ui = Harness.opened()

  init() { ui.answerHistory(Harness.two) }

  /// The requests with files that the UI made so far.
  private var passed: [(request: FileRequest, line: JSONValue?)] {
    ui.actions.compactMap { action in
      guard case .pass(let request) = action else { return nil }
      return (request, try? JSONParser.parse(request.bytes.filter { $0 != 0x0A }, maximumDepth: 9))
    }
  }

  @Test("/file sends a file with its text; what is not stored yet is shown")
  func command() {
    ui.type("/file /tmp/a\\ b.png look at this")
    ui.press("Enter")
    let (request, line) = passed[0]
    #expect(request.paths == ["/tmp/a b.png"])
    #expect(line?["verb"]?.string == "send-file" && line?["to"]?.string == "bob@example.org")
    #expect(line?["text"]?.string == "look at this" && line?["key"]?.string?.hasPrefix("ui-run-") == true)
    #expect(ui.shows("not stored yet"))
    ui.answer(line, final: #""ok":true,"id":9,"state":"queued""#)
    #expect(!ui.shows("not stored yet"))
  }

  @Test("several files go in one message, nine at most; several that are dropped are asked about together")
  func several() {
    ui.type("/file /tmp/a '/tmp/b c' -- /me has two")
    ui.press("Enter")
    #expect(passed[0].request.paths == ["/tmp/a", "/tmp/b c"] && passed[0].line?["text"]?.string == "/me has two")
    ui.handle(.notOpened(passed[0].request.message, "no"))
    #expect(ui.shows("› /file /tmp/a /tmp/b\\ c -- /me has two"))
    ui.press("Ctrl-U")
    ui.type("/file" + String(repeating: " /a", count: 10))
    ui.press("Enter")
    #expect(ui.shows("A message has at most 9 files.") && passed.count == 1)
    ui.press("Ctrl-U")
    ui.handle(.input(.paste(Array("/tmp/a /tmp/b".utf8))))
    let looked = ui.actions.compactMap { if case .lookAt(let paths, let key) = $0 { (paths, key) } else { nil } }
    #expect(looked.map(\.0) == [["/tmp/a", "/tmp/b"], ["/tmp/a /tmp/b"]])
    ui.handle(.foundFiles(looked[0].0, looked[0].1))
    #expect(ui.shows("Send these 2 files to Bob"))
    ui.press("Enter")
    #expect(passed[1].request.paths == ["/tmp/a", "/tmp/b"])
  }

  @Test("without a path a file is chosen from a folder, and folders are gone through")
  func picker() {
    ui.press("C-x t")
    #expect(ui.actions.last == .list("~") && ui.shows("Reading the folder"))
    let entry = { (name: String, isFolder: Bool) in FolderListing.Entry(name: name, isFolder: isFolder, size: 5) }
    let home = [entry("b.png", false), entry(".secret", false), entry("pictures", true), entry("a.txt", false)]
    ui.handle(.folder(FolderListing(path: "~", entries: home)))
    let rows = ui.screen.filter { $0.contains("pictures/") || $0.contains("a.txt") || $0.contains("b.png") }
    #expect(rows.count == 3 && rows[0].contains("pictures/") && !ui.shows(".secret"))
    ui.type("pict")
    ui.press("Enter")
    #expect(ui.actions.last == .list("~/pictures") && ui.shows("Send a file of ~/pictures"))
    ui.handle(.folder(FolderListing(path: "~/pictures", entries: [], failure: "~/pictures: permission denied")))
    #expect(ui.shows("permission denied"))
    ui.press("Enter")
    #expect(ui.actions.last == .list("~"))
    ui.handle(.folder(FolderListing(path: "~", entries: home)))
    ui.type("b.png")
    ui.press("Enter")
    #expect(passed.map(\.request.paths) == [["~/b.png"]])
    #expect(
      ["/", "/a", "/a/b", "~", "~/a", "~/.."].map { FolderListing(path: $0, entries: []).parent }
        == ["/", "/", "/a", "~/..", "~", "~/../.."])
  }

  @Test("a file that cannot be opened, or is refused, comes back as it was typed")
  func refused() {
    ui.type("/file /tmp/none")
    ui.press("Enter")
    ui.handle(.notOpened(passed[0].request.message, "/tmp/none: there is no regular file"))
    #expect(ui.shows("Not sent: /tmp/none: there is no regular file"))
    #expect(ui.shows("› /file /tmp/none"))
    ui.press("Enter")
    ui.answer(passed[1].line, final: #""ok":false,"error":"not-supported","reason":"the server takes no files""#)
    #expect(ui.shows("Not sent: the server takes no files"))
    #expect(ui.shows("› /file /tmp/none"))
  }

  @Test("after a cut the file goes again under its key")
  func again() {
    ui.type("/file /tmp/a hi")
    ui.press("Enter")
    ui.handle(.disconnected("cut"))
    ui.connect()
    #expect(passed.count == 2 && passed[1].request.paths == ["/tmp/a"])
    #expect(passed[1].line?["key"] == passed[0].line?["key"])
  }

  @Test("a path that is pasted alone is asked about, never sent by itself")
  func dropped() {
    ui.handle(.input(.paste(Array("'/tmp/a b.png'".utf8))))
    #expect(passed.isEmpty)
    guard case .lookAt(let paths, let key)? = ui.actions.last else { return #expect(Bool(false), "nobody looks") }
    #expect(paths == ["/tmp/a b.png"])
    ui.handle(.foundFiles(paths, key))
    #expect(passed.isEmpty && ui.shows("Send the file /tmp/a b.png to Bob"))
    ui.press("Esc")
    #expect(passed.isEmpty && ui.shows("› '/tmp/a b.png'"))
    ui.handle(.foundFiles(paths, key))
    ui.press("Enter")
    #expect(passed.map(\.request.paths) == [["/tmp/a b.png"]])
    #expect(!ui.shows("› '/tmp"))
  }

  @Test("a path within a text, and one that was typed on meanwhile, is a text")
  func text() {
    ui.handle(.input(.paste(Array("see /tmp/a".utf8))))
    #expect(ui.actions.isEmpty)
    ui.press("Ctrl-U")
    ui.handle(.input(.paste(Array("/tmp/a".utf8))))
    guard case .lookAt(let paths, let key)? = ui.actions.last else { return #expect(Bool(false), "nobody looks") }
    ui.type(" is a path")
    ui.handle(.foundFiles(paths, key))
    #expect(!ui.shows("Send the file"))
  }
}
