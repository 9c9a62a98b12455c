import Glibc
import LogTool
import Records
import TestSupport

/// Costs of sessions that nobody uses: alice has one with each of a thousand devices, at a real Prosody.
struct IdleSessions {
  private static let count = 1_000
  /// How often each is started; the least counts.
  private static let starts = 3
  private static let seconds: UInt32 = 20

  private let server: Prosody
  private let daemon: Daemon
  private let data: String

  /// The cost of one start.
  private struct Cost {
    var (memory, cpu, wakeUps) = (Int.max, Int64.max, Int.max)
  }

  static func run(_ bench: Bench) throws {
    let folder = try TemporaryFolder("bench-sessions")
    let sessions = try IdleSessions(bench, folder)
    let without = try sessions.cost()
    try sessions.add()
    let with = try sessions.cost()
    let memory = Double(with.memory - without.memory)
    bench.report("\(count) idle sessions: memory", memory, "KiB", note: "(at most 512)")
    bench.report("start with them: CPU", Double(with.cpu) / 1e6, "ms")
    bench.report("without", Double(without.cpu) / 1e6, "ms")
    bench.report("wake-ups in \(seconds) s with them", Double(with.wakeUps), "")
    bench.report("without", Double(without.wakeUps), "")
  }

  private init(_ bench: Bench, _ folder: TemporaryFolder) throws {
    server = try Prosody(in: folder)
    var account = Daemon.Account(
      "alice", password: "secret-a", port: server.directTLSPort, tls: "direct", authority: server.authority)
    account.encryption = "auto"
    data = try bench.data.makeFolder("sessions")
    daemon = try Daemon(
      "alice", in: folder, accounts: [account], logLevel: "warning", program: bench.confabd, data: data)
    try waitUntilOnline()
  }

  private func waitUntilOnline() throws {
    let online = try daemon.client().request("status for=online timeout=60s", until: .seconds(90))
    guard online.isOK else { throw TestFailure("not online: \(online.final)") }
  }

  private func cost() throws -> Cost {
    var least = Cost()
    for _ in 0..<Self.starts {
      try daemon.terminate()
      try daemon.start()
      try waitUntilOnline()
      // The work that a login leaves is done.
      sleep(5)
      guard let process = daemon.processID else { throw TestFailure("confabd is gone") }
      let usage = try ProcessUsage(of: process)
      let before = try ProcessUsage.wakeUps(of: process)
      sleep(Self.seconds)
      least.memory = min(least.memory, usage.anonymousKiB)
      least.cpu = min(least.cpu, usage.cpuNanoseconds)
      least.wakeUps = min(least.wakeUps, try ProcessUsage.wakeUps(of: process) - before)
    }
    return least
  }

  /// Adds them to the log, with devices that have them.
  private func add() throws {
    try daemon.terminate()
    try append()
    try daemon.start()
    try waitUntilOnline()
  }

  private func append() throws {
    let log = try WritableLog(data)
    for number in 0..<UInt32(Self.count) {
      var device = DeviceRecord(account: 1, jid: "contact\(number)@example.test", id: 10_000 + number)
      (device.lists, device.identity) = (.legacy, Self.random(32))
      let name = "session/0.3/\(device.jid)/\(device.id)"
      try log.append(.device(device))
      let secret = SealedSecret(name: name, epoch: 1, box: Self.random(600))
      try log.append(.step(StepRecord(account: 1, ContentStep(secrets: [secret]))))
    }
    try log.close()
  }

  private static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255) } }
}
