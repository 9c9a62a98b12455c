import Synchronization

@testable import ConfabConfiguration
/// Files that are only in the test.
final class MemoryFiles: SettingsFiles {
  private let files: [String: FileContents]
  private let failures: [String: SettingsFileError]
  private let asked = Mutex<[String]>([])

  init(_ files: [String: FileContents] = [:], failures: [String: SettingsFileError] = [:]) {
    self.files = files
    self.failures = failures
  }

  /// The paths that were read, in order.
  var reads: [String] { asked.withLock { $0 } }

  func contents(of path: String, limit: Int) throws(SettingsFileError) -> FileContents {
    asked.withLock { $0.append(path) }
    if let failure = failures[path] { throw failure }
    guard let file = files[path] else { throw .missing }
    guard file.bytes.count <= limit else { throw .tooLong(limit: limit) }
    return file
  }

  func exists(_ path: String) -> Bool { files[path] != nil || failures[path] != nil }

  /// One group.
  func openness(of path: String) -> String? { nil }
  func groupID(of name: String) -> UInt32? { ["staff": 50, "50": 50][name] }
}

/// Commands that print what the test says, or fail as it says.
struct ScriptedCommands: PasswordCommands {
  var output: Result<String, PasswordCommandError> = .failure(PasswordCommandError(reason: "that there is none"))

  func output(of command: String, limit: Int) throws(PasswordCommandError) -> [UInt8] {
    Array(try output.get().utf8.prefix(limit))
  }
}

/// Reads `bytes` as the file `/c`.
func read(
  bytes: [UInt8], mode: UInt32 = 0o600, environment: [String: String] = [:]
) throws(ConfigurationError) -> Configuration {
  let files = MemoryFiles(["/c": FileContents(bytes: bytes, mode: mode, owner: 0)])
  return try Configuration.read(path: "/c", environment: environment, files: files)
}

/// Reads `text` as the file `/c`.
func read(
  _ text: String, mode: UInt32 = 0o600, environment: [String: String] = [:]
) throws(ConfigurationError) -> Configuration {
  try read(bytes: Array(text.utf8), mode: mode, environment: environment)
}

/// What the error of `bytes` says; nil if there is none.
func complaint(bytes: [UInt8], mode: UInt32 = 0o600, environment: [String: String] = [:]) -> String? {
  do throws(ConfigurationError) {
    _ = try read(bytes: bytes, mode: mode, environment: environment)
    return nil
  } catch {
    return error.description
  }
}

/// What the error of `text` says; nil if there is none.
func complaint(_ text: String, mode: UInt32 = 0o600, environment: [String: String] = [:]) -> String? {
  complaint(bytes: Array(text.utf8), mode: mode, environment: environment)
}

/// An account of three lines that is right, for tests of something else.
let rightAccount = "[account home]\njid = alice@example.org\npassword = secret\n"
