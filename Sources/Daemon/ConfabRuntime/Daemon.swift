import Clocks
import ConfabAccounts
import ConfabEngine
import Crypto
import LineProtocol
import LogFiles
import MessageLog
import Reactor
import ConfabConfiguration
import Syscalls
import Transport

/// `confabd`, from its arguments to its exit status (sysexits(3)).
package enum Daemon {
  private enum Status {
    static let wrong: Int32 = 1
    static let usage: Int32 = 64
    static let system: Int32 = 71
    static let disk: Int32 = 74
    static let running: Int32 = 75
    static let configuration: Int32 = 78
  }

  /// Why the daemon cannot start.
  private struct StartFailure: Error {
    let status: Int32
    let reason: String
  }

  /// Runs; returns when it is over.
  package static func run(_ arguments: [String], environment: [String: String]) -> Int32 {
    let options: Options
    do throws(Options.Misuse) { options = try Options(arguments) } catch {
      complain("confabd: \(PlainLine.of(error.description))\n\n" + Options.usage)
      return Status.usage
    }
    if case .run = options.mode {
      ControlSignal.prepare()
      ProcessEnvironment.makeFilesPrivate()
    }
    let output = StandardOutput()
    let status = perform(options, environment, output)
    guard let failure = output.failure else { return status }
    complain("confabd: standard output: \(failure.text)\n")
    return status == 0 ? Status.disk : status
  }

  private static func perform(_ options: Options, _ environment: [String: String], _ output: StandardOutput) -> Int32 {
    switch options.mode {
    case .help: output.write(Options.usage)
    case .version: output.write("confabd \(ConfabVersion.text)\n")
    case .check, .run: return start(options, environment, output)
    case .doctor:
      let isFine = Doctor(options: options, environment: environment) { output.write($0.line) }.run()
      return isFine ? 0 : Status.wrong
    case .addresses: answerAddresses(output)
    }
    return 0
  }

  /// Answers each line of standard input, to its end.
  private static func answerAddresses(_ output: StandardOutput) {
    var pending: [UInt8] = []
    while let more = try? Descriptors.read(0, atMost: AddressLines.longest), !more.isEmpty,
      pending.count < AddressLines.longest
    {
      pending += more
      while let end = pending.firstIndex(of: 0x0A) {
        output.write(AddressLines.answer(Array(pending[..<end])))
        pending.removeSubrange(...end)
      }
    }
  }

  private static func start(
    _ options: Options, _ environment: [String: String], _ output: StandardOutput
  ) -> Int32 {
    let passed = passedSockets()
    do throws(StartFailure) {
      if let parent = options.parent { try end(with: parent) }
      let file = ConfigurationFile.path(
        option: options.configuration, environment: environment, files: RealSettingsFiles())
      let configuration = try read(file, environment)
      let places = try places(configuration, environment, passed.sockets)
      if options.mode == .check {
        output.write("\(file): valid, \(configuration.accounts.count) account(s)\n")
        return 0
      }
      return try serve(consume configuration, file, places, passed, environment)
    } catch {
      for reason in passed.problems + [error.reason] { complain("confabd: \(PlainLine.of(reason))\n") }
      return error.status
    }
  }

  private static func end(with parent: Int32) throws(StartFailure) {
    do throws(Errno) {
      try Confinement.interrupt(atEndOf: parent)
    } catch {
      throw StartFailure(status: Status.system, reason: "--parent: \(error)")
    }
  }

  private static func read(_ file: String, _ environment: [String: String]) throws(StartFailure) -> Configuration {
    do {
      if let problem = FileTrust.problem(withConfiguration: file) { throw problem }
      let configuration = try Configuration.read(path: file, environment: environment, files: RealSettingsFiles())
      try Engine.check(configuration)
      let authorities = configuration.accounts.lazy.compactMap(\.caFile)
      if let problem = authorities.compactMap({ FileTrust.problem(withAuthorities: $0) }).first { throw problem }
      return configuration
    } catch {
      throw StartFailure(status: Status.configuration, reason: "\(error)")
    }
  }

  private static func places(
    _ configuration: Configuration, _ environment: [String: String], _ passed: [Activation.PassedSocket]
  ) throws(StartFailure) -> DaemonPaths {
    do {
      let places = try DaemonPaths(configuration, environment: environment, passed: passed)
      let passedPaths = Set(passed.compactMap(\.path))
      let made = configuration.servedSockets(main: places.socket).filter { !passedPaths.contains($0.path ?? "") }
      if let problem = places.problem(withSockets: made) { throw problem }
      return places
    } catch {
      throw StartFailure(status: Status.configuration, reason: "\(error)")
    }
  }

  /// The sockets that systemd passed.
  private static func passedSockets() -> Activation.Passed {
    let (passed, problems) = SocketActivation.takeListeners()
    let sockets = passed.map {
      Activation.PassedSocket(descriptor: $0.descriptor, name: $0.name, path: Sockets.boundUnixPath($0.descriptor))
    }
    return Activation.Passed(sockets: sockets, problems: problems)
  }

  private static func complain(_ text: String) {
    try? Descriptors.writeAll(StandardStreams.error, Array(text.utf8))
  }
}

/// Standard output, with its first write error.
private final class StandardOutput {
  /// Nil if everything was written, or if the reader closed the pipe early.
  private(set) var failure: Errno?

  func write(_ text: String) { write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) {
    do throws(Errno) {
      try Descriptors.writeAll(StandardStreams.output, bytes)
    } catch {
      if !error.isDisconnected { failure = error }
    }
  }
}

// MARK: - Serving

extension Daemon {
  /// Locks the data directory; waits at most 1 s. A helper inherits the lock until it calls exec, so it may still hold
  /// the lock of a daemon that was killed meanwhile.
  private static func lock(_ directory: inout DataDirectory) throws(Errno) -> Bool {
    for _ in 0..<50 {
      if try directory.lock() { return true }
      _ = try Descriptors.wait(toRead: -1, milliseconds: 20)
    }
    return false
  }

  /// The data directory, made if it is not there, and locked.
  private static func takeDataDirectory(_ path: String) throws(StartFailure) -> DataDirectory {
    do throws(Errno) {
      var directory = try DataDirectory.create(path)
      if try lock(&directory) { return directory }
    } catch {
      throw StartFailure(status: Status.disk, reason: "the data directory \(path) cannot be used: \(error)")
    }
    throw StartFailure(status: Status.running, reason: "another daemon uses \(path)")
  }

  private static func serve(
    _ configuration: consuming Configuration, _ file: String, _ places: DaemonPaths, _ passed: Activation.Passed,
    _ environment: [String: String]
  ) throws(StartFailure) -> Int32 {
    let trace = try openTrace(environment)
    defer { if trace != nil { SyscallTrace.disable() } }
    if let trace { SyscallTrace.enable(descriptor: trace) }
    do {
      return try serve(consume configuration, file, places, passed, environment, loop: try EventLoop())
    } catch let failure as StartFailure {
      throw failure
    } catch UnixListenerError.inUse(let path) {
      throw StartFailure(status: Status.running, reason: "another daemon answers on \(path)")
    } catch let error as Activation.Unknown {
      throw StartFailure(status: Status.configuration, reason: error.description)
    } catch let error as RecoveryError {
      throw StartFailure(status: Status.disk, reason: "the log in \(places.data) cannot be opened: \(error)")
    } catch let error as StorageError {
      throw StartFailure(status: Status.disk, reason: "the log in \(places.data) cannot be opened: \(error)")
    } catch {
      throw StartFailure(status: Status.system, reason: "\(error)")
    }
  }

  private static func serve(
    _ configuration: consuming Configuration, _ file: String, _ places: DaemonPaths, _ passed: Activation.Passed,
    _ environment: [String: String], loop: EventLoop
  ) throws -> Int32 {
    let journal = Journal(level: configuration.daemon.logLevel, environment: environment) { loop.now().wall }
    let service = ServiceManager(environment: environment, processID: ProcessEnvironment.processID)
    // Before any thread is started: they inherit what is blocked.
    var onSignal: (ControlSignal) -> Void = { _ in }
    let signals = try SignalSource(loop: loop) { onSignal($0) }
    defer { signals.release() }

    let directory = try takeDataDirectory(places.data)
    ProcessEnvironment.raiseDescriptorLimit()
    let storage = try directory.storage(readOnly: false)
    let opened = try OpenLog(directory, storage, gap: configuration.daemon.snapInterval, journal)
    let engine = Engine(
      configuration: copy configuration, state: opened.state, log: opened.uuid, writer: opened.writer,
      reader: LogReader(storage: storage, chunk: 32 << 10, passesOver: opened.unreadable.contains),
      keys: opened.keys, random: SystemRandomSource(), now: loop.now(), host: host(configuration),
      utcOffset: { SystemClock.utcOffset(atWallMilliseconds: $0.milliseconds) }, rest: opened.rest)
    let listeners = Listeners(loop: loop, journal: journal, turnedAwayLine: Engine.turnedAwayLine)
    let served = ServedConfiguration(copy configuration, listeners, mainSocket: places.socket) {
      reread(file, environment)
    }
    let driver = try Driver(
      loop: loop, engine: engine, storage: storage,
      links: Links(loop: loop, dnsServers: configuration.daemon.dnsServers), listeners: listeners,
      configuration: served, emoticons: EmoticonReader(loop: loop, environment: environment),
      hooks: HookSurroundings(environment, socket: places.socket), data: places.data, journal: journal, service: service
    )
    for problem in passed.problems { journal.write(.warning, problem) }
    try listen(listeners, configuration.servedSockets(main: places.socket), passed.sockets)
    // Its passwords live as long as the accounts that have them.
    _ = consume configuration
    onSignal = { take($0, driver, service) }
    let machine = MachineEvents(loop: loop, journal: journal) { driver.handle($0) }
    defer { machine.end() }
    driver.handle(.started)
    service.notify("READY=1")
    let watchdog = service.watchdogPause.map { pause in
      Watchdog(loop: loop, service: service, pause: pause) { driver.handle(.tick) }
    }
    defer { watchdog?.stop() }
    journal.write(.notice, "confabd \(ConfabVersion.text) serves \(places.socket ?? "the socket that systemd passed")")
    try loop.run()
    listeners.close()
    journal.write(.notice, "stopped")
    return driver.exitStatus ?? 0
  }

  private static func take(_ signal: ControlSignal, _ driver: Driver, _ service: ServiceManager) {
    switch signal {
    case .terminate, .interrupt:
      service.notify("STOPPING=1", status: "stopping")
      driver.handle(.stop(signal == .terminate ? .terminate : .interrupt))
    case .reload: driver.reload()
    }
  }

  /// The sockets that systemd passed, or our own if it passed none.
  private static func listen(
    _ listeners: Listeners, _ sockets: [SocketSettings], _ passed: [Activation.PassedSocket]
  ) throws {
    for (descriptor, settings) in try Activation.match(passed, sockets) {
      try listeners.adopt(OwnedFD(taking: descriptor), settings)
    }
    try listeners.serve(sockets)
  }

  /// The descriptors left after those of the log, the streams, the look-ups, the sockets and what front ends pass.
  private static func host(_ configuration: Configuration) -> Host {
    let others = 32 + HeldDescriptors.limit + 4 * configuration.accounts.count + 2 * configuration.servedSockets().count
    return Host(
      user: ProcessEnvironment.userID, connections: max(4, ProcessEnvironment.descriptorLimit - others))
  }

  private static func reread(_ file: String, _ environment: [String: String]) -> ConfigurationOutcome {
    do throws(StartFailure) {
      return .read(try read(file, environment))
    } catch {
      return .refused(error.reason)
    }
  }

  /// `CONFAB_SYSCALL_TRACE=FILE`: every system call of the daemon, a line each; for tests and for people who look for
  /// what it does.
  private static func openTrace(_ environment: [String: String]) throws(StartFailure) -> CInt? {
    guard let path = environment["CONFAB_SYSCALL_TRACE"], !path.isEmpty else { return nil }
    do throws(Errno) {
      return try SyscallTrace.file(path)
    } catch {
      throw StartFailure(status: Status.system, reason: "CONFAB_SYSCALL_TRACE: \(error)")
    }
  }
}
