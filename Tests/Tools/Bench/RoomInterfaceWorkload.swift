import Glibc
import JSON
import TestSupport

/// The terminal UI in a room of 5,000 people: its first screen, the list of them, a letter, and a thousand messages a second.
enum RoomInterfaceWorkload {
  private static let room = "team@rooms.example.test"
  private static let occupants = 5_000
  private static let letters = 40

  static func run(_ bench: Bench) throws {
    let (server, daemon, client) = try bench.online("ui-room")
    try server.command(
      "rooms",
      [
        JSONMember("service", .string("rooms.example.test")), JSONMember("occupants", .integer(Int64(occupants))),
      ])
    let answer = try client.request("join wait=joined timeout=60s \(room)", until: .seconds(90))
    guard answer.isOK else { throw TestFailure("\(answer.final)") }
    for number in 0..<200 { try server.send(message(number, "before")) }
    let terminal = try TerminalRun(bench, "ui-room")
    let first = try terminal.start(
      [Products.releaseFolder + "/confab-ui", "--socket", daemon.socketPath, "--open", room], columns: 120, lines: 40)
    guard first.bytes > 2_000 else { throw TestFailure("the terminal UI does not show the room") }
    bench.report("a room of \(occupants): first screen, CPU", first.milliseconds, "ms", note: "(at most 20)")
    let opened = try terminal.press("\u{1B}U")
    bench.report("the list of who is there, opened", opened.milliseconds, "ms")
    let pages = try (0..<30).map { _ in try terminal.press("\u{1B}[6~") }
    bench.report("the list, scrolled by 30 pages, CPU", pages.map(\.milliseconds).reduce(0, +), "ms")
    _ = try terminal.press("\u{7}")
    let wheel = try (0..<30).map { _ in try terminal.press("\u{1B}[<65;118;20M") }
    bench.report("the pane beside the room, scrolled by 30 steps, CPU", wheel.map(\.milliseconds).reduce(0, +), "ms")
    try busy(bench, terminal, server)
    try terminal.stop()
  }

  private static func message(_ number: Int, _ kind: String) -> String {
    "<message from='\(room)/speaker\(number % 10 + 10)' to='${jid}' type='groupchat' id='\(kind)-\(number)'>"
      + "<body>message \(number)</body></message>"
  }

  /// A thousand messages a second, for five seconds, with letters between them.
  private static func busy(_ bench: Bench, _ terminal: TerminalRun, _ server: ScriptedServer) throws {
    let before = try terminal.total()
    let start = Stopwatch.now
    for tenth in 0..<50 {
      try server.send((0..<100).map { message(100 * tenth + $0, "busy") }.joined())
      let rest = Double(tenth + 1) * 1e5 - (Stopwatch.now - start)
      if rest > 0 { usleep(UInt32(rest)) }
    }
    _ = try terminal.wait(seconds: 0.5)
    let share = (try terminal.total() - before) / ((Stopwatch.now - start) / 1e3) * 100
    bench.report("1,000 messages a second in the room, CPU of a core", share, "%", note: "(at most 30)")
    let typed = try (0..<letters).map { _ in try terminal.press("a") }
    bench.report("a letter in the room, CPU, median", typed.map(\.milliseconds).median, "ms", note: "(at most 2)")
  }
}
