import TestSupport
import Testing

/// `ok` means stored: the system calls show it.
@Suite("The sync before the answer")
struct SyncOrderTests {
  private static let canTrace = (try? Program.run(["strace", "-o", "/dev/null", "true"]).status) == .exited(0)

  @Test("the record is written and synced before its `ok` leaves", .enabled(if: canTrace))
  func traced() throws {
    let folder = try TemporaryFolder("trace")
    try folder.reportingLogs {
      let trace = folder.file("trace")
      let calls = "trace=write,writev,pwrite64,pwritev,pwritev2,sendto,sendmsg,fdatasync,fsync"
      let daemon = try Daemon(
        in: folder, wrapper: ["strace", "-f", "-s", "4096", "-e", calls, "-o", trace])
      let client = try daemon.client()
      #expect(try client.request("send bob@example.test a-text-to-be-found").isOK)
      try daemon.kill()
      let lines = try #require(TestFiles.text(trace)).split(separator: "\n")
      let written = try #require(lines.firstIndex { $0.contains("a-text-to-be-found") && $0.contains("write") })
      let answered = try #require(lines.firstIndex { $0.contains("{\\\"ok\\\":true,\\\"id\\\":") })
      let synced = lines[written...].firstIndex { line in
        line.contains("sync") && line.hasSuffix("= 0")
      }
      #expect(written < (synced ?? .max) && (synced ?? .max) < answered, "\(lines[written...answered])")
    }
  }
}
