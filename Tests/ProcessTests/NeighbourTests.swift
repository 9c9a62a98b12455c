import Glibc
import JSON
import Syscalls
import TestSupport
import Testing

/// Other users and programs of the same machine, who take what they can.
@Suite("Neighbours")
struct NeighbourTests {
  private static let other = 65534

  private func daemon(_ folder: TemporaryFolder, _ settings: [String]) throws -> Daemon {
    try folder.letOthersThrough()
    let daemon = try Daemon(in: folder, settings: settings)
    try runCommand("chmod", "755", folder.file("daemon"))
    return daemon
  }

  /// Lets a user connect so many times, and writes a text so often to each.
  private func crowd(
    _ folder: TemporaryFolder, _ daemon: Daemon, _ count: Int, user: Int, text: String = "", repeat times: Int = 1
  ) throws -> (process: HelperProcess, greeted: Int) {
    let process = try HelperProcess(
      "crowd.py", [daemon.socketPath, "\(count)", "\(user)", "--text=\(text)", "--repeat", "\(times)"],
      log: folder.file("crowd.log"))
    let greeted = try process.event("connected", until: .seconds(120))["greeted"]?.integer
    return (process, Int(try #require(greeted)))
  }

  private func descriptors(of daemon: Daemon) throws -> Int {
    TestFiles.names(in: "/proc/\(try #require(daemon.processID))/fd").count
  }

  @Test(
    "clients that go while they wait for thousands of answers are noticed: their descriptors and waits go with them")
  func gone() throws {
    let folder = try TemporaryFolder("gone")
    try folder.reportingLogs {
      let daemon = try daemon(folder, ["max-requests = 64"])
      let client = try daemon.client()
      let id = try #require(try client.request("send bob@example.test hello").id)
      let before = try descriptors(of: daemon)
      let wait = "wait for=displayed timeout=7d tag=\(String(repeating: "t", count: 500)) \(id)\n"
      let crowd = try crowd(folder, daemon, 300, user: Int(getuid()), text: wait, repeat: 200)
      #expect(crowd.greeted == 300)
      #expect(try descriptors(of: daemon) >= before + 300)
      crowd.process.stop()
      // Each is noticed in its turn, before what comes later is answered.
      while try descriptors(of: daemon) > before { _ = try client.request("ping") }
    }
  }

  @Test("other users who take all connections leave the owner and root theirs", .enabled(if: getuid() == 0))
  func places() throws {
    let folder = try TemporaryFolder("places")
    try folder.reportingLogs {
      let daemon = try daemon(folder, ["max-connections = 160", "allow-uid = \(Self.other)", "allow-uid = 65533"])
      let one = try crowd(folder, daemon, 200, user: Self.other)
      let two = try crowd(folder, daemon, 200, user: 65533)
      #expect(one.greeted == 80 && two.greeted == 60)
      let owner = try (0..<10).map { _ in try daemon.client() }
      for client in owner { #expect(try client.request("ping").isOK) }
      withExtendedLifetime((one, two)) {}
    }
  }

  @Test("requests without an end, of thousands of connections, stay within the bounds", .enabled(if: getuid() == 0))
  func memory() throws {
    let folder = try TemporaryFolder("unfinished")
    try folder.reportingLogs {
      let daemon = try daemon(folder, ["allow-uid = \(Self.other)"])
      let client = try daemon.client()
      let id = try #require(try client.request("send bob@example.test hello").id)
      let process = try #require(daemon.processID)
      let before = try ProcessUsage(of: process).anonymousKiB
      let wait = "wait for=displayed timeout=7d tag=\(String(repeating: "t", count: 900)) \(id)\n"
      let crowds = try [
        crowd(folder, daemon, 300, user: Self.other, text: wait, repeat: 200),
        crowd(
          folder, daemon, 300, user: Self.other, text: "send bob@example.test \(String(repeating: "x", count: 60_000))"),
      ]
      #expect(try client.request("ping").isOK)
      #expect(try client.request("send bob@example.test good bye").isOK)
      #expect(try ProcessUsage(of: process).anonymousKiB - before < 64 << 10)
      withExtendedLifetime(crowds) {}
    }
  }

  @Test("a folder that others may write to, or own, holds neither the log nor a socket", .enabled(if: getuid() == 0))
  func folders() throws {
    for (command, mode, name) in [
      ("chmod", "1777", "daemon/data"), ("chown", "65534", "daemon/data"), ("chown", "65534", "daemon/data/log"),
      ("chmod", "1777", "daemon"),
    ] {
      let folder = try TemporaryFolder("folders")
      let daemon = try daemon(folder, [])
      try daemon.terminate()
      try runCommand(command, mode, folder.file(name))
      #expect(try daemon.launch().wait() == .exited(78))
      #expect(daemon.log.contains("others can change \(folder.file(name))"))
    }
  }

  @Test("certificate authorities that others can change are not believed")
  func authorities() throws {
    let folder = try TemporaryFolder("authorities")
    let daemon = try Daemon(in: folder)
    try daemon.terminate()
    var account = try Daemon.Account.unreachable()
    account.authority = try folder.write("ca.pem", TestFiles.text(account.authority) ?? "", mode: 0o666)
    try daemon.configure(accounts: [account])
    #expect(try daemon.launch().wait() == .exited(78))
    #expect(daemon.log.contains("others can change \(folder.file("ca.pem")) (mode 666)"))
  }
}
