import Synchronization
import Syscalls

/// The only way from other threads into a loop: messages that its handler gets on the loop's thread, in order.
///
/// Make it with `EventLoop.makeMailbox`; hand it to the threads. The handler stays with the loop, so it may touch
/// everything there; a message is Sendable.
package final class Mailbox<Message: Sendable>: Sendable {
  private let waiting = Mutex<[Message]>([])
  private let waker: Waker

  init(waker: Waker) {
    self.waker = waker
  }

  /// Leaves a message and wakes the loop; any thread. Messages after the loop has ended are dropped with it.
  package func send(_ message: Message) {
    waiting.withLock { $0.append(message) }
    waker.wake()
  }

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
