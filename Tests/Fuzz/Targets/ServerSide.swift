import Bytes
import Crypto
import XML
import XMPPCore

/// A well-behaved server at the other side of a stream: it answers what the client writes, which must be XML. A script
/// decides when its answers come, and what else does.
struct ServerSide {
  /// The salted password of everybody: deriving real ones would take all the time there is.
  static let saltedPassword = [UInt8](repeating: 7, count: 20)

  /// The client spoke on an encrypted stream.
  var isSecured = false
  /// Answers that have not been taken, and how many stanzas of them the client counts.
  private var answers = Answers()
  /// Stanzas of the client's since `<enable/>`, modulo 2^32.
  private(set) var handled: UInt32 = 0
  private var parser = StreamParser()
  private var isAuthenticated = false
  private var isCounting = false
  /// The stream of another connection that can be resumed; or this one's, from `<enabled/>` to its end.
  var kept: Stream?
  /// What its own stream is called, unless it goes on with another one.
  var name = "s"
  var isKept: Bool { isCounting && kept != nil }
  private var authMessage: [UInt8] = []

  /// A stream, and how many of the client's stanzas were handled.
  struct Stream {
    var name: String
    var handled: UInt32
  }

  /// What the server has to say; `counted` is nil before `<enabled/>`.
  struct Answers {
    var bytes: [UInt8] = []
    var counted: Int?
  }

  mutating func takeAnswers() -> Answers {
    defer { answers = Answers(counted: answers.counted.map { _ in 0 }) }
    return answers
  }

  /// Takes what the client wrote; the whole elements in it.
  mutating func hear(_ bytes: [UInt8]) -> [Element] {
    var elements: [Element] = []
    var items: [StreamItem] = []
    if bytes.starts(with: Array("<?xml".utf8)) { parser = StreamParser() }
    parser.feed(bytes, into: &items)
    for item in items {
      switch item {
      case .header: say(header)
      case .stanza(let element):
        elements.append(element)
        answer(element)
      case .end:
        kept = nil
        say("</stream:stream>")
      case .refused, .namesExhausted, .answerBegins, .answerPart, .answerEnds: break
      case .failed(let failure):
        hold(false, "what is written to a server is XML (\(failure)): \(String(decoding: bytes, as: UTF8.self))")
      }
    }
    return elements
  }

  private mutating func say(_ text: String) { answers.bytes += Array(text.utf8) }

  private mutating func answer(_ element: Element) {
    switch element.local {
    case "starttls":
      say("<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
      isSecured = true
    case "auth": challenge(element)
    case "response": succeed(element)
    case "enable":
      isCounting = true
      answers.counted = 0
      kept = Stream(name: name, handled: 0)
      say("<enabled xmlns='urn:xmpp:sm:3' id='\(name)' resume='true' max='600'/>")
    case "resume": resume(element.attribute("previd"))
    case "r": say("<a xmlns='urn:xmpp:sm:3' h='\(handled)'/>")
    case "message", "presence", "iq":
      if isCounting { handled &+= 1 }
      if element.local == "iq" { answer(iq: element) }
    default: break
    }
  }

  private mutating func resume(_ previous: String?) {
    guard let stream = kept, stream.name == previous else {
      let condition = "<item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>"
      return say("<failed xmlns='urn:xmpp:sm:3'>\(condition)</failed>")
    }
    (name, handled, isCounting, answers.counted) = (stream.name, stream.handled, true, 0)
    say("<resumed xmlns='urn:xmpp:sm:3' h='\(handled)' previd='\(name)'/>")
  }

  private mutating func answer(iq: Element) {
    guard let id = iq.attribute("id"), ["get", "set"].contains(iq.attribute("type")) else { return }
    var payload = ""
    if let query = iq.child("query", Namespace.roster), query.children.allSatisfy({ _ in false }) {
      payload =
        "<query xmlns='jabber:iq:roster' ver='v1'><item jid='bob@example.org' subscription='both' name='B'/></query>"
    } else if iq.child("bind", Namespace.bind) != nil {
      payload = "<bind xmlns='\(Namespace.bind)'><jid>alice@example.org/confab</jid></bind>"
    }
    var writer = XMLWriter()
    writer.open("iq", attributes: ["type": "result", "id": id])
    writer.raw(payload.utf8)
    writer.close()
    answers.bytes += writer.bytes
    answers.counted = answers.counted.map { $0 + 1 }
  }

  private var header: String {
    var features = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"
    if isSecured {
      features = "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>SCRAM-SHA-1</mechanism></mechanisms>"
    }
    if isAuthenticated { features = "<bind xmlns='\(Namespace.bind)'/><sm xmlns='urn:xmpp:sm:3'/>" }
    return "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
      + "from='example.org' id='s1' version='1.0'><stream:features>\(features)</stream:features>"
  }
}

// MARK: - SCRAM (RFC 5802)

extension ServerSide {
  private mutating func challenge(_ element: Element) {
    let message = Base64.decode(Array(element.text.utf8)) ?? []
    let bare = Array(message.dropFirst(3))
    let nonce = bare.split(separator: UInt8(ascii: ",")).last.map(Array.init) ?? []
    let first = nonce + Array("server,s=\(Base64.encode(Array("salt".utf8))),i=4096".utf8)
    authMessage = bare + Array(",".utf8) + first + Array(",".utf8)
    say("<challenge xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(Base64.encode(first))</challenge>")
  }

  private mutating func succeed(_ element: Element) {
    let message = Base64.decode(Array(element.text.utf8)) ?? []
    let parts = message.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard parts.count > 2 else {
      return say("<failure xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><not-authorized/></failure>")
    }
    authMessage += Array(parts.dropLast().joined(separator: Array(",".utf8)))
    let key = (try? Digest.hmac(key: Self.saltedPassword, message: Array("Server Key".utf8), .sha1)) ?? []
    let signature = (try? Digest.hmac(key: key, message: authMessage, .sha1)) ?? []
    let final = Base64.encode(Array("v=\(Base64.encode(signature))".utf8))
    isAuthenticated = true
    say("<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(final)</success>")
  }
}
