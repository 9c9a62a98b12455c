import Glibc
import ConfabConfiguration
import TestSupport
import Testing

@Suite("Trust in files")
struct FileTrustTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.makeFolder("conf")
    file = try folder.write("conf/confab.conf", "")
  }

  private func problem(_ path: String? = nil) -> String? {
    FileTrust.problem(withConfiguration: path ?? file, user: getuid()).map { "\($0.path) \($0.found)" }
  }

  @Test("a file that only its owner can write is trusted, even if readable to all or in a sticky directory")
  func fine() throws {
    #expect(problem() == nil)
    try runCommand("chmod", "0644", file)
    try runCommand("chmod", "1777", folder.file("conf"))
    #expect(problem() == nil)
  }

  @Test(
    "a file or a parent directory that others can write is refused", arguments: ["conf/confab.conf", "conf", ""])
  func open(name: String) throws {
    let path = name.isEmpty ? folder.path : folder.file(name)
    try runCommand("chmod", "0702", path)
    #expect(problem() == "\(path) mode 702")
  }

  @Test("the user's own group counts as the user, another one does not", .enabled(if: getuid() == 0))
  func group() throws {
    try runCommand("chmod", "0660", file)
    #expect(problem() == nil)
    try runCommand("chgrp", "1", file)
    #expect(problem() == "\(file) mode 660")
  }

  @Test("a file or directory of another user is refused", .enabled(if: getuid() == 0))
  func owner() throws {
    try runCommand("chown", "65534", folder.file("conf"))
    #expect(problem() == "\(folder.file("conf")) owned by uid 65534")
    #expect(FileTrust.problem(withConfiguration: file, user: 65534) == nil)
  }

  @Test("a symbolic link, or a link's target, that belongs to others is refused")
  func links() throws {
    _ = try folder.makeFolder("open")
    try runCommand("ln", "-s", "../conf", folder.file("open/link"))
    try runCommand("ln", "-s", "open/link/../conf/confab.conf", folder.file("short"))
    #expect(problem(folder.file("short")) == nil)
    try runCommand("chmod", "0777", folder.file("open"))
    #expect(problem(folder.file("short")) == "\(folder.file("open")) mode 777")
  }

  @Test("a missing file is no problem here: reading it reports the error")
  func missing() {
    #expect(problem(folder.file("none/confab.conf")) == nil)
  }

  @Test("a directory of one's own may not be sticky and open; one that is missing may be made in such a one")
  func directories() throws {
    let place = folder.file("conf")
    func problem(_ path: String) -> String? {
      FileTrust.problem(withDirectory: path, stake: "the log", user: getuid()).map { "\($0.path) \($0.found)" }
    }
    #expect(problem(place) == nil)
    try runCommand("chmod", "1777", place)
    #expect(problem(place) == "\(place) mode 1777")
    #expect(problem(place + "/data") == nil)
    try runCommand("chmod", "0777", place)
    #expect(problem(place + "/data") == "\(place) mode 777")
  }
}
