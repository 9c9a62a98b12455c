import Clocks
import Reactor

/// Says from the loop, again and again, that the loop turns: where it is stuck, the service manager misses it, and
/// starts the daemon anew.
final class Watchdog {
  private let loop: EventLoop
  private let service: ServiceManager
  private let pause: Interval
  private let onBeat: () -> Void
  private var timer: TimerID?

  /// - Parameter onBeat: called at each wake-up, for work that is not urgent.
  init(loop: EventLoop, service: ServiceManager, pause: Interval, onBeat: @escaping () -> Void) {
    (self.loop, self.service, self.pause, self.onBeat) = (loop, service, pause, onBeat)
    beat()
  }

  private func beat() {
    service.notify("WATCHDOG=1")
    onBeat()
    timer = loop.startTimer(after: pause) { [unowned self] in beat() }
  }

  func stop() {
    if let timer = timer.take() { loop.cancelTimer(timer) }
  }
}
