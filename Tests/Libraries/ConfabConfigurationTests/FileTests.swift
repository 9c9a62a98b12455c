import Testing

@testable import ConfabConfiguration
@Suite("Where the configuration is")
struct FileTests {
  /// Which of the files are there, the environment, and the file that is taken.
  private static let cases: [(exists: [String], environment: [String: String], path: String)] = [
    ([], [:], "/etc/confab/confab.conf"),
    (["/h/.config/confab/confab.conf"], [:], "/etc/confab/confab.conf"),
    (["/h/.config/confab/confab.conf"], ["HOME": "/h"], "/h/.config/confab/confab.conf"),
    ([], ["HOME": "/h"], "/etc/confab/confab.conf"),
    (["/x/confab/confab.conf"], ["XDG_CONFIG_HOME": "/x", "HOME": "/h"], "/x/confab/confab.conf"),
    (["/h/.config/confab/confab.conf"], ["XDG_CONFIG_HOME": "/x", "HOME": "/h"], "/etc/confab/confab.conf"),
    (["/h/.config/confab/confab.conf"], ["XDG_CONFIG_HOME": "x", "HOME": "/h"], "/h/.config/confab/confab.conf"),
    (["/h/.config/confab/confab.conf"], ["XDG_CONFIG_HOME": "", "HOME": "/h"], "/h/.config/confab/confab.conf"),
    (["h/.config/confab/confab.conf"], ["HOME": "h"], "/etc/confab/confab.conf"),
  ]

  @Test("follows the environment", arguments: cases.indices)
  func rule(index: Int) {
    let (exists, environment, path) = Self.cases[index]
    let contents = FileContents(bytes: [], mode: 0o600, owner: 0)
    let files = MemoryFiles(Dictionary(uniqueKeysWithValues: exists.map { ($0, contents) }))
    #expect(ConfigurationFile.path(option: nil, environment: environment, files: files) == path)
    #expect(ConfigurationFile.path(option: "./mine", environment: environment, files: files) == "./mine")
  }

  @Test(
    "may be missing or closed to us",
    arguments: [
      (nil, "/c: expected a configuration file, found none"),
      (.failed("Permission denied"), "/c: expected a configuration file that can be read, found Permission denied"),
    ] as [(SettingsFileError?, String)])
  func unreadable(failure: SettingsFileError?, error: String) {
    let files = MemoryFiles(failures: failure.map { ["/c": $0] } ?? [:])
    #expect {
      try Configuration.read(path: "/c", environment: [:], files: files)
    } throws: {
      "\($0)" == error
    }
  }

  @Test("is the only file that reading it opens")
  func onlyOne() throws {
    let text = rightAccount.replacing("password = ", with: "password-file = /") + "ca-file = /nowhere\n"
    let files = MemoryFiles(["/c": FileContents(bytes: Array(text.utf8), mode: 0o644, owner: 0)])
    _ = try Configuration.read(path: "/c", environment: [:], files: files)
    #expect(files.reads == ["/c"])
  }
}

@Suite("The table of keys")
struct TableTests {
  @Test("has each key once, in words")
  func rows() {
    let names = SettingTable.keys.map { "\($0.section.rawValue) \($0.name)" }
    #expect(Set(names).count == names.count)
    for key in SettingTable.keys {
      #expect(key.help.hasSuffix(".") && !key.expected.isEmpty, "\(key.name)")
      #expect(key.name.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }, "\(key.name)")
    }
  }

  @Test("knows the keys of this version")
  func supported() {
    #expect(
      SettingTable.names(in: .daemon) == [
        "socket", "data", "snap-interval", "log-level", "dns-server", "allow-uid", "socket-group", "max-connections",
        "max-connections-per-uid", "max-requests", "max-output", "max-total-output", "on-stop",
        "cache-size", "fetch-max", "fetch-private", "spool-size", "strangers-floor",
        "strip-metadata",
      ])
    #expect(
      SettingTable.names(in: .account)
        == [
          "jid", "password", "password-file", "password-command", "server", "tls", "proxy", "ca-file", "resource",
          "plain", "archive-first-sync", "receipts", "markers", "idle-time",
          "in-doubt", "outbox-max-age", "encryption", "trust",
        ])
    #expect(
      SettingTable.names(in: .socket)
        == ["path", "rights", "account", "to", "encryption", "rate", "allow-uid", "socket-group"])
    #expect(
      Set(SettingTable.keys.filter(\.isRepeatable).map(\.name)) == [
        "dns-server", "allow-uid", "account", "to",
      ])
    #expect(SettingTable.keys.filter { $0.isSecret("x") }.map(\.name) == ["password"])
  }
}
