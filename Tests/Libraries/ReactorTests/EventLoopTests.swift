import Clocks
import Glibc
import Reactor
import Syscalls
import Testing

@Suite("The loop: descriptors")
struct EventLoopTests {
  @Test("A handler is called when its descriptor is ready, and not after unwatch")
  func readiness() throws {
    let loop = try EventLoop()
    let pair = try Sockets.pair()
    var calls = 0
    let watch = try loop.watch(pair.first.raw, for: .read) { readiness in
      #expect(readiness.contains(.read))
      calls += 1
    }
    try loop.turn(block: false)
    #expect(calls == 0)
    try Descriptors.writeAll(pair.second.raw, [1])
    try loop.turn()
    try loop.turn()
    #expect(calls == 2, "level-triggered: it was not read")
    loop.unwatch(watch)
    try loop.turn(block: false)
    #expect(calls == 2)
    #expect(loop.watchCount == 0)
  }

  @Test("A handler that was unwatched in the same batch is not called, nor is who took its place")
  func generations() throws {
    let loop = try EventLoop()
    let first = try Sockets.pair()
    let second = try Sockets.pair()
    var called: [String] = []
    var watches: [Watch] = []
    func closeOther(_ name: String, _ other: Int) -> (Epoll.Readiness) -> Void {
      { _ in
        called.append(name)
        loop.unwatch(watches[other])
        _ = try? loop.watch(first.second.raw, for: .read) { _ in called.append("newcomer") }
      }
    }
    watches.append(try loop.watch(first.first.raw, for: .read, closeOther("a", 1)))
    watches.append(try loop.watch(second.first.raw, for: .read, closeOther("b", 0)))
    try Descriptors.writeAll(first.second.raw, [1])
    try Descriptors.writeAll(second.second.raw, [1])
    try loop.turn()
    #expect(called == ["a"] || called == ["b"])
  }

  @Test("No interest means silence even for a broken descriptor; hang-up alone tells")
  func interest() throws {
    let loop = try EventLoop()
    try Sockets.pair().split { ours, theirs in
      var seen: [Epoll.Readiness] = []
      let watch = try loop.watch(ours.raw, for: []) { seen.append($0) }
      try theirs.close()
      try loop.turn(block: false)
      #expect(seen.isEmpty)
      try loop.setInterest(watch, .hangUp)
      try loop.turn()
      #expect(seen.count == 1 && !seen[0].isDisjoint(with: .hangUp))
      try loop.setInterest(watch, [])
      try loop.turn(block: false)
      #expect(seen.count == 1)
    }
  }

  @Test("A descriptor that epoll refuses is an error and leaves nothing behind")
  func refused() throws {
    let loop = try EventLoop()
    #expect(throws: Errno(EBADF, "epoll_ctl")) { try loop.watch(-1, for: .read) { _ in } }
    #expect(loop.watchCount == 0)
  }

  @Test("stop ends run after the handler that is running; work set aside runs from the loop")
  func stops() throws {
    let loop = try EventLoop()
    var order: [Int] = []
    loop.deferWork {
      order.append(1)
      loop.deferWork {
        order.append(3)
        loop.stop()
      }
      order.append(2)
    }
    try loop.run()
    #expect(order == [1, 2, 3])
  }

  @Test("An object that has something to do at the end of the turn has its turn among the others, and lives until then")
  func endsTurn() throws {
    final class Object: TurnEndHandler {
      let work: () -> Void
      init(_ work: @escaping () -> Void) { self.work = work }
      func endTurn() { work() }
    }
    let loop = try EventLoop()
    var order: [Int] = []
    loop.deferWork { order.append(1) }
    loop.deferWork(Object { order.append(2) })
    loop.deferWork {
      order.append(3)
      loop.deferWork(Object { loop.stop() })
    }
    try loop.run()
    #expect(order == [1, 2, 3])
  }

  @Test("Asleep means asleep: one wait and nothing else until the deadline")
  func idle() throws {
    let loop = try EventLoop()
    loop.setDeadline(loop.now().instant.advanced(by: .milliseconds(30)))
    loop.onDeadline = { [unowned loop] in loop.stop() }
    let counts = try SyscallTrace.countingThisThread { try loop.run() }
    #expect(counts == ["timerfd_settime": 1, "epoll_wait": 1, "read": 1])
  }
}

@Suite("The loop: time")
struct LoopTimerTests {
  @Test("Timers fire in the order of their deadlines, equal ones as they were set, cancelled ones never")
  func order() throws {
    let loop = try EventLoop()
    let now = loop.now().instant
    var fired: [String] = []
    _ = loop.startTimer(at: now.advanced(by: .milliseconds(4))) {
      fired.append("late")
      loop.stop()
    }
    _ = loop.startTimer(at: now) { fired.append("first") }
    _ = loop.startTimer(at: now) { fired.append("second") }
    loop.cancelTimer(loop.startTimer(at: now) { fired.append("never") })
    try loop.run()
    #expect(fired == ["first", "second", "late"])
  }

  @Test("A deadline replaces the one before it, fires once and not early")
  func deadline() throws {
    let loop = try EventLoop()
    var fired = 0
    let due = loop.now().instant.advanced(by: .milliseconds(5))
    loop.setDeadline(loop.now().instant)
    loop.setDeadline(due)
    loop.onDeadline = { [unowned loop] in
      fired += 1
      #expect(loop.now().instant >= due)
      loop.deferWork { loop.stop() }
    }
    try loop.run()
    loop.setDeadline(due)
    loop.setDeadline(nil)
    try loop.turn(block: false)
    #expect(fired == 1)
  }

  @Test("A timer that sets another for now gives descriptors their turn")
  func fairness() throws {
    let loop = try EventLoop()
    let pair = try Sockets.pair()
    try Descriptors.writeAll(pair.second.raw, [1])
    var rounds = 0
    func again() {
      rounds += 1
      _ = loop.startTimer(at: loop.now().instant) { again() }
    }
    _ = try loop.watch(pair.first.raw, for: .read) { [unowned loop] _ in loop.stop() }
    again()
    try loop.run()
    #expect(rounds < 4)
  }
}

@Suite("The loop: other threads and signals", .serialized)
struct LoopEntryTests {
  @Test("Messages of another thread come in order, with one wake-up for those that wait")
  func mailbox() throws {
    let loop = try EventLoop()
    var got: [Int] = []
    let mailbox = loop.makeMailbox { [unowned loop] (number: Int) in
      got.append(number)
      if got.count == 100 { loop.stop() }
    }
    let counts = try SyscallTrace.countingThisThread {
      for number in 0..<50 { mailbox.send(number) }
      try loop.turn()
    }
    #expect(got.count == 50)
    #expect(counts["write"] == 1)
    try WorkerThread(name: "sender").run { for number in 50..<100 { mailbox.send(number) } }
    try loop.run()
    #expect(got == Array(0..<100))
  }

  @Test("SIGHUP, SIGINT and SIGTERM are events; the process lives on")
  func signals() throws {
    let loop = try EventLoop()
    var got: [ControlSignal] = []
    let source = try SignalSource(loop: loop) { [unowned loop] signal in
      got.append(signal)
      if got.count == 3 { loop.stop() }
    }
    for signal in [SIGHUP, SIGTERM, SIGINT] { raise(signal) }
    try loop.run()
    source.release()
    #expect(Set(got) == [.reload, .terminate, .interrupt])
  }

  @Test("A write to a closed peer is an error value")
  func brokenPipe() throws {
    SignalFD.ignoreFailedWrites()
    try Sockets.pair().split { ours, theirs in
      try theirs.close()
      let error = #expect(throws: Errno.self) { try Descriptors.writeAll(ours.raw, [1]) }
      #expect(error?.isDisconnected == true)
    }
  }
}
