import XMPPCore
package import XMPPExtensions

/// Finds the account's upload service (XEP-0363), once for a stream, when it is first needed.
package final class UploadDiscovery: StreamPart {
  package enum Finding {
    case service(UploadService)
    /// The server has none.
    case none
    /// There was no answer.
    case unknown
  }

  private let server: JID
  private let requests: Requests
  private var finding: Finding?
  private var waiting: [(Finding) -> Void] = []
  private var unanswered = 0
  private var isCut = false
  /// More entities of a server are not asked.
  private static let most = 32

  init(of jid: JID, _ requests: Requests) { (server, self.requests) = (jid.server, requests) }

  /// The server may be another one.
  func answersAreLost() { finding = nil }

  /// - Parameter then: is called once, at the latest when the link is lost.
  package func find(_ then: @escaping (Finding) -> Void) {
    if let finding { return then(finding) }
    waiting.append(then)
    guard waiting.count == 1 else { return }
    requests.ask(server, isOfClient: true) { [server] in
      ServiceDiscovery.itemsRequest(to: server, id: $0)
    } then: { [self] in
      receive(items: $0)
    }
  }

  private func receive(items answer: IQAnswer) {
    let items: [JID]
    switch answer {
    case .result(let iq): items = ServiceDiscovery.items(in: iq)
    case .error: items = []
    case .missing: return end(.unknown)
    }
    // A small server may be the service itself.
    let asked = items.filter { $0 != server }.prefix(Self.most) + [server]
    (unanswered, isCut) = (asked.count, false)
    for jid in asked {
      requests.ask(jid, isOfClient: true) {
        ServiceDiscovery.infoRequest(to: jid, id: $0)
      } then: { [self] in
        receive(info: $0, of: jid)
      }
    }
  }

  private func receive(info answer: IQAnswer, of jid: JID) {
    unanswered -= 1
    switch answer {
    case .result(let iq):
      if let service = DiscoInfo(iq).flatMap({ UploadService(jid, $0) }), !waiting.isEmpty { end(.service(service)) }
    case .error: break
    case .missing: isCut = true
    }
    if unanswered == 0, !waiting.isEmpty { end(isCut ? .unknown : .none) }
  }

  private func end(_ finding: Finding) {
    if case .unknown = finding {} else { self.finding = finding }
    let waiting = waiting
    self.waiting = []
    for then in waiting { then(finding) }
  }
}
