import Glibc
import JSON
import TestSupport

/// The terminal UI over a long history, beside profanity and weechat where they can be measured: on a terminal that takes every
/// byte at once.
enum InterfaceWorkload {
  private static let messages = 1_000_000
  private static let letters = 40

  static func run(_ bench: Bench) throws {
    let history = try bench.data.makeFolder("ui-history")
    _ = try Generate(count: messages, folder: history).run()
    let scale = try Scale(bench, count: messages, existing: history)
    let (server, daemon, client, _) = try scale.online("ui")
    let terminal = try TerminalRun(bench, "ui")
    let first = try terminal.start([Products.releaseFolder + "/confab-ui", "--socket", daemon.socketPath])
    bench.report("first screen, CPU", first.milliseconds, "ms", note: "(at most 20; aim 10)")
    bench.report("first screen, to the last byte", first.elapsed, "ms", note: "(at most 60)")
    try keys(bench, terminal)
    try busy(bench, terminal, server, client)
    // What is left of the burst, on a machine that has other things to do.
    _ = try terminal.wait(seconds: 10)
    let idle = try terminal.wait(seconds: 20)
    bench.report("idle for 20 s, CPU", idle.milliseconds, "ms", note: "(none)")
    bench.report("idle for 20 s, wake-ups", Double(idle.wakeUps), "", note: "(none)")
    bench.report("anonymous memory", Double(idle.anonymousKiB) / 1024, "MiB", note: "(at most 8)")
    try terminal.stop()
    try RoomInterfaceWorkload.run(bench)
    for peer in InterfacePeer.all { try peer.report(bench) }
  }

  private static func keys(_ bench: Bench, _ terminal: TerminalRun) throws {
    let opened = try terminal.press("\r")
    bench.report("a conversation of \(messages / 2), opened", opened.milliseconds, "ms")
    let typed = try (0..<letters).map { _ in try terminal.press("a") }
    bench.report("a letter, CPU, median", typed.map(\.milliseconds).median, "ms", note: "(at most 2; aim 1)")
    bench.report("a letter, bytes, median", typed.map { Double($0.bytes) }.median, "B", note: "(at most 200)")
    _ = try terminal.press("\u{15}")
    let pages = try (0..<50).map { _ in try terminal.press("\u{1B}[5~") }
    bench.report("1,000 rows of scrolling, CPU", pages.map(\.milliseconds).reduce(0, +), "ms")
    _ = try terminal.press("\u{1B}j")
    _ = try terminal.press("2025-06-01")
    let jump = try terminal.press("\r")
    bench.report("a jump to a date, CPU", jump.milliseconds, "ms", note: "(at most 2 screens)")
    bench.report("a jump to a date, to the last byte", jump.elapsed, "ms")
    _ = try terminal.press("\u{1B}[1;3F")
  }

  /// A thousand messages a second, for five seconds; keys between them are answered.
  private static func busy(
    _ bench: Bench, _ terminal: TerminalRun, _ server: ScriptedServer, _ client: SocketClient
  ) throws {
    let before = try terminal.total()
    let start = Stopwatch.now
    for second in 0..<50 {
      let stanzas = (0..<100).map { number in
        "<message from='friend0@people.example/x' to='${jid}' type='chat' id='b\(second)-\(number)'><body>message \(number)</body></message>"
      }
      try server.send(stanzas.joined())
      let rest = Double(second + 1) * 1e5 - (Stopwatch.now - start)
      if rest > 0 { usleep(UInt32(rest)) }
    }
    _ = try terminal.wait(seconds: 0.5)
    let elapsed = (Stopwatch.now - start) / 1e3
    let share = (try terminal.total() - before) / elapsed * 100
    bench.report("1,000 messages a second, CPU of a core", share, "%", note: "(at most 30)")
  }
}
