package import Clocks
package import Syscalls

/// The loop that owns every socket, timer and all state of the daemon: one thread, plain callbacks.
///
/// Not thread-safe: make it, use it and everything it calls on one thread. Other threads get in by a `Mailbox` only.
/// It sleeps in epoll until a descriptor is ready, a deadline is reached, a signal or a message comes; there is no
/// tick. Handlers never nest: each is called from the loop itself.
package final class EventLoop {
  private let epoll: Epoll
  private let waker: Waker
  private let timer: TimerFD
  private var watches = WatchTable()
  private var timers = TimerQueue()
  private var deadlineTimer: TimerID?
  /// The time at which the kernel's timer is armed.
  private var armed: Instant?
  private var deferredWork: [DeferredWork] = []
  private var mailboxes: [() -> Void] = []
  private var isStopped = false
  private lazy var readBuffer = ReadBuffer()

  /// Called when a deadline that `setDeadline` set is reached.
  package var onDeadline: () -> Void = {}

  /// Opens the loop's own descriptors; fails if the process has none left.
  package init() throws(Errno) {
    epoll = try Epoll()
    waker = try Waker()
    timer = try TimerFD.sinceBoot()
    try epoll.add(waker.raw, for: [.read, .onceEach], tag: EventLoop.wakerTag)
    try epoll.add(timer.raw, for: .read, tag: EventLoop.timerTag)
  }

  // Slots of watches are far below these.
  private static let wakerTag = UInt64.max
  private static let timerTag = UInt64.max - 1

  /// Both clocks, read now. `instant` counts from boot and goes on in suspend.
  package func now() -> Moment {
    Moment(
      instant: Instant(milliseconds: SystemClock.bootMilliseconds),
      wall: Timestamp(milliseconds: SystemClock.wallMilliseconds))
  }
}

// MARK: Descriptors

extension EventLoop {
  /// Calls `handler` whenever `fd` is ready for `interest`, or broken. The descriptor is lent until `unwatch`.
  package func watch(
    _ fd: CInt, for interest: Epoll.Readiness, _ handler: @escaping (Epoll.Readiness) -> Void
  ) throws(Errno) -> Watch {
    let watch = watches.insert(WatchTable.Entry(fd: fd, interest: interest, handler: handler))
    guard !interest.isEmpty else { return watch }
    do throws(Errno) {
      try epoll.add(fd, for: interest, tag: watch.tag)
    } catch {
      _ = watches.remove(watch)
      throw error
    }
    return watch
  }

  /// Changes what a watch waits for.
  ///
  /// Nothing at all takes the descriptor out of epoll, so that a broken one does not wake us for ever; `.hangUp`
  /// alone waits for it to break. Failure here means that the kernel has no memory left.
  package func setInterest(_ watch: Watch, _ interest: Epoll.Readiness) throws(Errno) {
    guard let entry = watches[watch], entry.interest != interest else { return }
    if interest.isEmpty {
      try epoll.remove(entry.fd)
    } else if entry.interest.isEmpty {
      try epoll.add(entry.fd, for: interest, tag: watch.tag)
    } else {
      try epoll.modify(entry.fd, for: interest, tag: watch.tag)
    }
    watches[watch]?.interest = interest
  }

  /// Ends a watch, before its descriptor is closed. Its handler is not called again, not even for what the kernel
  /// reported already.
  package func unwatch(_ watch: Watch) {
    guard let entry = watches.remove(watch), !entry.interest.isEmpty else { return }
    try? epoll.remove(entry.fd)  // cannot fail for a descriptor that is open and added
  }

  /// How many descriptors are watched.
  package var watchCount: Int { watches.count }

  /// Lends the loop's one buffer of 64 KiB for a read; what is in it is to be used or copied before `body` ends.
  package func withReadBuffer<Result, E: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> Result
  ) throws(E) -> Result {
    try unsafe body(readBuffer.bytes)
  }
}

// MARK: Time

extension EventLoop {
  /// Calls `onDeadline` once when `deadline` is reached; replaces what was set; nil takes it back.
  package func setDeadline(_ deadline: Instant?) {
    if let deadlineTimer { timers.remove(deadlineTimer) }
    deadlineTimer = deadline.map { deadline in
      timers.insert(at: deadline) { [unowned self] in
        deadlineTimer = nil
        onDeadline()
      }
    }
  }

  /// Calls `handler` once when `deadline` is reached.
  package func startTimer(at deadline: Instant, _ handler: @escaping () -> Void) -> TimerID {
    timers.insert(at: deadline, handler)
  }

  /// Calls `handler` once, `interval` from now.
  package func startTimer(after interval: Interval, _ handler: @escaping () -> Void) -> TimerID {
    startTimer(at: now().instant.advanced(by: interval), handler)
  }

  /// Takes a timer back; one that has fired is no matter.
  package func cancelTimer(_ timer: TimerID) {
    timers.remove(timer)
  }

  /// Calls `work` from the loop itself, once what is being handled now has returned.
  package func deferWork(_ work: @escaping () -> Void) {
    deferredWork.append(.call(work))
  }

  /// Defers the end of turn of an object, which is retained until then. Thousands of connections that were written to
  /// need no closure each.
  package func deferWork(_ object: any TurnEndHandler) {
    deferredWork.append(.end(object))
  }
}

/// An object with work at the end of a turn.
package protocol TurnEndHandler: AnyObject {
  func endTurn()
}

/// Work deferred until the current handler has returned.
private enum DeferredWork {
  case call(() -> Void)
  case end(any TurnEndHandler)
}

// MARK: Other threads

extension EventLoop {
  /// A way in for other threads: `handler` gets each message on the loop's thread. It lives as long as the loop.
  package func makeMailbox<Message>(_ handler: @escaping (Message) -> Void) -> Mailbox<Message> {
    let mailbox = Mailbox<Message>(waker: waker)
    mailboxes.append {
      guard mailbox.hasMail() else { return }
      for message in mailbox.takeAll() { handler(message) }
    }
    return mailbox
  }
}

// MARK: Running

extension EventLoop {
  /// Runs until `stop`.
  package func run() throws(Errno) {
    isStopped = false
    while !isStopped { try turn() }
  }

  /// Makes `run` return after the handler that is running.
  package func stop() {
    isStopped = true
  }

  /// Waits for something to happen (or looks only, without `block`) and handles it.
  package func turn(block: Bool = true) throws(Errno) {
    let hadWork = runAfterwards()
    let hasFired = fireTimers()
    try armTimer()
    let isIdle = !hadWork && !hasFired && deferredWork.isEmpty && !isStopped
    let count = try epoll.wait(block: block && isIdle)
    for index in 0..<count where !isStopped { handle(epoll.event(index)) }
    if !isStopped { fireTimers() }
    // Work deferred by deferred work also runs before the next epoll_wait.
    for _ in 0..<2 { runAfterwards() }
  }

  private func handle(_ event: Epoll.Event) {
    switch event.tag {
    case EventLoop.wakerTag:
      waker.reset()
      for takeMessages in mailboxes { takeMessages() }
    case EventLoop.timerTag:
      if case .expired = timer.acknowledge() { armed = nil }
    default:
      watches[Watch(tag: event.tag)]?.handler(event.readiness)
    }
  }

  /// Calls the timers that are due, and says whether there were any. Timers that they set for now wait for the next
  /// turn, so that descriptors have theirs.
  @discardableResult
  private func fireTimers() -> Bool {
    guard let earliest = timers.earliest else { return false }
    let now = now().instant
    guard earliest <= now else { return false }
    let newest = timers.lastNumber
    while !isStopped, let handler = timers.popDue(at: now, newest: newest) { handler() }
    return true
  }

  /// Does what was set aside, and says whether there was any.
  @discardableResult
  private func runAfterwards() -> Bool {
    guard !deferredWork.isEmpty else { return false }
    let work = deferredWork
    deferredWork = []
    for item in work {
      switch item {
      case .call(let call): call()
      case .end(let object): object.endTurn()
      }
    }
    return true
  }

  /// Sets the kernel's timer where the next deadline is another than before.
  private func armTimer() throws(Errno) {
    guard timers.earliest != armed else { return }
    try timer.arm(atMilliseconds: timers.earliest?.milliseconds)
    armed = timers.earliest
  }
}

/// Memory for one read, made at first use and kept.
@safe private final class ReadBuffer {
  let bytes: UnsafeMutableRawBufferPointer

  init() {
    unsafe bytes = .allocate(byteCount: 131_072, alignment: 64)
  }

  deinit { unsafe bytes.deallocate() }
}
