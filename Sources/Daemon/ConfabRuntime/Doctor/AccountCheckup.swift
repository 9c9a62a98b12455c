import Bytes
import Clocks
import ConfabAccounts
import LineProtocol
import Reactor
import ConfabConfiguration
import Transport

/// Drives the probe of one account with the real network.
final class AccountCheckup {
  /// How long one step may take: longer than reaching an address does, so that the failure is reported in its own
  /// words.
  private static let patience = Interval.seconds(25)
  /// A password command may ask a person.
  private static let keyPatience = Interval.seconds(90)

  private let loop: EventLoop
  private let resolver: LoopResolver
  private let links: Links
  private lazy var keys = KeyWorker(loop: loop) { [unowned self] in derived($0, $1) }
  private let onFinished: () -> Void
  private var probe: Probe
  private var link = LinkID(1)
  private var timer: TimerID?
  private var findings: ServerFindings
  private var unanswered = 0
  private var isProbed = false

  init(
    _ probe: Probe, loop: EventLoop, resolver: LoopResolver, dnsServers: [String], onFinished: @escaping () -> Void
  ) throws {
    (self.probe, self.loop, self.resolver, self.onFinished) = (probe, loop, resolver, onFinished)
    findings = ServerFindings(account: probe.account)
    links = try Links(loop: loop, dnsServers: dnsServers)
    links.onEvent = { [unowned self] in handle($0, $1) }
  }

  var isFinished: Bool { isProbed && unanswered == 0 }
  var checks: [Check] { findings.checks }

  func begin() { step { $0.begin(into: &$1) } }

  private func handle(_ id: LinkID, _ event: LinkEvent) {
    guard id == link else { return }
    step { $0.handle(event, into: &$1) }
  }

  private func derived(_ id: LinkID, _ derived: Derived) {
    guard id == link else { return }
    restartTimer(Self.patience)
    step { $0.handle(derived, into: &$1) }
  }

  private func step(_ body: (inout Probe, inout [Probe.Output]) -> Void) {
    guard !isProbed else { return }
    var outputs: [Probe.Output] = []
    body(&probe, &outputs)
    for output in outputs { perform(output) }
  }

  private func restartTimer(_ patience: Interval) {
    if let timer = timer.take() { loop.cancelTimer(timer) }
    timer = loop.startTimer(after: patience) { [unowned self] in step { $0.timedOut(into: &$1) } }
  }

  private func perform(_ output: Probe.Output) {
    switch output {
    case .found(let finding): found(finding)
    case .act(.derive(_, let request)):
      restartTimer(Self.keyPatience)
      keys.derive(request, for: link, account: probe.account)
    case .act(let action): perform(action)
    case .finished:
      isProbed = true
      if let timer = timer.take() { loop.cancelTimer(timer) }
      finishIfDone()
    }
  }

  /// A step has its time from its beginning: a server that drips does not make it longer.
  private func perform(_ action: LinkAction) {
    links.perform(action, on: link)
    switch action {
    case .resolve, .connect, .startTLS, .close: restartTimer(Self.patience)
    case .abort: link = LinkID(link.number + 1)
    case .write, .pause, .resume, .derive: break
    }
  }

  private func found(_ finding: Probe.Finding) {
    findings.take(finding)
    guard case .places(let places) = finding, probe.account.proxy == nil else { return }
    for host in Set(places.prefix(Probe.mostPlaces).map(\.host)) {
      for family in AddressFamily.allCases {
        unanswered += 1
        resolver.addresses(of: host, family) { [unowned self] in answered(host, $0) }
      }
    }
  }

  private func answered(_ host: String, _ answer: AddressAnswer) {
    findings.take(answer, of: host)
    unanswered -= 1
    finishIfDone()
  }

  private func finishIfDone() {
    if isFinished { loop.deferWork(onFinished) }
  }
}
