import ConfabConfiguration
import Testing

@testable import ConfabAccounts

@Suite("What a new configuration changes")
struct ConfigurationChangesTests {
  /// One file, and one group.
  private struct OneFile: SettingsFiles {
    let text: String

    func contents(of path: String, limit: Int) -> FileContents {
      FileContents(bytes: Array(text.utf8), mode: 0o600, owner: 0)
    }
    func exists(_ path: String) -> Bool { true }
    func openness(of path: String) -> String? { nil }
    func groupID(of name: String) -> UInt32? { name == "staff" ? 50 : nil }
  }

  /// A value for each key that is not its default.
  private static let values = [
    "socket": "/run/other", "data": "/var/other", "snap-interval": "12h", "log-level": "debug",
    "dns-server": "192.0.2.1", "allow-uid": "1234", "socket-group": "staff", "max-connections": "77",
    "max-connections-per-uid": "77", "max-requests": "77", "max-output": "64K", "max-total-output": "2M",
    "on-stop": "close", "cache-size": "1M", "fetch-max": "1M", "fetch-private": "yes", "spool-size": "1M",
    "strangers-floor": "1M", "strip-metadata": "no",
  ]

  private static func read(_ line: String) throws -> Configuration {
    try Configuration.read(
      path: "/c", environment: ["RUNTIME_DIRECTORY": "/run/confab", "STATE_DIRECTORY": "/var/lib/confab"],
      files: OneFile(text: "[daemon]\n\(line)\n[account a]\njid = a@example.org\npassword = x\n"))
  }

  @Test("each key of [daemon] is named by the answer of `reload`", arguments: SettingTable.names(in: .daemon))
  func named(key: String) throws {
    let value = try #require(Self.values[key])
    let changes = ConfigurationChanges(from: try Self.read(""), to: try Self.read("\(key) = \(value)"))
    #expect(changes.changed + changes.restart == [key])
  }
}
