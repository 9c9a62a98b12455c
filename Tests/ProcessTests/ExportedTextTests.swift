import TestSupport
import Testing

/// `confab log export --text`, the real program, where the process has a time zone.
@Suite("Exported text")
struct ExportedTextTests {
  private static let confab = Products.program("confab")
  private static let line =
    #"{"conversation":"bob@example.org","mine":false,"time":"2026-11-20T02:10:00Z","text":"hello"}"#

  @Test("its times and days are those of TZ")
  func zone() throws {
    let folder = try TemporaryFolder("export")
    let data = folder.path + "/data"
    let account = ["--account", "home", "--jid", "ann@example.org"]
    let imported = try Program.run(
      [Self.confab, "log", "import", "--jsonl", "-", "--data", data] + account, input: Array(Self.line.utf8))
    #expect(imported.status == .exited(0))
    for (zone, opened, hour) in [("EST5", "Thu Nov 19 21", "21"), ("UTC0", "Fri Nov 20 02", "02")] {
      let text = try Program.run(
        [Self.confab, "log", "export", "--text", "--data", data], environment: ["TZ": zone]
      ).text
      #expect(
        text.hasPrefix("--- Log opened \(opened):10:00 2026 bob@example.org\n\(hour):10 < bob@example.org> hello\n"))
    }
  }
}
