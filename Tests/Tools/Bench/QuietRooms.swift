import Glibc
import JSON
import TestSupport

/// Wake-ups of somebody who is in many rooms in which nobody says anything, for IDLE seconds at least (600, where the
/// environment does not say), in the background of what else is measured.
final class QuietRooms {
  private static let rooms = 200
  private let daemon: Daemon
  private let server: ScriptedServer
  private let process: pid_t
  private let before: Int
  private let began: Double

  init(_ bench: Bench, service: String) throws {
    let (server, daemon, client) = try bench.online("rooms-quiet")
    guard let process = daemon.processID else { throw TestFailure("confabd is gone") }
    try server.command(
      "rooms", [JSONMember("service", .string(service)), JSONMember("occupants", .integer(2))])
    for number in 0..<Self.rooms {
      let answer = try client.request("join wait=joined timeout=60s room\(number)@\(service)", until: .seconds(90))
      guard answer.isOK else { throw TestFailure("\(answer.final)") }
    }
    // Until what the joins leave to be done is done.
    sleep(30)
    (self.daemon, self.server, self.process) = (daemon, server, process)
    (before, began) = (try ProcessUsage.wakeUps(of: process), Stopwatch.now)
  }

  /// Waits for the rest of the time, and reports.
  func finish(_ bench: Bench) throws {
    let seconds = ProcessEnvironment.current["IDLE"].flatMap { Double($0) } ?? 600
    let rest = seconds - (Stopwatch.now - began) / 1e6
    if rest > 0 { sleep(UInt32(rest.rounded(.up))) }
    let elapsed = (Stopwatch.now - began) / 1e6
    let count = Double(try ProcessUsage.wakeUps(of: process) - before)
    bench.report("idle in \(Self.rooms) quiet rooms for", elapsed, "s")
    bench.report("wake-ups, all threads", count / elapsed, "1/s", note: "(at most 0.05)")
  }
}
