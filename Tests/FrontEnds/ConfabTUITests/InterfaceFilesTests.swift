import TerminalUI
import TestSupport
import Testing

@testable import ConfabTUI

@Suite("The files of the UI")
struct InterfaceFilesTests {
  /// What is said of a `tui.conf` that the command made; the settings are the usual ones.
  private func errors(_ command: String...) throws -> [String] {
    let folder = try TemporaryFolder("settings")
    _ = try runCommand("mkdir", folder.file("confab"))
    _ = try Program.run(command + [folder.file("confab/tui.conf")])
    let files = InterfaceFiles(InterfaceOptions(), variables: ["XDG_CONFIG_HOME": folder.path])
    let read = files.settings()
    #expect(read.settings == UISettings() && read.missing == nil)
    return read.errors
  }

  @Test("settings in a pipe or a directory are refused at once, and an empty file is none")
  func kinds() throws {
    #expect(try errors("mkfifo").map { $0.hasSuffix("found a pipe or a device") } == [true])
    #expect(try errors("mkdir").count == 1)
    #expect(try errors("touch").isEmpty)
  }

  @Test("where there is no file, its path is said")
  func missing() throws {
    let folder = try TemporaryFolder("settings")
    let files = InterfaceFiles(InterfaceOptions(), variables: ["XDG_CONFIG_HOME": folder.path])
    #expect(files.settings() == SettingsFile(missing: folder.file("confab/tui.conf")))
  }
}
