import Bytes
import Reactor
import Syscalls
import TLS
import Transport

/// A link and what it told.
final class Client {
  let loop: EventLoop
  private(set) var link: Link?
  private(set) var events: [LinkEvent] = []
  var onEvent: (LinkEvent) -> Void = { _ in }

  init(loop: EventLoop, servers: [String] = [], outputLimit: Int = 8 << 20) throws {
    self.loop = loop
    SignalFD.ignoreFailedWrites()
    let resolver = try LoopResolver(loop: loop, servers: servers)
    link = Link(loop: loop, resolver: resolver, contexts: TLSContexts(), outputLimit: outputLimit) { [unowned self] in
      if $0 != .drained { events.append($0) }
      onEvent($0)
    }
  }

  func drop() { link = nil }

  var received: [UInt8] {
    events.flatMap { event in
      if case .received(let bytes) = event { return bytes }
      return []
    }
  }

  var isOpen: Bool { events.contains { if case .opened = $0 { true } else { false } } }
  var isSecured: Bool { facts != nil }

  /// What the latest handshake agreed on.
  var facts: TLSFacts? {
    for case .secured(let facts) in events.reversed() { return facts }
    return nil
  }

  var isClosed: Bool { closing != nil }

  /// The words of the `closed` event.
  var closing: String?? {
    for case .closed(let reason) in events { return .some(reason) }
    return nil
  }
}
