import ConfabClient
import Testing

@testable import TerminalUI

@Suite("Paths that Tab completes")
struct PathCompletionTests {
  private static let bob = ConversationKey(jid: "bob@example.org")

  private static let entries = ["cat.png", "cats", "a b.txt", ".bashrc"].map { name in
    FolderListing.Entry(name: name, isFolder: name == "cats", size: 1)
  }

  /// Types a command and Tab, and reads the folder that is asked for.
  private func completed(_ typed: String, folder: String) -> Harness {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type(typed)
    ui.press("Tab")
    #expect(ui.actions.last == .list(folder))
    ui.handle(.folder(FolderListing(path: folder, entries: Self.entries)))
    return ui
  }

  private func input(_ ui: Harness) -> String { ui.app.composer[Self.bob].editor.input.text }

  @Test(
    "a path of /file and /save is completed as far as it is clear",
    arguments: [
      ("/file ca", ".", "/file cat"), ("/file cat.", ".", "/file cat.png "), ("/file ~/cats", "~", "/file ~/cats/"),
      ("/file ./a", ".", "/file ./a\\ b.txt "), ("/file ./a\\ b.", ".", "/file ./a\\ b.txt "),
      ("/save 2 /tmp/cat.", "/tmp", "/save 2 /tmp/cat.png "), ("/file /.b", "/", "/file /.bashrc "),
      ("/file /a/b/c", "/a/b", "/file /a/b/cat"), ("/file ./x ../cat.", "..", "/file ./x ../cat.png "),
    ])
  func completes(typed: String, folder: String, text: String) {
    #expect(input(completed(typed, folder: folder)) == text)
  }

  @Test("several that fit are named, without hidden ones; a file that does not exist is said to")
  func choices() {
    let several = completed("/file cat", folder: ".")
    #expect(several.shows("cats/  cat.png") && input(several) == "/file cat")
    #expect(!completed("/file ", folder: ".").shows("bashrc"))
    #expect(completed("/file dog", folder: ".").shows("No file of . begins so."))
  }

  @Test("a folder that cannot be read is said to, and a text that has changed meanwhile stays as it is")
  func late() {
    let ui = Harness.opened()
    ui.answerHistory(Harness.two)
    ui.type("/file ca")
    ui.press("Tab")
    ui.type("r")
    ui.handle(.folder(FolderListing(path: ".", entries: Self.entries)))
    #expect(input(ui) == "/file car" && ui.app.screen.folder == nil)
    ui.press("Tab")
    ui.handle(.folder(FolderListing(path: ".", entries: [], failure: ".: permission denied")))
    #expect(ui.shows(".: permission denied"))
  }

  @Test("a path in quotes is left alone")
  func quotes() {
    #expect(PathCompletion("/file 'ca", in: Self.bob) == nil && PathCompletion("/mute ca", in: Self.bob) == nil)
  }
}
