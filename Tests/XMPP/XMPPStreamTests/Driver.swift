import Bytes
import Crypto
import SASL
import Synchronization
import Testing
import XML
import XMPPStream

/// What a connection does for a negotiator: parser, handshake, key derivation, all at once and without a network.
struct Driver {
  /// What the world saw, in order.
  enum Event: Equatable {
    case sent(String)
    case startTLS
    case derived(CredentialRequest)
    case ready(NegotiatedStream)
    case resumed(NegotiatedStream, handled: UInt32)
    case notResumed(condition: String, handled: UInt32?)
    case failed(StreamFailure)
    /// The server's bytes went to the handshake, which they are not part of.
    case brokenHandshake
  }

  private(set) var events: [Event] = []
  private(set) var isHandshaking = false
  private var negotiator: Negotiator
  private let password: String
  private let facts: TLSFacts
  private var parser: StreamParser?
  private var items: ArraySlice<StreamItem> = []
  private var taken = 0

  init(_ negotiator: Negotiator, password: String, facts: TLSFacts) {
    self.negotiator = negotiator
    self.password = password
    self.facts = facts
  }

  var ready: NegotiatedStream? {
    for case .ready(let stream) in events { return stream }
    return nil
  }

  /// The stream that goes on, and how many of our stanzas the server has handled.
  var resumed: (stream: NegotiatedStream, handled: UInt32)? {
    for case .resumed(let stream, let handled) in events { return (stream, handled) }
    return nil
  }

  var failure: StreamFailure? {
    for case .failed(let failure) in events { return failure }
    return nil
  }

  var isAhead: Bool { negotiator.isAhead }

  var isOver: Bool { ready != nil || resumed != nil || failure != nil || events.contains(.brokenHandshake) }

  /// What was sent since the last call.
  mutating func takeSent() -> String {
    defer { taken = events.count }
    return events[taken...].reduce(into: "") { if case .sent(let text) = $1 { $0 += text } }
  }

  mutating func receive(_ bytes: ArraySlice<UInt8>) {
    guard !bytes.isEmpty, !isOver else { return }
    guard !isHandshaking else { return events.append(.brokenHandshake) }
    var new: [StreamItem] = []
    parser?.feed(bytes, into: &new)
    items = new[...]
    while let item = items.popFirst(), !isOver { handle(.item(item)) }
  }

  mutating func handshakeDone() {
    isHandshaking = false
    handle(.secured(facts))
  }

  var step: NegotiationStep? { negotiator.step }

  /// Checks that the negotiator, once it is over, does nothing whatever happens.
  mutating func isDeaf() {
    let step = step
    #expect(step == nil)
    var actions: [Negotiator.Action] = []
    let facts = TLSFacts(version: "TLSv1.3", cipher: "x")
    let inputs: [Negotiator.Input] = [
      .connected, .secured(facts), .item(.end), .item(.failed(.badEncoding)), .leftover, .derived(credential: [1]),
    ]
    for input in inputs { negotiator.handle(input, into: &actions) }
    #expect(actions == [])
  }

  mutating func handle(_ input: Negotiator.Input) {
    var actions: [Negotiator.Action] = []
    negotiator.handle(input, into: &actions)
    for (place, action) in actions.enumerated() {
      if case .fail = action { #expect(place == actions.count - 1, "an action after the failure") }
      guard perform(action) else { return }
    }
  }

  /// False: what else was to be done is void.
  private mutating func perform(_ action: Negotiator.Action) -> Bool {
    #expect(!isOver, "an action after the end")
    switch action {
    case .send(let bytes): events.append(.sent(String(decoding: bytes, as: UTF8.self)))
    case .newParser(let limits): return renewParser(limits)
    case .startTLS:
      events.append(.startTLS)
      isHandshaking = true
    case .derive(let request):
      events.append(.derived(request))
      handle(.derived(credential: Keys.credential(request, password)))
    case .sendInitialStanzas(let management, let versioning):
      events.append(.sent("<greeting sm='\(management)' ver='\(versioning)'/>"))
    case .ready(let stream): events.append(.ready(stream))
    case .resumed(let stream, let handled): events.append(.resumed(stream, handled: handled))
    case .notResumed(let condition, let handled):
      events.append(.notResumed(condition: condition, handled: handled))
    case .fail(let failure): events.append(.failed(failure))
    }
    return true
  }

  private mutating func renewParser(_ limits: StreamLimits) -> Bool {
    let isClean = (parser?.pendingBytes ?? 0) == 0 && items.isEmpty
    parser = StreamParser(limits: limits)
    items = []
    if !isClean { handle(.leftover) }
    return isClean
  }
}

/// What was made of passwords once: the same conversation is played thousands of times.
enum Keys {
  private struct Question: Hashable {
    let request: CredentialRequest
    let password: String
  }

  private static let known = Mutex<[Question: [UInt8]]>([:])

  static func credential(_ request: CredentialRequest, _ password: String) -> [UInt8] {
    known.withLock { known in
      let question = Question(request: request, password: password)
      if let key = known[question] { return key }
      let key = (try? request.credential(from: Array(password.utf8))) ?? []
      known[question] = key
      return key
    }
  }
}

extension Conversation {
  /// Replaces each `{text}` by its base64.
  static func expanded(_ text: String) -> String {
    var out = ""
    for part in text.split(separator: "}", omittingEmptySubsequences: false) {
      let halves = part.split(separator: "{", maxSplits: 1, omittingEmptySubsequences: false)
      out += halves[0]
      if halves.count > 1 { out += Base64.encode(halves[1].utf8) }
    }
    return out
  }
}
