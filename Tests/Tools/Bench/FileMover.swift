import Glibc
import JSON
import Synchronization
import TestSupport

/// A daemon that moves files to and from a web server on this machine, which is its account's upload service, too.
final class FileMover {
  /// Milliseconds.
  struct Cost {
    let wall: Double
    var cpu: Double
  }

  private let bench: Bench
  private let server: ScriptedServer
  private let daemon: Daemon
  private let client: SocketClient
  private let helper: HelperProcess
  private let (port, process): (UInt16, pid_t)

  init(_ bench: Bench) throws {
    self.bench = bench
    let certificate = try Certificates.folder() + "/good"
    helper = try HelperProcess(
      "hostile_http.py", ["--certificate", certificate + ".pem", "--key", certificate + ".key"],
      log: bench.folder.file("hostile_http.log"))
    let ready = try helper.event("ready")
    port = try ready.port("https")
    server = try ScriptedServer(in: bench.folder)
    let account = Daemon.Account(
      "alice", password: "secret-a", port: server.directTLSPort, tls: "direct", authority: server.authority)
    daemon = try Daemon(
      "files", in: bench.folder, accounts: [account],
      settings: ["dns-server = 127.0.0.1:\(try ready.port("dns"))", "fetch-private = yes", "fetch-max = 200M"],
      logLevel: "warning", program: bench.confabd, data: try bench.data.makeFolder("files"))
    client = try daemon.client()
    let status = try client.request("status for=online timeout=60s", until: .seconds(90))
    guard status.isOK, let process = daemon.processID else { throw TestFailure("not online: \(status.final)") }
    self.process = process
    try server.rule(on: "iq")
  }

  /// An address of the web server.
  func web(_ path: String) -> String { "https://\(Certificates.host):\(port)\(path)" }

  func curl(_ arguments: [String]) throws -> Cost {
    let place = "\(Certificates.host):\(port):127.0.0.1"
    let cost = try TimedProgram.run(
      ["curl", "-sS", "--cacert", server.authority, "--resolve", place] + arguments)
    return Cost(wall: cost.wall / 1000, cpu: cost.cpu / 1000)
  }

  /// CPU of this process for something, in milliseconds.
  func cost(_ body: () throws -> Void) throws -> Double {
    let before = try ProcessUsage(of: getpid()).cpuNanoseconds
    try body()
    return Double(try ProcessUsage(of: getpid()).cpuNanoseconds - before) / 1e6
  }

  /// From the place that the server gives for a file, which is copied by then, to the message that leaves behind it.
  func upload(_ file: String, _ number: Int) throws -> Cost {
    let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    let send = try ChildProcess(
      [bench.confab, "--socket", daemon.socketPath, "send-file", "bob@example.test", file], input: null, output: null,
      error: 2, supervised: false)
    let id = try slotRequest()
    guard try send.wait() == .exited(0) else { throw TestFailure("send-file failed") }
    return try measure {
      try server.send(
        "<iq type='result' from='upload.example.test' id='\(id)'><slot xmlns='urn:xmpp:http:upload:0'><put url='\(web("/taken"))'/>"
          + "<get url='\(web("/sent?\(number)"))'/></slot></iq>")
      try server.received("message")
    }
  }

  /// Answers what the daemon asks until it asks for a place.
  private func slotRequest() throws -> String {
    while true {
      let xml = try server.received("iq")
      guard let id = xml.split(separator: " id=").last?.dropFirst().prefix(while: { $0 != "'" && $0 != "\"" }) else {
        continue
      }
      if xml.contains("urn:xmpp:http:upload:0") { return String(id) }
      let asked = xml.contains("to='upload.example.test'") || xml.contains("to=\"upload.example.test\"")
      let host = asked ? "upload.example.test" : "example.test"
      let items = "<query xmlns='http://jabber.org/protocol/disco#items'><item jid='upload.example.test'/></query>"
      let info =
        "<query xmlns='http://jabber.org/protocol/disco#info'><identity category='store' type='file'/>"
        + (asked ? "<feature var='urn:xmpp:http:upload:0'/>" : "") + "</query>"
      let answer = xml.contains("disco#items") ? items : info
      if xml.contains("disco#") { try server.send("<iq type='result' from='\(host)' id='\(id)'>\(answer)</iq>") }
    }
  }

  /// A message with the address of so many bytes comes, and they are fetched.
  func fetch(_ size: Int) throws -> Cost {
    let url = web("/file?\(size)")
    try server.send(
      "<message from='bob@example.test/x' to='${jid}' type='chat' id='f\(size)'><body>\(url)</body>"
        + "<x xmlns='jabber:x:oob'><url>\(url)</url></x></message>")
    let id = try newest(with: url)
    return try measure {
      let answer = try client.request("fetch \(id)", until: .seconds(120))
      guard answer.isOK, answer.final["size"]?.integer == Int64(size) else { throw TestFailure("\(answer.final)") }
    }
  }

  private func newest(with url: String) throws -> Int64 {
    for _ in 0..<10_000 {
      let last = try client.request("history limit=1 bob@example.test").data.last?["message"]
      if last?["attachments"]?.array?.first?.text("url") == url { return last?["id"]?.integer ?? 0 }
      usleep(1000)
    }
    throw TestFailure("the message does not come")
  }

  private func measure(_ body: () throws -> Void) throws -> Cost {
    let before = try cpu()
    let wall = try Stopwatch.measure(body)
    return Cost(wall: wall / 1000, cpu: try cpu() - before)
  }

  /// Of the daemon, and of its helpers that have ended, in milliseconds; of those the kernel counts hundredths of a second.
  private func cpu() throws -> Double {
    let fields = (TestFiles.text("/proc/\(process)/stat") ?? "").split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 14, let user = Double(fields[13]), let system = Double(fields[14]) else {
      throw TestFailure("confabd is gone")
    }
    return Double(try ProcessUsage(of: process).cpuNanoseconds) / 1e6 + (user + system) * 10
  }

  // MARK: - What it has

  /// The most anonymous memory of both in KiB, looked at a thousand times a second.
  func peaks(_ body: () throws -> Void) throws -> (daemon: Int, helper: Int) {
    let watch = MemoryWatch(of: process)
    try watch.start()
    defer { watch.stop() }
    try body()
    return watch.peaks
  }

  /// Ten seconds in which nothing happens.
  func idle() throws -> (descriptors: Int, children: Int, wakeUps: Int) {
    sleep(12)
    let before = try ProcessUsage.wakeUps(of: process)
    sleep(10)
    return (
      TestFiles.names(in: "/proc/\(process)/fd").count, MemoryWatch.children(of: process).count,
      try ProcessUsage.wakeUps(of: process) - before
    )
  }
}

/// Looks at the memory of a process and of its children, in a thread of its own.
private final class MemoryWatch: Sendable {
  private struct State {
    var isOn = true
    var (daemon, helper) = (0, 0)
  }

  private let process: pid_t
  private let state = Mutex(State())

  init(of process: pid_t) { self.process = process }

  var peaks: (daemon: Int, helper: Int) { state.withLock { ($0.daemon, $0.helper) } }

  func start() throws {
    var thread = pthread_t()
    let own = unsafe Unmanaged.passRetained(self).toOpaque()
    let error = unsafe pthread_create(
      &thread, nil,
      { own in
        guard let own = unsafe own else { return nil }
        unsafe Unmanaged<MemoryWatch>.fromOpaque(own).takeRetainedValue().look()
        return nil
      }, own)
    guard error == 0 else { throw TestFailure("no thread: \(error)") }
    pthread_detach(thread)
  }

  func stop() { state.withLock { $0.isOn = false } }

  private func look() {
    while state.withLock({ $0.isOn }) {
      let daemon = (try? ProcessUsage(of: process))?.anonymousKiB ?? 0
      let helpers = Self.children(of: process).map { (try? ProcessUsage(of: $0))?.anonymousKiB ?? 0 }
      state.withLock { state in
        state.daemon = max(state.daemon, daemon)
        state.helper = max(state.helper, helpers.max() ?? 0)
      }
      usleep(1000)
    }
  }

  static func children(of process: pid_t) -> [pid_t] {
    TestFiles.names(in: "/proc/\(process)/task").flatMap { task in
      (TestFiles.text("/proc/\(process)/task/\(task)/children") ?? "").split(separator: " ").compactMap { pid_t($0) }
    }
  }
}
