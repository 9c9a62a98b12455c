import ConfabClient
import Syscalls
import TestSupport
import Testing

@testable import ConfabTUI

@Suite("The file of the open panes")
struct PaneFileTests {
  private static let keys = [
    ConversationKey(jid: "bob@example.org"), ConversationKey(account: "work", jid: "team@rooms.example.org/Caro line"),
  ]

  @Test("what is written is read again, by the folder of states or below the home, and replaced as a whole")
  func roundTrip() throws {
    let folder = try TemporaryFolder("panes")
    for variables in [["XDG_STATE_HOME": folder.file("state")], ["HOME": folder.path]] {
      let file = PaneFile(variables)
      #expect(file.read().isEmpty)
      file.write(Self.keys)
      #expect(file.read() == Self.keys)
      file.write([])
      #expect(file.read().isEmpty)
    }
  }

  @Test("lines that are none, too many, and a file that is none, are no panes and no error")
  func hostile() throws {
    let folder = try TemporaryFolder("panes")
    let file = PaneFile(["XDG_STATE_HOME": folder.path])
    file.write(Self.keys)
    let path = folder.file("confab/panes")
    _ = try folder.write("confab/panes", "no tab\n\tbob@example.org\n\u{0}\n\n")
    #expect(file.read() == [Self.keys[0]])
    _ = try folder.write("confab/panes", String(repeating: "\ta@b\n", count: 1000))
    #expect(file.read().count == 32)
    _ = try folder.write("confab/panes", String(repeating: "x", count: 70_000))
    #expect(file.read().isEmpty)
    try Paths.remove(path)
    _ = try folder.makeFolder("confab/panes")
    #expect(file.read().isEmpty)
    file.write(Self.keys)
    #expect(file.read().isEmpty)
    #expect(PaneFile(["HOME": "relative"]).read().isEmpty && PaneFile([:]).read().isEmpty)
  }
}
