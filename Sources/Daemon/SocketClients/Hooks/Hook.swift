import ConfabAccounts
import Clocks
import ConfabConfiguration
import JSON
import LineProtocol
import Records
import State

/// Runs the command of one hook for each event, in log order and one at a time. An event is handled once the record of
/// the hook's position is durable. The next event begins only then, so a crash repeats at most one event.
final class Hook {
  private enum Phase {
    case idle
    case running(HookRunID, HookJob)
    /// The command failed; it runs again at `until`.
    case pausing(HookJob, until: Instant)
    /// The command succeeded; the next event waits until the position is durable.
    case storing
  }

  private(set) var settings: HookSettings
  private let context: RequestContext
  private(set) var filter: HookFilter
  /// The number of the last record that is handled or does not concern this hook.
  private var position: UInt64
  private var queue: HookQueue
  /// Lines of pending events that are not stored in the log (`online`, `offline`).
  private var brief: [[UInt8]] = []
  private var phase = Phase.idle
  private var trouble = HookTrouble()
  /// The time of the next attempt to read the log or to store the position.
  private var resumesAt: Instant?

  private static let mostBrief = 16
  /// The position is stored after this many records without an event.
  private static let stride: UInt64 = 128

  /// Continues after the stored position; a hook without one begins at the end of the log.
  init(_ settings: HookSettings, _ filter: HookFilter, _ context: RequestContext) {
    (self.settings, self.filter, self.context) = (settings, filter, context)
    let known = Self.storedPosition(settings.name, context)
    position = known ?? context.storage.queue.durable
    queue = HookQueue(after: position)
    if known == nil { store() }
  }

  var name: String { settings.name }

  /// When a tick is wanted next.
  var nextDeadline: Instant? {
    if case .pausing(_, let until) = phase { return resumesAt.orEarlier(until) }
    return resumesAt
  }

  // MARK: Configuration

  /// Applies changed settings: kills the present run, whose event is run again with them.
  func configure(_ settings: HookSettings, _ filter: HookFilter) {
    guard settings != self.settings else { return }
    (self.settings, self.filter) = (settings, filter)
    drop()
    queue = HookQueue(after: position)
    trouble = HookTrouble()
  }

  /// Kills the run and deletes the position; the hook is no longer in the configuration.
  func remove() {
    drop()
    context.storage.append(.cursor(CursorRecord(name: .ofHook(name))))
  }

  private func drop() {
    brief = []
    switch phase {
    case .running(let id, _): context.effects.act(.killHook(id))
    case .pausing: break
    case .idle, .storing: return
    }
    phase = .idle
  }

  // MARK: Events

  /// Reads the log for events, and starts the next one if no command is running.
  func advance() {
    guard context.storage.isWhole, !context.storage.isStopping else { return }
    resumesAt = nil
    scan()
    if case .storing = phase { waitForStorage() }
    if case .idle = phase { begin() }
  }

  func tick(at now: Instant) {
    guard let due = nextDeadline, due <= now else { return }
    if case .pausing(let job, let until) = phase, until <= now, context.storage.isWhole, !context.storage.isStopping {
      repeatRun(of: job)
    }
    advance()
  }

  private func scan() {
    switch queue.scan(context, filter) {
    case .done: break
    case .more: resume(in: .milliseconds(1))
    case .stuck: resume(in: Storage.pause)
    }
  }

  private func resume(in pause: Interval) {
    resumesAt = resumesAt.orEarlier(context.effects.now.instant.advanced(by: pause))
  }

  /// Starts the next event, if there is one.
  private func begin() {
    if !brief.isEmpty { return run(HookJob(line: brief.removeFirst(), number: nil)) }
    while let number = queue.numbers.first {
      guard let line = line(of: number) else { return resume(in: Storage.pause) }
      guard line.isEmpty else { return run(HookJob(line: line, number: number)) }
      pass(number)
    }
    position = max(position, queue.scanned)
    if position >= (Self.storedPosition(name, context) ?? 0) + Self.stride { store() }
  }

  /// The line of an event; empty if the event no longer exists, nil if the log cannot be read now.
  private func line(of number: UInt64) -> [UInt8]? {
    guard let record = context.records.record(number) else { return context.records.failure == nil ? [] : nil }
    let event = DurableEvents(context: context).read(record, sequence: number)
    guard event.isKnown, context.storage.isWhole else { return nil }
    return event.line?.line([], isLive: false) ?? []
  }

  private func run(_ job: HookJob) {
    let id = HookRunID(context.effects.freshNumber())
    phase = .running(id, job)
    context.effects.act(
      .runHook(HookRun(id: id, command: settings.command, input: job.line, timeout: settings.timeout)))
  }

  /// Runs the command again, unless the event no longer exists.
  private func repeatRun(of job: HookJob) {
    var job = job
    guard let number = job.number, let line = line(of: number) else {
      phase = .pausing(job, until: context.effects.now.instant.advanced(by: Storage.pause))
      return
    }
    job.line = line
    guard line.isEmpty else { return run(job) }
    trouble.failing = nil
    finish(job)
  }

  // MARK: Results

  /// Handles the end of a command; false if the run is not of this hook.
  func ended(_ id: HookRunID, _ outcome: HookOutcome) -> Bool {
    guard case .running(id, let job) = phase else { return false }
    switch outcome {
    case .done:
      trouble.failing = nil
      finish(job)
    case .failed(let reason): failed(job, reason)
    }
    advance()
    return true
  }

  private func finish(_ job: HookJob) {
    phase = .idle
    guard let number = job.number else { return }
    pass(number)
    phase = .storing
    store()
  }

  private func pass(_ number: UInt64) {
    queue.removeFirst()
    position = number
  }

  private func failed(_ job: HookJob, _ reason: String) {
    guard let number = job.number else {
      report(.warning, "\(reason); the event is not repeated")
      return finish(job)
    }
    let now = context.effects.now
    var job = job
    job.failures += 1
    let since = job.failingSince ?? now
    job.failingSince = since
    let left = since.instant.advanced(by: settings.giveUp) - now.instant
    guard left > .zero else { return giveUp(job, number, reason) }
    let pause = min(job.pause, left)
    trouble.failing = (since.wall, reason)
    phase = .pausing(job, until: now.instant.advanced(by: pause))
    report(.warning, "\(reason); event \(number) is run again in \(pause)")
  }

  private func giveUp(_ job: HookJob, _ number: UInt64, _ reason: String) {
    (trouble.failing, trouble.givenUp) = (nil, (number, context.effects.now.wall, reason))
    report(.error, "\(reason); event \(number) is given up after \(settings.giveUp)")
    finish(job)
  }

  private func report(_ level: LogLevel, _ words: String) {
    context.effects.journal(level, .hooks, "[hook \(name)] command: \(words)")
  }

  // MARK: The position

  /// The position in the log, pending or durable; nil if the hook has none.
  private static func storedPosition(_ name: String, _ context: RequestContext) -> UInt64? {
    let cursor = CursorName.ofHook(name)
    return context.storage.pending.cursor(cursor).map(\.position) ?? context.state.cursors[cursor]
  }

  /// Appends the position, unless it is already stored or the storage is failing.
  private func store() {
    guard context.storage.isWhole, context.storage.trouble == nil else { return }
    if let stored = Self.storedPosition(name, context), stored >= position { return }
    context.storage.append(.cursor(CursorRecord(name: .ofHook(name), position: position)))
  }

  private func waitForStorage() {
    guard context.state.cursors[.ofHook(name)] ?? 0 < position else { return phase = .idle }
    store()
    if context.storage.trouble != nil { resume(in: Storage.pause) }
  }

  /// Stores the position at an orderly stop, so that the next start does not read the same records again.
  func stop() { store() }
}

// MARK: - Events outside the log

extension Hook {
  /// Enqueues the line of an event that is not in the log; drops the oldest beyond `mostBrief`.
  func take(_ line: [UInt8]) {
    brief.append(line)
    if brief.count > Self.mostBrief { brief.removeFirst() }
    advance()
  }

  /// Writes its object for `status`.
  func write(into writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("pending", queue.numbers.count + brief.count)
    trouble.write(into: &writer)
  }
}
