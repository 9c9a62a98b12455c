import Glibc
import JSON
import TestSupport

/// Alice writes to bob, who has some devices, at a real Prosody: what a message costs both, encrypted and in plain text.
struct EncryptedTalk {
  private static let alone = 300
  /// Messages that come at once, and how often so many do.
  private static let together = 2_000
  private static let bursts = 5
  private static let text = "A message of about the usual length, all of it text."

  private let folder: TemporaryFolder
  private let server: Prosody
  private let counts: CallCounts
  private let alice: Daemon
  private let bobs: [Daemon]
  private let log: String

  static func run(_ bench: Bench) throws {
    let plain = try EncryptedTalk(bench, "never", devices: 1).measure()
    let one = try EncryptedTalk(bench, "always", devices: 1).measure()
    let newer = try EncryptedTalk(bench, "always", devices: 1, versions: ["2"]).measure()
    let four = try EncryptedTalk(bench, "always", devices: 4).measure()
    bench.report("received in plain text: CPU", plain.received, "us")
    bench.report("received encrypted (0.3): CPU", one.received, "us", note: "(at most 40)")
    bench.report("received encrypted (2): CPU", newer.received, "us", note: "(at most 100)")
    bench.report("sent in plain text: bytes of log", plain.log, "bytes")
    bench.report("sent to 1 device", one.log, "bytes")
    bench.report("sent to 4 devices", four.log, "bytes", note: "(at most 3,584)")
    bench.report("send, one at a time: in plain text, median", plain.send, "us")
    bench.report("send, one at a time: to 1 device, median", one.send, "us")
    bench.report("ratio", one.send / plain.send, "", note: "(at most 1.3)")
    bench.report("syncs of it, in plain text", plain.syncs, "")
    bench.report("syncs of it, to 1 device", one.syncs, "", note: "(as in plain text)")
  }

  private init(
    _ bench: Bench, _ encryption: String, devices: Int, versions: [String] = ["0.3", "2"]
  ) throws {
    let name = "\(encryption)-\(devices)-\(versions.count)"
    let folder = try TemporaryFolder("bench-" + name)
    let server = try Prosody(in: folder, with: versions.count == 1 ? ["omemo2_alone"] : [])
    let counts = try CallCounts(in: folder)
    let daemon = { (user: String, home: String) in
      var account = Daemon.Account(
        user, password: user == "alice" ? "secret-a" : "secret-b", port: server.directTLSPort, tls: "direct",
        authority: server.authority)
      account.encryption = encryption
      let daemon = try Daemon(
        home, in: folder, accounts: [account], logLevel: "warning", program: bench.confabd,
        environment: user == "alice" ? counts.environment : nil, data: try bench.data.makeFolder("\(name)-\(home)"))
      let online = try daemon.client().request("status for=online timeout=60s", until: .seconds(90))
      guard online.isOK else { throw TestFailure("not online: \(online.final)") }
      while try encryption != "never" && !Self.isListed(daemon, versions) { usleep(50_000) }
      return daemon
    }
    (self.folder, self.server, self.counts) = (folder, server, counts)
    bobs = try (0..<devices).map { try daemon("bob", "bob\($0)") }
    alice = try daemon("alice", "alice")
    log = bench.data.file("\(name)-alice")
  }

  /// True if the daemon's own device is on its lists of these versions.
  private static func isListed(_ daemon: Daemon, _ versions: [String]) throws -> Bool {
    try daemon.client().request("devices").data.contains {
      $0["device"]?["versions"]?.array?.compactMap(\.string) == versions
    }
  }

  /// Microseconds, and bytes and calls of fdatasync for a message.
  struct Outcome {
    var (received, log, send, syncs) = (0.0, 0.0, 0.0, 0.0)

    func with(log: Double) -> Self {
      var outcome = self
      outcome.log = log
      return outcome
    }
  }

  private func measure() throws -> Outcome {
    guard let bob = bobs.first, let process = bob.processID else { throw TestFailure("confabd is gone") }
    var outcome = Outcome()
    let asking = try BareClient(of: alice)
    // Sessions begin with the first ones.
    for _ in 0..<20 { try asking.ask("send wait=sent bob@example.test \(Self.text)") }
    try wait(for: 20, at: bob)
    let earlier = try counts.read()
    var times: [Double] = []
    for _ in 0..<Self.alone {
      times.append(try Stopwatch.measure { try asking.ask("send bob@example.test \(Self.text)") })
    }
    outcome.send = times.median
    outcome.syncs = Double((try counts.read() - earlier).syncs) / Double(Self.alone)
    try wait(for: 20 + Self.alone, at: bob)
    guard bobs.count == 1 else { return outcome.with(log: try logBytes() / Double(20 + Self.alone)) }
    var used: Int64 = 0
    for burst in 1...Self.bursts {
      // Bob reads all of a burst at once.
      guard kill(process, SIGSTOP) == 0 else { throw TestFailure("confabd is gone") }
      try send(Self.together)
      let before = try ProcessUsage(of: process).cpuNanoseconds
      guard kill(process, SIGCONT) == 0 else { throw TestFailure("confabd is gone") }
      try wait(for: 20 + Self.alone + burst * Self.together, at: bob)
      used += try ProcessUsage(of: process).cpuNanoseconds - before
    }
    outcome.received = Double(used) / 1000 / Double(Self.bursts * Self.together)
    return outcome.with(log: try logBytes() / Double(20 + Self.alone + Self.bursts * Self.together))
  }

  /// Sends messages to bob; back when his server has them all.
  private func send(_ count: Int) throws {
    let client = try alice.client()
    let line = Array("send bob@example.test \(Self.text)\n".utf8)
    try client.send(bytes: Array(repeatElement(line, count: count).joined()))
    var last: Int64 = 0
    for _ in 0..<count {
      let answer = try client.answer()
      guard answer.isOK, let id = answer.id else { throw TestFailure("send failed: \(answer.final)") }
      last = id
    }
    let sent = try client.request("wait for=sent timeout=120s \(last)", until: .seconds(150))
    guard sent.isOK else { throw TestFailure("not sent: \(sent.final)") }
  }

  /// The bytes of alice's log, once she has ended.
  private func logBytes() throws -> Double {
    try alice.terminate()
    return Double(try LogCensus(log).log)
  }

  /// Back when bob's daemon has so many messages.
  private func wait(for count: Int, at bob: Daemon) throws {
    let client = try bob.client()
    var unread: Int64 = 0
    for _ in 0..<3000 {
      unread = try client.request("unread in=alice@example.test").final["unread"]?.integer ?? 0
      if unread == Int64(count) { return }
      usleep(100_000)
    }
    throw TestFailure("\(unread) of \(count) messages came to \(bob.dataPath)")
  }
}
