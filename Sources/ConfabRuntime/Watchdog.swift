import Clocks
import Reactor

/// Says from the loop, again and again, that the loop turns: where it is stuck, the service manager misses it, and
/// starts the daemon anew.
final class Watchdog {
  private let loop: EventLoop
  private let service: ServiceManager
  private let pause: Interval
  private var timer: TimerID?

  init(loop: EventLoop, service: ServiceManager, pause: Interval) {
    (self.loop, self.service, self.pause) = (loop, service, pause)
    beat()
  }

  private func beat() {
    service.notify("WATCHDOG=1")
    timer = loop.startTimer(after: pause) { [unowned self] in beat() }
  }

  func stop() {
    if let timer = timer.take() { loop.cancelTimer(timer) }
  }
}
