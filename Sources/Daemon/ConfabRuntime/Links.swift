import Bytes
import ConfabAccounts
import Reactor
import ConfabConfiguration
import TLS
import Transport

/// The connections to servers, by the names that the engine gave them.
final class Links {
  /// Gets every event of every link; set before the first action.
  var onEvent: (LinkID, LinkEvent) -> Void = { _, _ in }

  private let loop: EventLoop
  private let resolver: LoopResolver
  private let contexts = TLSContexts()
  private var links: [LinkID: Link] = [:]

  init(loop: EventLoop, dnsServers: [String]) throws(ResolverError) {
    self.loop = loop
    resolver = try LoopResolver(loop: loop, servers: dnsServers)
  }

  func perform(_ action: LinkAction, on id: LinkID) {
    let link = link(id)
    switch action {
    case .resolve(let domain): link.resolve(domain: domain)
    case .connect(let host, let port, let proxy):
      link.connect(host: host, port: port, through: proxy.map(SOCKSProxy.init))
    case .startTLS(let request): link.startTLS(request)
    case .write(let bytes): link.write(bytes)
    case .pause: link.pauseReading()
    case .resume: link.resumeReading()
    case .close: link.close()
    case .abort:
      link.abort()
      links[id] = nil
    case .derive: break  // the driver's
    }
  }

  /// The network or the configuration is another: the next look-up asks the name servers that are right now.
  func refreshNames(asking servers: [String]) {
    // The configuration's check refused servers that are not addresses.
    try? resolver.restart(asking: servers)
  }

  private func link(_ id: LinkID) -> Link {
    if let link = links[id] { return link }
    let link = Link(loop: loop, resolver: resolver, contexts: contexts) { [unowned self] event in
      if case .closed = event { links[id] = nil }
      onEvent(id, event)
    }
    links[id] = link
    return link
  }
}
