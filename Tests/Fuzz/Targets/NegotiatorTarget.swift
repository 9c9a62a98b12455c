import Bytes
import Crypto
import SASL
import XML
import XMPPCore
import XMPPStream

/// The bits of the first byte say which kind of TLS, whether PLAIN is allowed, whether the connection has something to
/// bind a login to, and how far the client goes ahead of the server. Then what the server sends, with some bytes that
/// never stand in XML: 0 ends a read, 1 is a good server's answer, 2 the same byte by byte, 3 the end of the handshake.
@Sendable func fuzzNegotiator(_ bytes: [UInt8]) {
  var script = Script(bytes)
  let choice = script.byte()
  var side = Side(
    choice & 1 == 0 ? .startTLS : .direct, allowsPlain: choice & 2 != 0, binding: choice & 4 != 0,
    choice & 8 == 0 ? .known : .expected(SASLOffer(mechanisms: ["SCRAM-SHA-1"]), StreamFeatures()))
  side.handle(.connected)
  var read: [UInt8] = []
  for byte in script.remaining() {
    guard byte < 4 else {
      read.append(byte)
      continue
    }
    side.receive(read)
    read = []
    switch byte {
    case 1: side.receive(side.server.takeAnswers().bytes)
    case 2: for byte in side.server.takeAnswers().bytes { side.receive([byte]) }
    case 3: side.secured()
    default: break
    }
  }
  side.receive(read)
}

/// What a connection does for a negotiator.
private struct Side {
  var server = ServerSide()
  private var negotiator: Negotiator
  private var parser = StreamParser(limits: .unauthenticated)
  private var waiting: ArraySlice<StreamItem> = []
  private let allowsPlain: Bool
  private let hasBinding: Bool
  private var isHandshaking: Bool
  private var isSecured = false
  private var isOver = false

  init(
    _ mode: Negotiator.TLSMode, allowsPlain: Bool, binding hasBinding: Bool, _ pipelining: Negotiator.Pipelining
  ) {
    isHandshaking = mode == .direct
    self.allowsPlain = allowsPlain
    self.hasBinding = hasBinding
    negotiator = Negotiator(
      .init(
        jid: own.bare, resource: "confab", tls: mode, nonce: "fyko+d2lbbFgONRv9qkxdawL", iqIDPrefix: "q7-",
        allowsPlain: allowsPlain, pipelining: pipelining))
  }

  mutating func receive(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, !isHandshaking, !isOver else { return }
    var items: [StreamItem] = []
    parser.feed(bytes, into: &items)
    waiting = items[...]
    while let item = waiting.popFirst(), !isOver { handle(.item(item)) }
  }

  mutating func secured() {
    guard isHandshaking else { return }
    isHandshaking = false
    isSecured = true
    server.isSecured = true
    handle(
      .secured(
        TLSFacts(version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", tlsExporter: hasBinding ? [1, 2, 3] : nil)))
  }

  mutating func handle(_ input: Negotiator.Input) {
    var actions: [Negotiator.Action] = []
    negotiator.handle(input, into: &actions)
    hold(!isOver || actions.isEmpty, "nothing is done after the end")
    for action in actions {
      if case .newParser(let limits) = action {
        let isClean = parser.pendingBytes == 0 && waiting.isEmpty
        parser = StreamParser(limits: limits)
        waiting = []
        guard isClean else { return handle(.leftover) }
      } else {
        perform(action)
      }
    }
  }

  private mutating func perform(_ action: Negotiator.Action) {
    switch action {
    case .send(let bytes):
      for element in server.hear(bytes) where element.local != "starttls" && element.local != "error" {
        hold(isSecured, "nothing is said of us in the clear: \(element.local)")
      }
    case .startTLS: isHandshaking = true
    case .derive(let request):
      if case .plainMessage = request { hold(allowsPlain && isSecured, "the password is told only where it may be") }
      handle(.derived(credential: credential(for: request)))
    case .sendInitialStanzas: hold(isSecured, "no session says anything in the clear")
    case .notResumed: hold(isSecured, "nobody ends a stream in the clear")
    case .ready(let stream), .resumed(let stream, _):
      hold(isSecured && stream.jid.hasSameBare(as: own), "a stream that is ready is ours, and encrypted")
      hold(stream.login.channelBinding == nil || hasBinding, "a login is bound to what there is")
      isOver = true
    case .fail: isOver = true
    case .newParser: break
    }
    if isOver { hold(negotiator.step == nil, "what is over has no step") }
  }
}

/// What a password gives: always the same.
func credential(for request: CredentialRequest) -> [UInt8] {
  switch request {
  case .saltedPassword(let derivation): [UInt8](repeating: 7, count: derivation.hash.byteCount)
  case .plainMessage(let username): [0] + Array(username.utf8) + [0, 7]
  }
}
