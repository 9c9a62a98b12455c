import Glibc
package import Syscalls

/// A signal of an administrator.
package enum ControlSignal: Hashable, Sendable {
  /// SIGTERM, and SIGXCPU at the soft limit on processor time: stop, and leave things so that the next start goes on.
  case terminate
  /// SIGINT, and SIGQUIT: stop and close.
  case interrupt
  /// SIGHUP: read the configuration again.
  case reload

  fileprivate static let numbers: [CInt: ControlSignal] = [
    SIGTERM: .terminate, SIGXCPU: .terminate, SIGINT: .interrupt, SIGQUIT: .interrupt, SIGHUP: .reload,
  ]

  /// Holds them back in this thread until a `SignalSource` takes them, and ignores the others that would end a process
  /// without a fault of its own. Call it first in a program that takes them, before any other thread is started.
  package static func prepare() {
    SignalFD.block(numbers.keys.sorted())
    SignalFD.ignoreFailedWrites()
    SignalFD.ignoreForeign()
  }
}

/// Signals as events of a loop.
///
/// Owned by who wants the events; they end with it. Make it before any other thread is started.
package final class SignalSource {
  private let signals: SignalFD
  private let loop: EventLoop
  private var watch: Watch?

  /// Handles the signals of `ControlSignal` for the process, those that came since `ControlSignal.prepare` too.
  package init(loop: EventLoop, _ handler: @escaping (ControlSignal) -> Void) throws(Errno) {
    ControlSignal.prepare()
    self.loop = loop
    signals = try SignalFD(ControlSignal.numbers.keys.sorted())
    watch = try loop.watch(signals.raw, for: .read) { [unowned self] _ in
      while let number = signals.next() {
        if let signal = ControlSignal.numbers[number] { handler(signal) }
      }
    }
  }

  /// Lets the signals act on the calling thread again as they did.
  package func release() {
    if let watch = watch.take() { loop.unwatch(watch) }
    SignalFD.unblock(ControlSignal.numbers.keys.sorted())
  }

  deinit {
    if let watch { loop.unwatch(watch) }
  }
}
