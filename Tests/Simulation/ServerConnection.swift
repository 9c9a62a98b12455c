import Bytes
import XML
import XMPPCore

/// One connection as the server has it: the stream from its header to its end (RFC 6120), logged in by SCRAM.
final class ServerConnection {
  unowned let server: Server
  let login = ScramServer()
  private(set) var session: ServerSession?
  private var mailbox: Mailbox?
  private var parser = StreamParser()
  /// What it reads began on another connection.
  private var isReadOn = false
  private var isAuthenticated = false
  private(set) var isOver = false
  /// How far an earlier session was, as the client is told: it has read that once it binds.
  private var told: (handled: UInt32, session: String)?
  /// True if the client reported a stream error.
  private var hasFailed = false
  /// The stream is encrypted.
  var isSecured = false
  /// Bytes for the client, and the end of the connection.
  private let write: ([UInt8]) -> Void
  private let finish: () -> Void

  init(_ server: Server, write: @escaping ([UInt8]) -> Void, finish: @escaping () -> Void) {
    (self.server, self.write, self.finish) = (server, write, finish)
  }

  private var world: World { server.world }

  func say(_ text: String) { if !isOver { write(Array(text.utf8)) } }

  /// The client's bytes, in any pieces.
  func hear(_ bytes: [UInt8]) {
    guard !isOver else { return }
    var items: [StreamItem] = []
    parser.feed(bytes, into: &items)
    for item in items where !isOver { take(item, bytes) }
  }

  private func take(_ item: StreamItem, _ bytes: [UInt8]) {
    switch item {
    case .header(let header): greet(header)
    case .stanza(let element): take(element)
    case .end: close()
    case .refused, .namesExhausted, .answerBegins, .answerPart, .answerEnds: break
    case .failed(let failure):
      if isReadOn { return fail("not-well-formed") }
      // The client says why it closes, then perhaps nothing whole.
      world.hold(false, "what is written to a server is XML (\(failure)): \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  /// The client closed the stream: nothing of it can be resumed.
  private func close() {
    say("</stream:stream>")
    if !hasFailed { session?.checkClose() }
    session?.end(remembered: false)
    lose()
    finish()
  }

  /// The server ends the stream with an error.
  func fail(_ condition: String) {
    say("<stream:error><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>")
    session?.disconnected(patience: world.climate.habits.patience)
    lose()
    finish()
  }

  /// The server dies: no word, and nothing is kept.
  func die() {
    isOver = true
    server.forget(self)
    finish()
  }

  /// The connection is gone, whoever cut it.
  func lose() {
    guard !isOver else { return }
    isOver = true
    leaveUnread()
    session?.disconnected(patience: world.climate.habits.patience)
    server.forget(self)
  }

  // MARK: - Up to the session

  private func greet(_ header: StreamHeader) {
    mailbox = server.mailbox(of: header.to ?? "")
    say(
      "<?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' "
        + "from='\(header.to ?? "")' id='s1' version='1.0'><stream:features>\(features)</stream:features>")
  }

  private var features: String {
    guard isSecured else { return "<starttls xmlns='\(Namespace.tls)'><required/></starttls>" }
    guard isAuthenticated else {
      return "<mechanisms xmlns='\(Namespace.sasl)'><mechanism>SCRAM-SHA-1</mechanism></mechanisms>"
    }
    return "<bind xmlns='\(Namespace.bind)'/>" + (server.hasManagement ? "<sm xmlns='urn:xmpp:sm:3'/>" : "")
      + "<ver xmlns='urn:xmpp:features:rosterver'/>"
  }

  private func take(_ element: Element) {
    switch element.local {
    case "starttls":
      parser = StreamParser()
      say("<proceed xmlns='\(Namespace.tls)'/>")
    case "auth": say(login.challenge(element))
    case "response":
      let answer = login.success(element)
      isAuthenticated = answer != nil
      parser = StreamParser()
      say(answer ?? "<failure xmlns='\(Namespace.sasl)'><not-authorized/></failure>")
    case "enable": enable(element)
    case "resume": resume(element)
    case "r": if let session, session.isCounting { session.answerRequest() }
    case "error": hasFailed = true
    case "a": if let h = element.attribute("h").flatMap({ UInt32($0) }) { session?.acknowledge(h) }
    case "message": takeMessage(element)
    case "presence": takePresence(element)
    case "iq": takeIQ(element)
    default: break
    }
  }

  private func enable(_ element: Element) {
    guard server.hasManagement, let session else {
      return say("<failed xmlns='urn:xmpp:sm:3'><unexpected-request xmlns='\(Namespace.stanzaErrors)'/></failed>")
    }
    let resumes = server.hasResumption && ["true", "1"].contains(element.attribute("resume"))
    session.enable(resumable: resumes)
    let terms = " id='\(session.name)' resume='true' max='\(world.climate.habits.patienceSeconds)'"
    say("<enabled xmlns='urn:xmpp:sm:3'\(resumes ? terms : "")/>")
  }

  private func resume(_ element: Element) {
    let previous = element.attribute("previd") ?? ""
    guard isAuthenticated, let mailbox, let h = element.attribute("h").flatMap({ UInt32($0) }) else { return }
    if let old = mailbox.session, old.name == previous, old.isResumable {
      old.connection?.replaced()
      session = old
      old.resume(over: self, h: h)
      readOn()
    } else {
      let known = mailbox.remembered[previous]
      told = known.map { ($0, previous) }
      say(
        "<failed xmlns='urn:xmpp:sm:3'" + ((world.bug == .unheardCount ? nil : known).map { " h='\($0)'" } ?? "")
          + "><item-not-found xmlns='\(Namespace.stanzaErrors)'/></failed>")
    }
  }

  /// Of a session that goes on elsewhere the rest is read there.
  private func leaveUnread() { if world.climate.readsOn { session?.unread = parser } }

  private func readOn() {
    guard let unread = session?.unread else { return }
    (parser, isReadOn) = (unread, true)
  }

  /// Another connection has the session, or the resource, now.
  func replaced() {
    leaveUnread()
    session = nil
    fail("conflict")
  }

  // MARK: - Stanzas

  private func takeMessage(_ element: Element) {
    let id = element.attribute("id")
    // The client does not wait for the acknowledgement of a receipt.
    let body = element.child("body", Namespace.client)
    let to = element.attribute("to") ?? ""
    let sealed = mailbox.flatMap { server.keys?.read(element, id ?? "", from: $0.jid, to: to) }
    let isMessage = body != nil || sealed.map { $0.isText && $0.isWhole } ?? false
    session?.count(isMessage ? id : nil)
    guard let session, let mailbox, let id else { return }
    if let sealed { return server.keys?.take(sealed, element, id, to: to, session) ?? () }
    if server.rooms.has(to) { return server.rooms.take(element, session) }
    guard let body else { return mailbox.told(element) }
    mailbox.arrived(id: id, text: body.text, to: to, session: session)
    if to.hasPrefix("nobody@") {
      session.send(
        "<message from='\(to)' to='\(mailbox.jid)' type='error' id='\(id)'><error type='cancel'>"
          + "<service-unavailable xmlns='\(Namespace.stanzaErrors)'/></error></message>")
    } else {
      mailbox.confirm(id, as: [id], by: to)
    }
  }

  private func takePresence(_ element: Element) {
    session?.count(nil)
    if let session, server.rooms.has(element.attribute("to")) { server.rooms.take(presence: element, session) }
    guard element.attribute("to") == nil else { return }
    if element.attribute("type") == "unavailable" { session?.becomeUnavailable() } else { session?.becomeAvailable() }
  }

  private func takeIQ(_ element: Element) {
    session?.count(nil)
    guard let id = element.attribute("id"), ["get", "set"].contains(element.attribute("type")) else { return }
    if let bind = element.child("bind", Namespace.bind) {
      return answer(id, bound(bind.child("resource", Namespace.bind)?.text ?? "any"))
    }
    let from = element.attribute("to")
    if let session, server.rooms.has(from) { return server.rooms.take(iq: element, id, session) }
    if let session, let keys = server.keys, keys.take(element, id, from: session) { return }
    if element.child("query", Namespace.roster) != nil, element.attribute("type", equals: "get") {
      answer(id, Self.roster)
    } else if element.child("query", Namespace.discoInfo) != nil {
      answer(id, "<query xmlns='\(Namespace.discoInfo)'>\(features(of: from))</query>", from: from)
    } else if let query = element.child("query", Namespace.archive) {
      show(query, id)
    } else if let pubsub = element.child("pubsub", ServerNodes.namespace), let mailbox {
      takePubSub(pubsub, id, mailbox)
    } else if element.child("prefs", Namespace.archive) != nil {
      sayPreferences(id, from)
    } else {
      if element.child("enable", Namespace.carbons) != nil { session?.hasCarbons = true }
      answer(id, "")
    }
  }

  /// What the server or the account can.
  private func features(of jid: String?) -> String {
    let climate = world.climate
    let all = [
      (climate.hasDevice && climate.hasCarbons, "urn:xmpp:carbons:2"),
      (climate.archive != nil && jid == mailbox?.jid, "urn:xmpp:mam:2"),
      (climate.archive != nil && server.namesIDs && jid == mailbox?.jid, "urn:xmpp:sid:0"),
    ]
    let nodes =
      (world.encryption?.hasNodes ?? climate.habits.hasNodes) && jid == mailbox?.jid
      ? "<identity category='pubsub' type='pep'/><feature var='http://jabber.org/protocol/pubsub#publish-options'/>"
      : ""
    return nodes + all.filter(\.0).map { "<feature var='\($0.1)'/>" }.joined()
  }

  /// A page of the archive.
  private func show(_ query: Element, _ id: String) {
    guard let mailbox, let session, let settings = world.climate.archive else { return answer(id, "") }
    session.hasAskedArchive = true
    let after = ServerArchive.text("after", of: query)
    if let after { session.checkProgress(after) }
    if world.bug == .believedEmptyPage, let unknown = session.unknownID, ServerArchive.isForNewest(query) {
      return session.send(
        "<iq type='result' id='\(id)' from='\(mailbox.jid)'><fin xmlns='\(Namespace.archive)'>"
          + "<set xmlns='\(Namespace.resultSets)'><first>\(unknown)</first><last>\(unknown)</last></set></fin></iq>")
    }
    guard let page = mailbox.archive?.answer(query, from: mailbox.jid, pageSize: settings.pageSize) else {
      session.unknownID = after
      return answerUnknown(id)
    }
    if page.results.isEmpty, world.climate.habits.completesNothing { world.see(.openEnd) }
    for result in server.keys?.shuffled(results: page.results) ?? page.results { session.send(distorted(result)) }
    answer(id, page.end, from: mailbox.jid)
  }

  /// Answers with the archive's preferences (XEP-0441).
  private func sayPreferences(_ id: String, _ jid: String?) {
    let habits = world.climate.habits
    guard habits.hasPreferences || world.bug == .believedSilence else { return refuse(id, "service-unavailable") }
    let policy = world.bug == .believedSilence ? .always : habits.policy
    answer(id, "<prefs xmlns='\(Namespace.archive)' default='\(policy)'><always/><never/></prefs>", from: jid)
  }

  /// A mistake: archived messages differ from the delivered ones.
  private func distorted(_ result: String) -> String {
    let isStrange =
      switch world.bug {
      case .forgottenContent: result.contains(ServerArchive.markOfRebuilt)
      case .forgottenUnnamed: !server.namesIDs
      case .lostIDs: result.contains("type='chat'>") || result.contains("type='chat' id='1'>")
      default: false
      }
    return isStrange
      ? result.split(separator: "/desk'", omittingEmptySubsequences: false).joined(separator: "/d'") : result
  }

  /// Answers a query from an unknown id.
  private func answerUnknown(_ id: String) {
    world.see(.unknownID)
    switch world.climate.habits.unknownID {
    case .error: refuse(id, "item-not-found")
    case .badRequest: refuse(id, "bad-request")
    case .emptyPage:
      answer(
        id,
        "<fin xmlns='\(Namespace.archive)' complete='true'><set xmlns='\(Namespace.resultSets)'><count>0</count>"
          + "</set></fin>", from: mailbox?.jid)
    }
  }

  func refuse(_ id: String, _ condition: String) {
    session?.send(
      "<iq type='error' id='\(id)' from='\(mailbox?.jid ?? "")'><error type='cancel'>"
        + "<\(condition) xmlns='\(Namespace.stanzaErrors)'/></error></iq>")
  }

  func answer(_ id: String, _ payload: String, from: String? = nil) {
    let sender = from.map { " from='\($0)'" } ?? ""
    let xml = "<iq type='result' id='\(id)'\(sender)>\(payload)</iq>"
    guard let session else { return say(xml) }
    session.send(xml)
    if !session.isCounting { session.unconfirmed = nil }
  }

  /// A new session: the one that had the resource is over.
  private func bound(_ resource: String) -> String {
    guard let mailbox else { return "" }
    let old = mailbox.session
    old?.connection?.replaced()
    old?.end()
    session = nil
    if let told { mailbox.tell(told.handled, of: told.session) }
    let jid = "<bind xmlns='\(Namespace.bind)'><jid>\(mailbox.jid)/\(resource)</jid></bind>"
    let new = ServerSession(mailbox, name: server.freshName(), connection: self)
    mailbox.session = new
    session = new
    return jid
  }

  private static let roster =
    "<query xmlns='jabber:iq:roster' ver='v1'>"
    + Server.contacts.map { "<item jid='\($0)' subscription='both'/>" }.joined() + "</query>"
}
