import ConfabRuntime
import ConfabConfiguration
import TestSupport
import Testing

@Suite("Settings from real files")
struct RealSettingsFilesTests {
  private let folder: TemporaryFolder
  private let files = RealSettingsFiles()

  init() throws { folder = try TemporaryFolder() }

  private func failure(of path: String, limit: Int = 10) -> SettingsFileError? {
    do throws(SettingsFileError) {
      _ = try files.contents(of: path, limit: limit)
      return nil
    } catch {
      return error
    }
  }

  @Test("are read with their mode, through links", arguments: [0o600, 0o440, 0o644] as [UInt32])
  func contents(mode: UInt32) throws {
    let path = try folder.write("file", "0123456789", mode: mode)
    _ = try runCommand("ln", "-s", path, folder.file("link"))
    for path in [path, folder.file("link")] {
      let contents = try files.contents(of: path, limit: 10)
      #expect(contents.bytes == Array("0123456789".utf8))
      #expect(contents.mode == mode)
    }
  }

  @Test("may be too long, missing, a folder, or a FIFO that nobody writes to")
  func refused() throws {
    let path = try folder.write("file", "0123456789")
    #expect(failure(of: path, limit: 9) == .tooLong(limit: 9))
    #expect(failure(of: folder.file("none")) == .missing)
    #expect(failure(of: path + "/below") == .missing)
    #expect(failure(of: folder.path) == .failed("Is a directory"))
    _ = try runCommand("mkfifo", folder.file("fifo"))
    #expect(failure(of: folder.file("fifo")) == .failed("it is not a regular file"))
  }

  @Test("are there or not")
  func exists() throws {
    #expect(files.exists(try folder.write("file", "")))
    #expect(!files.exists(folder.file("none")))
  }

  @Test("a configuration that others can read is refused for its password, and read again once it is closed to them")
  func passwordMode() throws {
    let text = "[account home]\njid = alice@example.org\npassword = secret\n"
    let path = try folder.write("confab.conf", text, mode: 0o640)
    #expect {
      try Configuration.read(path: path, environment: [:], files: files)
    } throws: {
      "\($0)".hasPrefix("\(path):3: [account home] password: expected a file that only its owner can read")
    }
    try folder.write("confab.conf", text, mode: 0o600)
    #expect(try Configuration.read(path: path, environment: [:], files: files).accounts.map(\.name) == ["home"])
  }
}
