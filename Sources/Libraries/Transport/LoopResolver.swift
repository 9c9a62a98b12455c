package import Bytes
import Clocks
package import Reactor
import Syscalls

/// The name service on a loop: its sockets watched, its time-outs kept, its answers given by the loop itself.
///
/// One for all links. An answer is never given inside the question.
package final class LoopResolver {
  private let loop: EventLoop
  private let resolver: Resolver
  private var watches: [CInt: Watch] = [:]
  private var timer: TimerID?

  /// - Parameter servers: as the configuration's `dns-server`; none: those of the system.
  package init(loop: EventLoop, servers: [String]) throws(ResolverError) {
    self.loop = loop
    resolver = try Resolver(servers: servers)
    resolver.onSocket = { [unowned self] in socketChanged($0, $1, $2) }
  }

  deinit {
    // The channel's end tells about its sockets, which is no longer for this object to hear.
    resolver.onSocket = { _, _, _ in }
    for watch in watches.values { loop.unwatch(watch) }
    resolver.restart()
    if let timer { loop.cancelTimer(timer) }
  }

  /// Looks for both kinds of service of a domain at once.
  package func services(of domain: String, _ answer: @escaping (Services) -> Void) {
    var direct: ServiceAnswer?
    var startTLS: ServiceAnswer?
    let collect = {
      if let direct, let startTLS { answer(Services(direct: direct, startTLS: startTLS)) }
    }
    ask(.direct, domain) {
      direct = $0
      collect()
    }
    ask(.startTLS, domain) {
      startTLS = $0
      collect()
    }
  }

  /// Looks for the addresses of a host, of one family.
  package func addresses(
    of host: String, _ family: AddressFamily, _ answer: @escaping (AddressAnswer) -> Void
  ) {
    resolver.addresses(of: host, family) { [loop] found in loop.deferWork { answer(found) } }
    rearm()
  }

  /// Starts anew with these servers, or the system's of now; running questions fail.
  ///
  /// - Parameter servers: as for `init`; one that is no address leaves everything as it was.
  package func restart(asking servers: [String]) throws(ResolverError) {
    try resolver.restart(asking: servers)
    rearm()
  }

  private func ask(_ service: ClientService, _ domain: String, _ answer: @escaping (ServiceAnswer) -> Void) {
    resolver.services(service, of: domain) { [loop] found in loop.deferWork { answer(found) } }
    rearm()
  }

  private func socketChanged(_ fd: CInt, _ forReading: Bool, _ forWriting: Bool) {
    if let watch = watches.removeValue(forKey: fd) { loop.unwatch(watch) }
    var interest: Epoll.Readiness = []
    if forReading { interest.insert(.read) }
    if forWriting { interest.insert(.write) }
    guard !interest.isEmpty else { return }
    // If the kernel has no memory for the watch, the query's time-out answers.
    watches[fd] = try? loop.watch(fd, for: interest) { [unowned self] in ready(fd, $0) }
  }

  private func ready(_ fd: CInt, _ readiness: Epoll.Readiness) {
    let isBroken = !readiness.isDisjoint(with: .hangUp)
    resolver.process(
      readable: readiness.contains(.read) || isBroken ? fd : nil, writable: readiness.contains(.write) ? fd : nil)
    rearm()
  }

  private func rearm() {
    if let timer = timer.take() { loop.cancelTimer(timer) }
    timer = resolver.timeout.map { milliseconds in
      loop.startTimer(after: .milliseconds(milliseconds)) { [unowned self] in
        resolver.process()
        rearm()
      }
    }
  }
}
