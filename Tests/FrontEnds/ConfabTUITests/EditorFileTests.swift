import TestSupport
import Testing

@testable import ConfabTUI

@Suite("The editor's file, and the command line")
struct EditorFileTests {
  private func edited(_ text: String, by editor: String) throws -> (text: String?, path: String) {
    let folder = try TemporaryFolder("ui")
    let file = try EditorFile(text, folder: folder.path)
    let done = try Program.run(file.command, environment: ["EDITOR": editor, "PATH": "/usr/bin:/bin"])
    #expect(done.status == .exited(0), "\(done.errorText)")
    return (file.text, file.path)
  }

  @Test("what the editor leaves is the text, without the line end that it adds")
  func changed() throws {
    #expect(try edited("one two", by: "sed -i s/two/three/").text == "one three")
    #expect(try edited("one", by: #"sh -c 'printf "a\nb\n" > "$1"' sh"#).text == "a\nb")
    // Editors may put another file in its place.
    #expect(try edited("one", by: #"sh -c 'echo two > "$1.new"; mv "$1.new" "$1"' sh"#).text == "two")
  }

  @Test("a text that was left as it was is none; the file is its owner's, and goes with the text")
  func unchanged() throws {
    let (text, path) = try edited("one", by: #"sh -c 'test $(stat -c %a "$1") = 600' sh"#)
    #expect(text == nil)
    #expect(!TestFiles.exists(path))
  }

  @Test("the command line has socket, account and mode, and nothing else")
  func options() throws {
    let options = try InterfaceOptions(["--socket", "/s", "--account=home", "--plain"])
    #expect(options.socket == "/s" && options.account == "home" && options.isPlain)
    #expect(options.arguments == ["--socket=/s", "--account=home"])
    #expect(try InterfaceOptions([]) == InterfaceOptions())
    for wrong in [["send"], ["--socket"], [nil], ["--json"]] as [[String?]] {
      #expect(throws: InterfaceOptions.Failure.self) { try InterfaceOptions(wrong) }
    }
  }
}
