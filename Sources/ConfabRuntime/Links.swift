import ConfabEngine
import NameService
import Reactor
import Settings
import TLS
import Transport
import XMPPStream

/// The connections to servers, by the names that the engine gave them.
final class Links {
  /// Gets every event of every link; set before the first action.
  var onEvent: (LinkID, ConfabEngine.LinkEvent) -> Void = { _, _ in }

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
    case .startTLS(let request):
      link.startTLS(
        TLSParameters(
          serverName: request.domain, caFile: request.authorityFile, offersXMPP: request.alpn,
          account: request.account, resumes: request.resumes))
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
    // What is no address was refused with its configuration.
    try? resolver.restart(asking: servers)
  }

  private func link(_ id: LinkID) -> Link {
    if let link = links[id] { return link }
    let link = Link(loop: loop, resolver: resolver, contexts: contexts) { [unowned self] in handle($0, of: id) }
    links[id] = link
    return link
  }

  private func handle(_ event: Transport.LinkEvent, of id: LinkID) {
    switch event {
    case .resolved(let found): onEvent(id, .resolved(Services(found)))
    case .opened(let remote): onEvent(id, .opened(remote: remote))
    case .secured(let facts): onEvent(id, .secured(XMPPStream.TLSFacts(facts)))
    case .received(let bytes): onEvent(id, .received(bytes))
    case .drained: onEvent(id, .drained)
    case .closed(let failure):
      links[id] = nil
      onEvent(id, .closed(failure?.sentence))
    }
  }
}

extension SOCKSProxy {
  fileprivate init(_ proxy: Proxy) {
    self.init(
      host: proxy.server.host, port: proxy.server.port, user: proxy.credentials.map { Array($0.user.utf8) },
      password: proxy.credentials?.password.bytes ?? [])
  }
}

extension XMPPStream.TLSFacts {
  fileprivate init(_ facts: TLS.TLSFacts) {
    self.init(
      version: facts.version, cipher: facts.cipher, tlsExporter: facts.tlsExporter,
      tlsServerEndPoint: facts.tlsServerEndPoint, isResumed: facts.isResumed, certificateEnd: facts.certificateEnd)
  }
}

extension Services {
  fileprivate init(_ found: ServiceLookup) {
    self.init(direct: ServiceAnswer(found.direct), startTLS: ServiceAnswer(found.startTLS))
  }
}

extension ServiceAnswer {
  fileprivate init(_ answer: SRVAnswer) {
    switch answer {
    case .records(let records):
      self = .records(
        records.map { ServiceRecord(priority: $0.priority, weight: $0.weight, host: $0.target, port: $0.port) })
    case .none: self = .none
    case .decidedlyNot: self = .refused
    case .failed(let reason): self = .failed(reason)
    }
  }
}
