package import Glibc
import Synchronization
import Syscalls

/// A real `confabd` with a configuration, data and socket of its own, in a folder of its own.
package final class Daemon: Sendable {
  /// One `[account]` section.
  package struct Account: Sendable {
    package var name: String
    package var jid: String
    /// Nil where `more` says where it is.
    package var password: String?
    /// On 127.0.0.1; nil leaves the server to be looked up.
    package var port: UInt16?
    /// `auto`, `starttls` or `direct`.
    package var tls: String
    package var authority: String
    /// `auto`, `always` or `never`.
    package var encryption = "never"
    /// Further lines of the section.
    package var more: [String]

    package init(
      _ user: String, password: String, port: UInt16?, tls: String, authority: String, more: [String] = []
    ) {
      name = user
      jid = "\(user)@\(Certificates.host)"
      (self.password, self.port, self.tls, self.authority, self.more) = (password, port, tls, authority, more)
    }

    /// An account whose server is not there, for tests that need none: a configuration without accounts is refused.
    package static func unreachable() throws -> Account {
      Account("alice", password: "secret-a", port: 1, tls: "direct", authority: try Certificates.authority())
    }

    var section: String {
      let lines = [
        "[account \(name)]", "jid = \(jid)", "tls = \(tls)", "ca-file = \(authority)",
        "encryption = \(encryption)",
      ]
      let optional = [password.map { "password = \($0)" }, port.map { "server = 127.0.0.1:\($0)" }]
      return (lines + optional.compactMap(\.self) + more).map { $0 + "\n" }.joined()
    }
  }

  /// Its folder: `socket`, `data`, `confab.conf`, `confabd.log`.
  package let home: String
  private let program: [String]
  private let logLevel: String
  private let supervised: Bool
  private let environment: [String: String]?
  private let running = Mutex<ChildProcess?>(nil)

  package var socketPath: String { home + "/socket" }
  package let dataPath: String
  package var configurationPath: String { home + "/confab.conf" }
  package var logPath: String { home + "/confabd.log" }
  /// What it has written to standard error.
  package var log: String { TestFiles.text(logPath) ?? "" }

  /// Starts it and waits until it listens.
  ///
  /// - Parameters:
  ///   - name: of its folder in `folder`.
  ///   - accounts: one that reaches no server by default.
  ///   - settings: further lines of the `[daemon]` section.
  ///   - program: the binary; the one built with the tests by default.
  ///   - data: where its log is; in its folder by default.
  ///   - supervised: whether it dies with this process; costs a millisecond at its start.
  ///   - wrapper: a command that runs it, such as strace with its options.
  package init(
    _ name: String = "daemon", in folder: TemporaryFolder, accounts: [Account]? = nil, settings: [String] = [],
    logLevel: String = "debug", program: String = Products.program("confabd"), wrapper: [String] = [],
    environment: [String: String]? = nil,
    data: String? = nil, supervised: Bool = true
  ) throws {
    home = try folder.makeFolder(name)
    dataPath = data ?? home + "/data"
    self.environment = environment
    self.supervised = supervised
    self.program = wrapper + [program, "--config", home + "/confab.conf"]
    self.logLevel = logLevel
    try configure(accounts: accounts ?? [.unreachable()], settings: settings)
    try start()
  }

  /// Writes the configuration anew; a running daemon reads it at `reload`, SIGHUP or its next start.
  package func configure(accounts: [Account], settings: [String] = []) throws {
    let own = ["[daemon]", "socket = \(socketPath)", "data = \(dataPath)", "log-level = \(logLevel)"]
    let text = (own + settings).map { $0 + "\n" }.joined() + accounts.map(\.section).joined()
    try TestFiles.write(configurationPath, Array(text.utf8))
  }

  /// Starts it (again) and waits until it greets.
  package func start(until deadline: Deadline = .seconds(60), turn milliseconds: Int64 = 50) throws {
    let listening = try FolderWatch(home)
    let process = try launch()
    try listening.wait(until: deadline, turn: milliseconds, orEndOf: process) { (try? self.client()) != nil }
      .orThrow("confabd does not listen: \(process.status.map { "\($0)" } ?? "running")\n\(TestFiles.tail(logPath))")
  }

  /// Waits until it has written these words to its journal.
  package func wait(toSay words: String, until deadline: Deadline = .seconds(60)) throws {
    guard let process = running.withLock({ $0 }) else { throw TestFailure("the daemon was not started") }
    try FolderWatch(home).wait(until: deadline, orEndOf: process) { self.log.contains(words) }
      .orThrow("confabd does not say \"\(words)\":\n\(TestFiles.tail(logPath))")
  }

  /// Waits until something holds of a folder, looking at it first and after each change there; false where it does not in
  /// time.
  package func wait(
    at folder: String, until deadline: Deadline = .seconds(60), _ holds: () -> Bool
  ) throws -> Bool {
    guard let process = running.withLock({ $0 }) else { throw TestFailure("the daemon was not started") }
    return try FolderWatch(folder).wait(until: deadline, orEndOf: process, holds)
  }

  /// A new connection to its socket.
  package func connect() throws -> SocketClient {
    try SocketClient(path: socketPath)
  }

  /// A new connection whose greeting has been read.
  package func client() throws -> SocketClient {
    let client = try connect()
    _ = try client.greeting()
    return client
  }

  /// The number of the process: confabd's own where there is no wrapper.
  package var processID: pid_t? { running.withLock { $0?.processID } }

  /// Ends it by SIGKILL and waits until it is gone.
  package func kill() throws {
    try signal(SIGKILL)
    try waitForEnd()
  }

  /// Sends a signal to it and its wrapper.
  package func signal(_ number: Int32) throws {
    running.withLock { $0?.kill(number) }
  }

  /// Ends it by SIGTERM and says how it ended.
  @discardableResult
  package func terminate() throws -> ExitStatus {
    try signal(SIGTERM)
    return try waitForEnd()
  }

  /// Waits until it has ended.
  @discardableResult
  package func waitForEnd(until deadline: Deadline = .seconds(60)) throws -> ExitStatus {
    guard let process = running.withLock({ $0 }) else { throw TestFailure("the daemon was not started") }
    let status = try process.wait(until: deadline)
    running.withLock { $0 = nil }
    return status
  }

  /// Starts it and does not wait for it.
  @discardableResult
  package func launch() throws -> ChildProcess {
    let input = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    let log = unsafe open(logPath, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { for descriptor in [input, log] { close(descriptor) } }
    let process = try ChildProcess(
      program, environment: environment, input: input, output: log, error: log, supervised: supervised)
    running.withLock { $0 = process }
    return process
  }
}

extension Bool {
  /// Throws what a false means.
  fileprivate func orThrow(_ reason: @autoclosure () -> String) throws {
    if !self { throw TestFailure(reason()) }
  }
}
