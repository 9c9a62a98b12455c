import Bytes
import Clocks
import Records
import ConfabConfiguration
import State
import XMPPCore
import XMPPExtensions
import XMPPStream

/// Requests slots at the account's upload service (XEP-0363), and knows the service's hosts, which its slots name.
final class UploadSlots: StreamPart {
  enum Answer {
    case slot(UploadSlot)
    /// There is none for this file.
    case refused(Failure)
    /// The server did not answer, or wants to be asked again; maybe from this time on.
    case later(notBefore: Timestamp?)
  }

  private let stream: ReliableStream
  private let discovery: UploadDiscovery
  private let requests: Requests
  private var settings: AccountSettings
  /// Address of the account's server, as `status` shows it.
  var server: () -> String? = { nil }
  /// True if slots can be requested.
  private(set) var isReady = false
  /// Hosts that slots have named since the start, and whether a slot was requested for that alone on this stream.
  private var namedHosts: [UploadHostRecord] = []
  private var hasLearned = false
  /// Handlers that wait to hear of it.
  private var learners: [() -> Void] = []

  init(_ stream: ReliableStream, _ settings: AccountSettings, _ discovery: UploadDiscovery, _ requests: Requests) {
    (self.stream, self.settings, self.discovery, self.requests) = (stream, settings, discovery, requests)
  }

  func configure(_ settings: AccountSettings) { self.settings = settings }

  func streamBegins(_: NegotiatedStream) { (isReady, hasLearned) = (true, false) }

  func linkLost() { isReady = false }

  func retired() { isReady = false }

  // MARK: - Slots

  /// Requests a slot for a file.
  ///
  /// - Parameters:
  ///   - isWanted: once it is false, nothing more is requested and `then` is not called.
  ///   - then: is called once, at the latest when the link is lost.
  func request(
    for file: FileMetadata, while isWanted: @escaping () -> Bool = { true }, then: @escaping (Answer) -> Void
  ) {
    discovery.find { [self] finding in
      guard isWanted() else { return }
      switch finding {
      case .unknown: then(.later(notBefore: nil))
      case .none: then(.refused("feature-not-implemented", "the server has no upload service (XEP-0363)"))
      case .service(let service):
        if let limit = service.largest, limit < file.size ?? 0 { return then(.tooLarge(limit)) }
        requests.ask(service.jid, isOfClient: true) {
          service.request(file, id: $0)
        } then: { [self] in
          if isWanted() { then(read($0)) }
        }
      }
    }
  }

  private func read(_ answer: IQAnswer) -> Answer {
    switch answer {
    case .missing: return .later(notBefore: nil)
    case .result(let iq):
      guard let slot = UploadSlot(iq) else {
        return .refused("undefined-condition", "the server's answer holds no slot with two addresses of https")
      }
      note(slot)
      return .slot(slot)
    case .error(let iq):
      switch UploadRefusal(iq) {
      case .tooLarge(let limit): return .tooLarge(limit)
      case .wait(let until): return .later(notBefore: until)
      case .other(let error): return .refused(error.condition, error.text ?? "the server gives no place for the file")
      }
    }
  }

  // MARK: - Hosts

  /// The way of the account's files.
  var route: TransferRoute {
    TransferRoute(
      settings: settings, daemon: stream.effects.daemon, hosts: stream.state.server.uploadHosts + namedHosts,
      server: server())
  }

  private func note(_ slot: UploadSlot) {
    let state = stream.state
    for url in [slot.put, slot.get] where !route.knows(url) {
      guard let host = FileURL.host(url), let port = FileURL.securePort(url) else { continue }
      let named = UploadHostRecord(account: state.number, host: host, port: UInt32(port))
      namedHosts.append(named)
      stream.storage.append(.uploadHost(named))
    }
  }

  /// True if the account's own service may have further hosts, and that makes a difference for this file.
  func mayLearnHosts(for url: String) -> Bool {
    let route = route
    let mayBeOwn = FileURL.securePort(url) != nil && !route.knows(url)
    return isReady && (!hasLearned || !learners.isEmpty) && mayBeOwn && route.hasOwnHosts
  }

  /// Finds the service's hosts out: by a slot, which names them and is not used, once for a stream.
  func learnHosts(_ then: @escaping () -> Void) {
    learners.append(then)
    guard learners.count == 1 else { return }
    hasLearned = true
    var file = FileMetadata()
    (file.name, file.size) = ("file", 1)
    request(for: file) { [self] _ in
      let waiting = learners
      learners = []
      for then in waiting { then() }
    }
  }
}

extension UploadSlots.Answer {
  fileprivate static func refused(_ condition: String, _ text: String) -> Self {
    .refused(Failure(condition: condition, text: text))
  }

  fileprivate static func tooLarge(_ limit: UInt64?) -> Self {
    let most = limit.map { ": it takes at most \($0) bytes" } ?? ""
    return .refused("not-acceptable", "the file is too large for the server" + most)
  }
}
