import ConfabAccounts
import Clocks
import ConfabConfiguration
import JSON
import LineProtocol
import Records
import State

/// One hook: runs its command for one event after the other, in their order. An event counts as handled once the record
/// of the hook's position is durable; until then no other is begun, so a crash repeats one event at most.
final class Hook {
  private enum Phase {
    case idle
    case running(HookRunID, HookJob)
    /// The command failed, and is run again then.
    case pausing(HookJob, until: Instant)
    /// The position is to be durable before the next event.
    case storing
  }

  private(set) var settings: HookSettings
  private let context: RequestContext
  private(set) var filter: HookFilter
  /// All up to this record is handled, or is no event of this hook.
  private var position: UInt64
  private var queue: HookQueue
  /// Events that are in no record, as lines.
  private var brief: [[UInt8]] = []
  private var phase = Phase.idle
  private var trouble = HookTrouble()
  /// When to go on with reading or storing.
  private var resumesAt: Instant?

  private static let mostBrief = 16
  /// Other records up to which no new position is stored.
  private static let stride: UInt64 = 128

  /// A hook that was there before goes on behind its position, a new one begins now.
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

  /// Another configuration: a run of the former one is killed, and its event is run anew.
  func configure(_ settings: HookSettings, _ filter: HookFilter) {
    guard settings != self.settings else { return }
    (self.settings, self.filter) = (settings, filter)
    drop()
    queue = HookQueue(after: position)
    trouble = HookTrouble()
  }

  /// The hook is gone: its position is forgotten.
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

  // MARK: Going on

  /// Looks for events, and begins the next one if nothing is being done.
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

  /// Begins the next event, if there is one.
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

  /// The line of an event; empty if there is none any more, nil if the disk refuses it.
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

  /// Runs the command again, unless the event is gone by now.
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

  // MARK: Ends of runs

  /// A command has ended. False if it is not this hook's.
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

  /// The position in the log, durable or pending; nil: there is none.
  private static func storedPosition(_ name: String, _ context: RequestContext) -> UInt64? {
    let cursor = CursorName.ofHook(name)
    return context.storage.pending.cursor(cursor).map(\.position) ?? context.state.cursors[cursor]
  }

  /// Appends the position, unless it is there, or nothing can be stored.
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

  /// The daemon stops: what was looked at need not be read again.
  func stop() { store() }
}

// MARK: - Events that are in no record

extension Hook {
  /// Takes the line of an event that is in no record: the oldest of many are dropped.
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
