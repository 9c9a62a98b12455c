import Bytes
import ConfabAccounts
import Crypto
import SASL
import XML
import XMPPCore
import XMPPStream

/// The links and the servers behind them.
final class Net {
  /// Names, connections, handshakes and derivations succeed by themselves; servers answer by themselves.
  var isQuick = true
  var answers = true
  private(set) var links: [LinkID: Peer] = [:]
  private var closed: Set<LinkID> = []
  /// The stream that was lost last; nil where the server has forgotten it.
  private var kept: ServerSide.Stream?
  /// What was said on each stream that was lost, by its name. Of one that a script has made up nobody can tell.
  private var said: [String: [String?]?] = [:]
  /// How many links there were.
  private var count = 0

  /// One link: what it waits for, and who is behind it.
  final class Peer {
    let id: LinkID
    var server = ServerSide()
    /// What the engine waits for, oldest first.
    var waiting: [LinkEvent] = []
    var request: CredentialRequest?
    /// The server's bytes get through: the link is up, and no handshake is under way.
    var isOpen = false
    /// What was written is still here.
    var isFull = false
    /// Stanza ids of the messages sent since `<enabled/>`, by their place in the count; nil: nobody can tell.
    var sent: [String?]? = []
    var isCounting = false
    init(_ id: LinkID) { self.id = id }
  }

  /// The newest link that there is.
  var newest: Peer? { links.values.max { $0.id.number < $1.id.number } }

  func forgetAll() {
    for id in links.keys.sorted(by: { $0.number < $1.number }) { keep(id) }
    links = [:]
    closed = []
  }

  func perform(_ action: LinkAction, _ id: LinkID, _ disk: Disk) {
    hold(!closed.contains(id), "a link that is over is left alone: \(action)")
    let peer = links[id] ?? Peer(id)
    if links[id] == nil {
      count += 1
      (peer.server.kept, peer.server.name) = (kept, "s\(count)")
    }
    links[id] = peer
    switch action {
    case .resolve: peer.waiting.append(.resolved(Self.services))
    case .connect: peer.waiting.append(.opened(remote: "127.0.0.1:5223"))
    case .startTLS:
      peer.isOpen = false
      peer.waiting.append(.secured(TLSFacts(version: "TLSv1.3", cipher: "AES")))
    case .write(let bytes):
      peer.isFull = true
      for element in peer.server.hear(bytes) { check(element, peer, disk) }
    case .close: peer.waiting.append(.closed(nil))
    case .derive(_, let request): peer.request = request
    case .abort: over(id)
    case .pause, .resume: break
    }
  }

  /// The server keeps the stream of a link that is lost, for a while.
  private func keep(_ id: LinkID) {
    guard let peer = links[id] else { return }
    guard peer.isCounting || peer.server.isKept else { return }
    let name = peer.server.name
    kept = peer.server.isKept ? ServerSide.Stream(name: name, handled: peer.server.handled) : nil
    said[name] = .some(peer.sent)
  }

  private func over(_ id: LinkID) {
    keep(id)
    links[id] = nil
    closed.insert(id)
  }

  /// What leaves for a server is durable, and so is what it is told that we have.
  private func check(_ element: Element, _ peer: Peer, _ disk: Disk) {
    if element.local == "message", let id = element.attribute("id") {
      hold(disk.stanzaIDs.contains(id), "a message leaves after its sync: \(id)")
    }
    if element.local == "resume", let name = element.attribute("previd") { peer.sent = said[name] ?? nil }
    guard ["a", "resume"].contains(element.local), let sent = peer.sent,
      let h = element.attribute("h").flatMap({ Int($0) })
    else { return }
    hold(h <= sent.count, "\(h) acknowledged of \(sent.count)")
    for case let id? in sent.prefix(h) {
      hold(disk.stanzaIDs.contains(id), "a message is acknowledged after its sync: \(id), h \(h)")
    }
    // What it was not told of is not said again.
    if element.local == "resume" { peer.sent = Array(sent.prefix(h)) }
  }

  /// The server behind a link sends this; `ids` says what its stanzas are, nil that nobody knows.
  func send(_ bytes: [UInt8], _ peer: Peer, ids: [String?]?) -> Event? {
    guard peer.isOpen else { return nil }
    peer.sent = ids.flatMap { ids in peer.sent.map { peer.isCounting ? $0 + ids : $0 } }
    return .link(peer.id, .received(bytes))
  }

  /// The server answers what it was asked.
  func answer(_ peer: Peer) -> Event? {
    let answers = peer.isOpen ? peer.server.takeAnswers() : ServerSide.Answers()
    guard !answers.bytes.isEmpty else { return nil }
    // Its acknowledgements are on from `<enabled/>` on.
    peer.isCounting = answers.counted != nil
    return send(answers.bytes, peer, ids: Array(repeating: nil, count: answers.counted ?? 0))
  }

  func nextEvent() -> Event? {
    for peer in links.values.sorted(by: { $0.id.number < $1.id.number }) {
      if isQuick, let event = world(peer, failing: nil) ?? drain(peer) { return event }
      if answers, let event = answer(peer) { return event }
    }
    return nil
  }

  /// What the link waits for happens, or fails with a reason.
  func world(_ peer: Peer, failing reason: String?) -> Event? {
    if let request = peer.request {
      peer.request = nil
      return .derived(peer.id, reason.map(Derived.failed) ?? .credential(credential(for: request)))
    }
    guard !peer.waiting.isEmpty else { return nil }
    let event = peer.waiting.removeFirst()
    if reason != nil { return close(peer, reason) }
    switch event {
    case .closed: over(peer.id)
    case .secured:
      peer.server.isSecured = true
      peer.isOpen = true
    case .opened: peer.isOpen = true
    case .resolved, .received, .drained: break
    }
    return .link(peer.id, event)
  }

  /// All that was written is gone.
  func drain(_ peer: Peer) -> Event? {
    guard peer.isFull else { return nil }
    peer.isFull = false
    return .link(peer.id, .drained)
  }

  func close(_ peer: Peer, _ reason: String?) -> Event {
    over(peer.id)
    return .link(peer.id, .closed(reason))
  }

  private static let services = Services(
    direct: .records([.init(priority: 1, weight: 1, host: "xmpp.example.org", port: 5223)]),
    startTLS: .records([.init(priority: 2, weight: 0, host: "other.example.org", port: 5222)]))
}
