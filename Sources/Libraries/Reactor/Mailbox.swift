import Synchronization
import Syscalls

/// The only way from other threads into a loop: messages that its handler gets on the loop's thread, in order.
///
/// Make it with `EventLoop.makeMailbox`; hand it to the threads. The handler stays with the loop, so it may touch
/// everything there; a message is Sendable.
package final class Mailbox<Message: Sendable>: Sendable {
  private let waiting = Mutex<[Message]>([])
  private let mayHaveMail = Atomic<Bool>(false)
  private let waker: Waker

  init(waker: Waker) {
    self.waker = waker
  }

  /// Leaves a message and wakes the loop; any thread. Messages after the loop has ended are dropped with it.
  package func send(_ message: Message) {
    waiting.withLock { $0.append(message) }
    // Both sides exchange: who finds the flag as the other one left it also sees what the other did before, such as
    // `Waker.reset`.
    _ = mayHaveMail.exchange(true, ordering: .acquiringAndReleasing)
    waker.wake()
  }

  /// True if messages were left since the last call: the loop looks into all mailboxes each time it is woken, and most
  /// are empty.
  func hasMail() -> Bool { mayHaveMail.exchange(false, ordering: .acquiringAndReleasing) }

  /// Takes everything there is.
  func takeAll() -> [Message] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}

/// Wakes a sleeping loop, with one write however many messages wait. Each write is told once, so nothing is read.
final class Waker: Sendable {
  private let event: EventFD
  private let isSignalled = Atomic<Bool>(false)

  init() throws(Errno) {
    event = try EventFD()
  }

  /// The descriptor to watch for reading, `onceEach`.
  var raw: CInt { event.raw }

  /// Any thread.
  func wake() {
    if !isSignalled.exchange(true, ordering: .acquiringAndReleasing) { event.signal() }
  }

  /// The loop's thread, before it looks into its mailboxes: who leaves a message from here on signals again.
  func reset() {
    isSignalled.store(false, ordering: .sequentiallyConsistent)
  }
}
