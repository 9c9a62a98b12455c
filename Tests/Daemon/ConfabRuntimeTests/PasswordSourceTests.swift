import ConfabAccounts
import Reactor
import SASL
import ConfabConfiguration
import Syscalls
import TestSupport
import Testing

@testable import ConfabRuntime

@Suite("Where passwords come from")
struct PasswordSourceTests {
  private let folder: TemporaryFolder
  private let commands = RealPasswordCommands()

  init() throws { folder = try TemporaryFolder() }

  /// The account of a configuration with this line.
  private func account(_ line: String, environment: [String: String] = [:]) throws -> AccountSettings {
    let path = try folder.write("confab.conf", "[account home]\njid = alice@example.org\n\(line)\n", mode: 0o644)
    let configuration = try Configuration.read(path: path, environment: environment, files: RealSettingsFiles())
    return try #require(configuration.accounts.first)
  }

  private func password(_ line: String, environment: [String: String] = [:]) throws -> Secret {
    try account(line, environment: environment).password(files: RealSettingsFiles(), commands: commands)
  }

  private func complaint(_ line: String, environment: [String: String] = [:]) -> String {
    do {
      return "\(try password(line, environment: environment))"
    } catch { return "\(error)" }
  }

  @Test("a credential as systemd passes it is read: its folder is in the environment, and nobody may write there")
  func credential() throws {
    let line = "password-file = ${CREDENTIALS_DIRECTORY}/alice"
    let credentials = try folder.makeFolder("credentials")
    let environment = ["CREDENTIALS_DIRECTORY": credentials]
    // With an access list for the daemon's user, its mask shows as the group's bits.
    for mode: UInt32 in [0o400, 0o440] {
      try folder.write("credentials/alice", "secret\n", mode: mode)
      _ = try runCommand("chmod", "500", credentials)
      defer { _ = try? runCommand("chmod", "700", credentials) }
      #expect(try password(line, environment: environment) == Secret(Array("secret".utf8)))
    }
    for (environment, what) in [([:], "unset"), (["CREDENTIALS_DIRECTORY": ""], "empty")]
      as [([String: String], String)]
    {
      #expect(
        complaint(line, environment: environment).hasSuffix(
          ":3: [account home] password-file: expected the environment variable CREDENTIALS_DIRECTORY to be set, "
            + "found it \(what)"))
    }
  }

  @Test("a command is one for the shell, and its first line counts")
  func command() throws {
    #expect(try password("password-command = printf 'sec''ret\\nmore\\n'") == Secret(Array("secret".utf8)))
    #expect(try password("password-command = echo \"$((6 * 7))\"; echo hm >&2") == Secret(Array("42".utf8)))
  }

  @Test(
    "a command that fails is told in words",
    arguments: [
      (
        "echo secret; echo 'gpg: no key' >&2; exit 2",
        "a command that prints a password, found exit status 2: gpg: no key"
      ),
      ("kill -9 $$", "a command that prints a password, found an end by signal 9"),
      ("yes secret", "a command that prints a password, found one that wrote more than a MiB"),
      ("true", "a password, found nothing"),
    ])
  func failure(command: String, expected: String) {
    #expect(complaint("password-command = \(command)") == "[account home] password-command: expected " + expected)
  }

  @Test("commands that run are killed at the end, and nobody waits for them")
  func killed() throws {
    let fifo = folder.file("fifo")
    _ = try runCommand("mkfifo", fifo)
    let killer = try WorkerThread(name: "killer")
    try killer.run { [commands] in
      // Back once the command runs.
      _ = TestFiles.read(fifo)
      commands.killAll()
    }
    #expect(complaint("password-command = echo >'\(fifo)'; tail -f /dev/null").hasSuffix("found an end by signal 9"))
  }

  @Test("a command whose account was changed or removed ends at once")
  func changed() throws {
    let loop = try EventLoop()
    let worker = KeyWorker(loop: loop) { _, derived in
      guard case .failed(let reason) = derived else { return }
      #expect(reason.contains("an end by signal 9"), "\(reason)")
      loop.stop()
    }
    let started = folder.file("started")
    _ = try runCommand("mkfifo", started)
    let settings = try account("password-command = echo >\(started); exec sleep 1000")
    worker.derive(.plainMessage(username: "alice"), for: LinkID(1), account: settings)
    #expect(TestFiles.text(started) == "\n")
    worker.keep(only: [])
    try loop.run()
  }
}
