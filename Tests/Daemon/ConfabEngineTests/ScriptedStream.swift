import Bytes
import Crypto
import SASL
import Testing

/// A server of our own making on the other side of a stream: enough of RFC 6120 to log in by any SCRAM or PLAIN, and
/// XEP-0198. It believes every proof.
/// What it says beyond that, the test says for it.
struct ScriptedStream {
  /// The account's bare JID.
  let jid: String
  /// Does not answer `<enable/>`.
  var ignoresEnable = false
  /// Answers nothing at all.
  var isMute = false

  static let iterations = 4096
  /// What both sides derive from the password, once for all tests.
  private static let keys = Dictionary(
    uniqueKeysWithValues: HashAlgorithm.allCases.map { hash in
      (
        hash,
        (try? Digest.pbkdf2(
          password: Array("secret".utf8), salt: Array("salt".utf8), iterations: iterations, hash)) ?? []
      )
    })

  /// What the daemon makes of the password.
  static func credential(for request: CredentialRequest) -> [UInt8] {
    switch request {
    case .saltedPassword(let derivation):
      #expect(derivation.iterations == iterations)
      return keys[derivation.hash] ?? []
    case .plainMessage(let username): return Array("\0\(username)\0secret".utf8)
    }
  }

  init(of jid: String = "alice@example.org") { self.jid = jid }

  private var domain: String { jid.components("@").last ?? jid }

  /// It reads the end of the stream late, and has not closed its side.
  var closesLate = false
  var offersManagement = true
  /// Names of SASL mechanisms, and types of channel binding (XEP-0440).
  var mechanisms = ["SCRAM-SHA-1"]
  var channelBindings: [String] = []
  var roster = "<query xmlns='jabber:iq:roster'/>"
  /// The roster comes only when the test says so, by `lateRoster`.
  var isRosterLate = false
  private var rosterQuestion = ""
  /// What disco#info says of the account and of the server.
  var features: [String] = []
  /// True if the account has nodes (XEP-0163).
  var hasNodes = false
  /// Elements of its stream features, beside those of login and stream management.
  var furtherOffers = ""
  var serverFeatures: [String] = []
  /// True if disco#info answers wait until the test releases them.
  var isDiscoveryLate = false
  /// The disco#info answers that wait.
  private(set) var lateDiscoveries: [String] = []
  /// What it has of the account's messages.
  var archive: ScriptedArchive?
  /// Refuses private storage (XEP-0049), instead of leaving that to the test.
  var refusesStorage = true
  /// A room on it.
  var room: ScriptedRoom?
  /// Stanzas of the client since `<enable/>`.
  private(set) var handled: UInt32 = 0
  /// What it says of resuming a stream in `<enabled/>` besides the id; nil: it resumes none.
  var resumption: String?
  /// Streams are refused with this instead of being resumed.
  var refusal: String?
  /// Answers every `<r/>`.
  var acknowledges = false
  /// It takes what comes on a stream that it has resumed.
  var hearsResumed = true
  private var isDeaf = false
  /// So many of the last stanzas that it got, it did not have when the link was lost.
  var lost: UInt32 = 0
  /// What it has said on the stream that can be resumed: every stanza, in order.
  private(set) var said: [String] = []
  /// The ids of messages that it has handled, on all streams.
  private(set) var heard: [String] = []
  /// The client's last `h`.
  private(set) var acknowledged: UInt32 = 0
  /// Stands in its stream headers, too.
  var headerAttribute = ""
  /// Ends each connection that is to resume a stream.
  var abhorsResuming = false
  /// The id of the stream that it keeps, and what it has handled of it.
  private(set) var kept: (id: String, handled: UInt32)?
  private var streams = 0
  private(set) var hasClosed = false
  private var isAuthenticated = false
  private var hash = HashAlgorithm.sha1
  private var first = ""
  private var serverFirst = ""
  private var isCounting = false

  /// Encryption has to be asked for first.
  var offersStartTLS = false
  /// Where it stops being good, once.
  var deviation: Deviation?
  /// How the connection ended, where `hasClosed`; nil: in order.
  private(set) var closingReason: String?
  private var isSecured = false

  mutating func restart() {
    if isCounting { kept?.handled = handled - lost }
    heard.removeLast(min(heard.count, Int(lost)))
    (lost, isDeaf) = (0, false)
    isSecured = !offersStartTLS
    closingReason = nil
    handled = 0
    hasClosed = false
    isAuthenticated = false
    isCounting = false
  }

  /// What it says to the client's bytes.
  mutating func receive(_ text: String) -> [String] {
    if isMute || isDeaf { return [] }
    let moment = LoginMoment(text, isSecured: isSecured, isAuthenticated: isAuthenticated)
    let good = isSecured ? answers(to: text) : answersInTheClear(to: text)
    guard let deviation, let moment, deviation.moment == moment else { return good }
    self.deviation?.times -= 1
    if deviation.times <= 1 { self.deviation = nil }
    hasClosed = deviation.ending != nil
    closingReason = deviation.ending == .reset ? "the connection was reset" : nil
    return deviation.says(nonce: first.components("r=").last ?? "", to: text, good: good.joined())
  }

  private mutating func answersInTheClear(to text: String) -> [String] {
    let tls = "xmlns='urn:ietf:params:xml:ns:xmpp-tls'"
    isSecured = text.contains("<starttls ")
    if isSecured { return ["<proceed \(tls)/>"] }
    return text.contains("<stream:stream") ? [opening("<starttls \(tls)><required/></starttls>")] : []
  }

  /// A good server's answers.
  private mutating func answers(to text: String) -> [String] {
    var answers: [String] = []
    if text.contains("<stream:stream") { answers.append(header) }
    if let initial = Self.content(of: "auth", in: text) { answers.append(start(initial, text)) }
    if let response = Self.content(of: "response", in: text) { answers.append(success(response)) }
    if text.contains("urn:ietf:params:xml:ns:xmpp-bind") { answers.append(bound(text)) }
    var counted = isCounting ? text : ""
    if let behind = text.components("<enable xmlns='urn:xmpp:sm:3'").dropFirst().first, !ignoresEnable {
      isCounting = true
      counted = behind
      answers.append(offersManagement ? enabled() : "<failed xmlns='urn:xmpp:sm:3'/>")
    }
    if abhorsResuming, text.contains("<resume ") {
      (hasClosed, closingReason) = (true, "the connection was reset")
    } else if let behind = text.components("<resume ").dropFirst().first {
      counted = behind
      let h = Self.value(of: "h", in: " " + behind).flatMap { UInt32($0) }
      answers.append(resumed(Self.value(of: "previd", in: " " + behind) ?? "", h ?? 0))
    }
    handled += UInt32(Self.count(["<message", "<presence", "<iq"], in: counted))
    heard += counted.components("<message ").dropFirst().compactMap { Self.value(of: "id", in: " " + $0) }
    if let id = Self.rosterID(text) {
      rosterQuestion = id
      if !isRosterLate { answers.append(say(lateRoster)) }
    }
    if let h = Self.acknowledgement(text) { note(h) }
    answers += roomAnswers(to: text) + refusals(of: text).map { say($0) }
    let text = withoutRoom(text)
    if acknowledges, text.contains("<r xmlns") { answers.append("<a xmlns='urn:xmpp:sm:3' h='\(handled)'/>") }
    let discoveries = discoveries(text)
    if isDiscoveryLate { lateDiscoveries += discoveries }
    answers += (archive?.preferences(asked: text, jid: jid) ?? []).map { say($0) }
    answers += ((isDiscoveryLate ? [] : discoveries) + carbons(text) + (archive?.answers(to: text, jid: jid) ?? [])).map
    { say($0) }
    if text.contains("</stream:stream>") {
      kept = nil
      hasClosed = !closesLate
      if hasClosed { answers.append("</stream:stream>") }
    }
    return answers
  }

  private mutating func enabled() -> String {
    guard let resumption else { return "<enabled xmlns='urn:xmpp:sm:3'/>" }
    streams += 1
    (said, acknowledged) = ([], 0)
    kept = (id: "stream-\(streams)", handled: 0)
    return "<enabled xmlns='urn:xmpp:sm:3' id='stream-\(streams)' resume='true' \(resumption)/>"
  }

  private mutating func resumed(_ previousID: String, _ h: UInt32) -> String {
    guard refusal == nil, let kept, kept.id == previousID else {
      return "<failed xmlns='urn:xmpp:sm:3' \(refusal ?? "")>"
        + "<item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></failed>"
    }
    (isCounting, handled) = (true, kept.handled)
    isDeaf = !hearsResumed
    note(h)
    return "<resumed xmlns='urn:xmpp:sm:3' h='\(kept.handled)' previd='\(kept.id)'/>"
      + said.dropFirst(Int(h)).joined()
  }

  /// The answer to the last question for the roster.
  var lateRoster: String { "<iq type='result' id='\(rosterQuestion)'>\(roster)</iq>" }

  /// A stanza of its own, which it keeps for when the stream is resumed.
  mutating func say(_ stanza: String) -> String {
    said.append(stanza)
    return stanza
  }

  /// No client knows more than it was told, or forgets what it said.
  private mutating func note(_ h: UInt32) {
    #expect(
      kept == nil || h >= acknowledged && h <= UInt32(said.count), "\(h) of \(said.count), \(acknowledged) before")
    acknowledged = h
  }

  private static func acknowledgement(_ text: String) -> UInt32? {
    text.components("<a xmlns='urn:xmpp:sm:3' h='").dropFirst().last.flatMap { UInt32($0.prefix { $0.isNumber }) }
  }

  private var header: String {
    let features =
      isAuthenticated
      ? "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>"
        + (offersManagement ? "<sm xmlns='urn:xmpp:sm:3'/>" : "") + furtherOffers
      : offer
    return opening(features)
  }

  private func opening(_ features: String) -> String {
    "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
      + "from='\(domain)' id='s1' version='1.0' \(headerAttribute)><stream:features>\(features)</stream:features>"
  }

  private var offer: String {
    let names = mechanisms.map { "<mechanism>\($0)</mechanism>" }.joined()
    let types = channelBindings.map { "<channel-binding type='\($0)'/>" }.joined()
    return "<mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(names)</mechanisms>"
      + (types.isEmpty ? "" : "<sasl-channel-binding xmlns='urn:xmpp:sasl-cb:0'>\(types)</sasl-channel-binding>")
  }

  private mutating func start(_ initial: String, _ text: String) -> String {
    let name = Self.value(of: "mechanism", in: text) ?? ""
    guard let known = HashAlgorithm.allCases.first(where: { name.hasPrefix("SCRAM-\($0.rawValue)") }) else {
      isAuthenticated = true
      return "<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>"
    }
    hash = known
    return challenge(initial)
  }

  private mutating func challenge(_ initial: String) -> String {
    first = String(decoding: Base64.decode(initial.utf8) ?? [], as: UTF8.self)
    first = first.components(",,").last ?? ""
    let nonce = first.components("r=").last ?? ""
    serverFirst = "r=\(nonce)server,s=\(Base64.encode(Array("salt".utf8))),i=\(Self.iterations)"
    return "<challenge xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(Base64.encode(Array(serverFirst.utf8)))</challenge>"
  }

  private mutating func success(_ response: String) -> String {
    let final = String(decoding: Base64.decode(response.utf8) ?? [], as: UTF8.self)
    let withoutProof = final.components(",p=").first ?? ""
    let message = Array("\(first),\(serverFirst),\(withoutProof)".utf8)
    let key = (try? Digest.hmac(key: Self.keys[hash] ?? [], message: Array("Server Key".utf8), hash)) ?? []
    let signature = (try? Digest.hmac(key: key, message: message, hash)) ?? []
    isAuthenticated = true
    let text = Base64.encode(Array("v=\(Base64.encode(signature))".utf8))
    return "<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>\(text)</success>"
  }

  private func bound(_ text: String) -> String {
    let id = Self.value(of: "id", in: text) ?? ""
    return "<iq type='result' id='\(id)'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'>"
      + "<jid>\(jid)/confab</jid></bind></iq>"
  }

  // MARK: - Reading what we wrote ourselves, no more

  static func content(of element: String, in text: String) -> String? {
    guard let tail = text.components("<\(element) ").dropFirst().first,
      let inner = tail.components(">").dropFirst().first
    else { return nil }
    return inner.components("<").first
  }

  static func value(of attribute: String, in text: String) -> String? {
    let tail =
      text.components(" \(attribute)='").dropFirst().first ?? text.components(" \(attribute)=\"").dropFirst().first
    return tail.map { String($0.prefix { $0 != "'" && $0 != "\"" }) }
  }

  private static func rosterID(_ text: String) -> String? {
    text.components("<iq").dropFirst().first { $0.contains("jabber:iq:roster") && $0.contains("get") }
      .flatMap { value(of: "id", in: " " + $0) }
  }

  private func discoveries(_ text: String) -> [String] {
    text.components("<iq").dropFirst().filter { $0.contains("disco#info") && $0.contains("type='get'") }.map {
      request in
      let isOfServer = Self.value(of: "to", in: request) == domain
      let found = (isOfServer ? serverFeatures : features).map { "<feature var='\($0)'/>" }.joined()
      let identity = hasNodes && !isOfServer ? "<identity category='pubsub' type='pep'/>" : ""
      let id = Self.value(of: "id", in: request) ?? ""
      return "<iq type='result' id='\(id)' from='\(isOfServer ? domain : jid)'>"
        + "<query xmlns='http://jabber.org/protocol/disco#info'>\(identity)\(found)</query></iq>"
    }
  }

  /// Whoever asks for carbon copies gets them.
  private func carbons(_ text: String) -> [String] {
    text.components("<iq").dropFirst().filter { $0.contains("<enable xmlns='urn:xmpp:carbons:2'") }
      .map { "<iq type='result' id='\(Self.value(of: "id", in: $0) ?? "")'/>" }
  }

  private func refusals(of text: String) -> [String] {
    guard refusesStorage else { return [] }
    return Self.stanzas(of: text).filter { $0.hasPrefix("iq") && $0.contains("jabber:iq:private") }.map {
      "<iq type='error' id='\(Self.value(of: "id", in: " " + $0) ?? "")'><error type='cancel'>"
        + "<service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>"
    }
  }

  private mutating func roomAnswers(to text: String) -> [String] {
    guard var room else { return [] }
    defer { self.room = room }
    return Self.stanzas(of: text).filter(room.isMeant).flatMap { room.answers(to: $0, of: jid) }.map { say($0) }
  }

  /// What is not for the room.
  private func withoutRoom(_ text: String) -> String {
    guard let room else { return text }
    return Self.stanzas(of: text).filter { !room.isMeant($0) }.map { "<" + $0 }.joined()
  }

  /// The stanzas in a text, and whatever else is on its top level, each without its `<`.
  private static func stanzas(of text: String) -> [String] {
    var (found, rest): ([String], Substring) = ([], text[...])
    while let start = rest.firstIndex(of: "<") {
      let tail = rest[rest.index(after: start)...]
      let name = tail.prefix { !" />".contains($0) }
      guard ["iq", "message", "presence"].contains(name) else {
        let end = tail.firstIndex(of: "<") ?? tail.endIndex
        found.append(String(tail[..<end]))
        rest = tail[end...]
        continue
      }
      let close = tail.firstRange(of: "</\(name)>")?.upperBound
      let tag = tail.firstIndex(of: ">").map { tail.index(after: $0) } ?? tail.endIndex
      let end = tail[..<tag].hasSuffix("/>") ? tag : close ?? tail.endIndex
      found.append(String(tail[..<end]))
      rest = tail[end...]
    }
    return found
  }

  private static func count(_ names: [String], in text: String) -> Int {
    names.reduce(0) { $0 + text.components($1).count - 1 }
  }
}

extension ScriptedStream {
  /// With a roster of these people, who see each other's presence with us.
  static func with(contacts jids: String...) -> ScriptedStream {
    var server = ScriptedStream()
    let items = jids.map { "<item jid='\($0)' subscription='both'/>" }.joined()
    server.roster = "<query xmlns='jabber:iq:roster'>\(items)</query>"
    return server
  }
}
