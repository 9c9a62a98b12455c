import Clocks
import ConfabAccounts
import HelperProtocol
import JSON
import ConfabConfiguration
import TestSupport
import Testing

/// Files of mine on their way (XEP-0363, XEP-0447).
@Suite("send-file")
struct FileSendingTests {
  static let gif = AvatarTests.gif
  static let bob = "bob@example.org"

  /// An account that is online, and a client.
  func harness(_ configure: (inout Configuration) -> Void = { _ in }) throws -> (Harness, ClientID) {
    let harness = try Harness(configure: configure)
    harness.pass(.milliseconds(500))
    harness.clearTrace()
    return (harness, harness.connect())
  }

  /// Answers the newest iq that holds a text.
  static func answer(_ harness: Harness, _ marker: String, _ payload: String, from: String, type: String = "result") {
    guard let iq = harness.toServer.components("<iq").last(where: { $0.contains(marker) }),
      let id = ScriptedStream.value(of: "id", in: "<iq" + iq)
    else {
      Issue.record("no request with \(marker)")
      return
    }
    harness.receive("<iq type='\(type)' from='\(from)' id='\(id)'>\(payload)</iq>")
    harness.pass(.milliseconds(50))
  }

  static func answerDiscovery(_ harness: Harness, hasService: Bool = true, limit: Int = 1_000_000) {
    Self.answer(
      harness, "disco#items",
      "<query xmlns='http://jabber.org/protocol/disco#items'><item jid='upload.example.org'/></query>",
      from: "example.org")
    let info = "<query xmlns='http://jabber.org/protocol/disco#info'>"
    let service =
      "<feature var='urn:xmpp:http:upload:0'/><x xmlns='jabber:x:data'><field var='FORM_TYPE'>"
      + "<value>urn:xmpp:http:upload:0</value></field><field var='max-file-size'><value>\(limit)</value></field></x>"
    Self.answer(
      harness, "to='upload.example.org'", info + (hasService ? service : "") + "</query>", from: "upload.example.org")
    Self.answer(harness, "to='example.org'", info + "</query>", from: "example.org")
  }

  static func answerSlot(_ harness: Harness, _ name: String) {
    Self.answer(
      harness, "urn:xmpp:http:upload:0",
      "<slot xmlns='urn:xmpp:http:upload:0'><put url='https://up.example.org/put/\(name)'>"
        + "<header name='Authorization'>Bearer x</header></put><get url='https://up.example.org/\(name)'/></slot>",
      from: "upload.example.org")
    harness.clearTrace()
  }

  private func refuseSlot(_ harness: Harness, _ error: String) {
    Self.answer(harness, "urn:xmpp:http:upload:0", error, from: "upload.example.org", type: "error")
  }

  func send(_ harness: Harness, _ client: ClientID, _ line: String, _ files: [[UInt8]?]) -> [JSONValue] {
    harness.send(client, line + "\n", with: files)
    harness.pass(.milliseconds(50))
    return harness.takeLines(client)
  }

  func files(_ harness: Harness) -> [JSONValue] {
    ChangeTests.history(harness).last?["attachments"]?.array ?? []
  }

  private func fail(_ harness: Harness, _ cause: TransferFailure.Cause) {
    harness.transferred(.failed(TransferFailure(cause, "it does not work")))
  }

  private func states(_ harness: Harness) -> [String] {
    ChangeTests.history(harness).compactMap { $0["state"]?.string }
  }

  @Test("Files are stored, uploaded one after the other, and sent in one message")
  func twoFiles() throws {
    let (harness, client) = try harness()
    #expect(send(harness, client, "send-file \(Self.bob) look", [Self.gif, [1, 2, 3]]).isEmpty)
    Self.answerDiscovery(harness)
    let answer = try #require(harness.takeLines(client).first)
    #expect(answer["ok"]?.bool == true && answer["state"]?.string == "queued" && harness.spool.count == 2)
    #expect(harness.toServer.contains("filename='file0' size='\(Self.gif.count)' content-type='image/gif'"))
    Self.answerSlot(harness, "a")
    let first = try #require(harness.transfers.first)
    #expect(first.request.url == "https://up.example.org/put/a" && harness.contents[first.file] == Self.gif)
    #expect(first.request.direction == .put(size: UInt64(Self.gif.count)))
    let headers = [("Authorization", "Bearer x"), ("Content-Type", "image/gif")]
    #expect(first.request.headers == headers.map { TransferHeader(name: $0, value: $1) })
    #expect(files(harness).allSatisfy { $0["url"] == nil })
    harness.uploaded()
    #expect(!harness.toServer.contains("<message"))
    Self.answerSlot(harness, "b")
    harness.uploaded()
    let (one, two) = ("https://up.example.org/a", "https://up.example.org/b")
    let sent = harness.toServer
    #expect(sent.contains("<body>look\n\(one)\n\(two)</body>"))
    #expect(sent.contains("<url-data xmlns='http://jabber.org/protocol/url-data' target='\(one)'/>"))
    #expect(sent.contains("<x xmlns='jabber:x:oob'><url>\(two)</url></x>"))
    #expect(sent.contains("for='urn:xmpp:sfs:0'><body start='4' end='54'/>"))
    #expect(sent.contains("<media-type>image/gif</media-type><name>file0</name><size>\(Self.gif.count)</size>"))
    #expect(harness.spool.isEmpty && harness.cache[one] == Self.gif)
    for harness in try ChangeTests.asWritten(harness) {
      let found = try #require(ChangeTests.history(harness).last)
      #expect(found["text"]?.string == "look" && found["plain"]?.string == "look\n\(one)\n\(two)")
      #expect(files(harness).compactMap { $0["url"]?.string } == [one, two])
      #expect(files(harness).first?["width"]?.integer == 1 && found["edited"] == nil)
    }
  }

  @Test("Offline a message with files is queued, and goes out once the account is online")
  func offline() throws {
    let (harness, client) = try harness()
    harness.cut()
    let answers = send(harness, client, "send-file as=cat.gif \(Self.bob)", [Self.gif])
    #expect(answers.map { $0["state"]?.string } == ["queued"])
    #expect(files(harness).first?["name"]?.string == "cat.gif")
    harness.pass(.seconds(10))
    Self.answerDiscovery(harness)
    Self.answerSlot(harness, "cat.gif")
    harness.uploaded()
    #expect(harness.toServer.contains("<body>https://up.example.org/cat.gif</body>"))
    #expect(ChangeTests.history(harness).last?["text"]?.string == "")
  }

  @Test("A file of mine that waits to be uploaded can be fetched, as its copy is here, and is not forwarded")
  func fetchOfWaiting() throws {
    let (harness, client) = try harness()
    harness.cut()
    let id = try #require(send(harness, client, "send-file \(Self.bob)", [Self.gif]).first?["id"]?.integer)
    let answer = try #require(harness.ask(client, "fetch \(id)").first)
    #expect(answer["ok"]?.bool == true && answer["size"]?.integer == Int64(Self.gif.count))
    #expect(harness.passed.last.flatMap { harness.contents[$0] } == Self.gif && harness.transfers.isEmpty)
    let refusal = harness.ask(client, "forward \(id) carol@example.org").last
    #expect(refusal?["error"]?.string == "bad-argument" && refusal?["reason"]?.string == "message \(id) was not sent")
    harness.spool = [:]
    #expect(harness.ask(client, "fetch \(id)").first?["error"]?.string == "not-found")
  }

  @Test("A slot at another host gets its own headers there, and the address that it gives")
  func foreignSlot() throws {
    let (harness, client) = try harness()
    _ = send(harness, client, "send-file \(Self.bob)", [Self.gif])
    Self.answerDiscovery(harness)
    Self.answer(
      harness, "urn:xmpp:http:upload:0",
      "<slot xmlns='urn:xmpp:http:upload:0'><put url='https://a.example.net/1'><header name='Cookie'>c</header></put>"
        + "<get url='https://b.example.com/1'/></slot>", from: "upload.example.org")
    let request = try #require(harness.transfers.first?.request)
    #expect(request.url == "https://a.example.net/1" && request.headers.map(\.name) == ["Cookie", "Content-Type"])
    harness.uploaded()
    #expect(files(harness).compactMap { $0["url"]?.string } == ["https://b.example.com/1"])
  }

  @Test("A text does not wait for an upload before it, and the history keeps their order")
  func order() throws {
    let (harness, client) = try harness()
    _ = send(harness, client, "send-file \(Self.bob) first", [Self.gif])
    Self.answerDiscovery(harness)
    _ = harness.ask(client, "send \(Self.bob) second")
    #expect(harness.toServer.contains("<body>second</body>"))
    Self.answerSlot(harness, "a")
    harness.uploaded()
    #expect(harness.toServer.contains("<body>first"))
    #expect(ChangeTests.texts(harness) == ["first", "second"])
  }

  @Test(
    "An upload that is cut is tried again after a pause",
    arguments: [TransferFailure.Cause.cut, .time, .status(502), .program, .connection])
  func retries(cause: TransferFailure.Cause) throws {
    let (harness, client) = try harness()
    _ = send(harness, client, "send-file \(Self.bob)", [Self.gif])
    Self.answerDiscovery(harness)
    for _ in 0..<3 {
      Self.answerSlot(harness, "a")
      fail(harness, cause)
      #expect(!harness.toServer.contains("urn:xmpp:http:upload:0"))
      harness.pass(.minutes(10)) { harness.toServer.contains("urn:xmpp:http:upload:0") }
    }
    Self.answerSlot(harness, "a")
    harness.uploaded()
    #expect(harness.toServer.contains("<body>https://up.example.org/a</body>"))
  }

  @Test("A slot that the web server refuses is replaced three times, and then the message fails")
  func newSlots() throws {
    let (harness, client) = try harness()
    _ = send(harness, client, "send-file \(Self.bob)", [Self.gif])
    Self.answerDiscovery(harness)
    for _ in 0..<4 {
      Self.answerSlot(harness, "a")
      fail(harness, .status(404))
    }
    #expect(states(harness) == ["failed"] && harness.spool.isEmpty)
    #expect(ChangeTests.history(harness).last?["failure"]?["condition"]?.string == "item-not-found")
  }

  @Test("Other refusals of the web server and of the service make the message failed")
  func refusals() throws {
    let (harness, client) = try harness()
    _ = send(harness, client, "send-file \(Self.bob)", [Self.gif])
    Self.answerDiscovery(harness)
    Self.answerSlot(harness, "a")
    fail(harness, .status(413))
    #expect(states(harness) == ["failed"] && harness.spool.isEmpty)
    _ = send(harness, client, "send-file \(Self.bob)", [Self.gif])
    refuseSlot(
      harness, "<error type='auth'><forbidden xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>")
    #expect(ChangeTests.history(harness).last?["failure"]?["condition"]?.string == "forbidden")
    _ = send(harness, client, "send-file \(Self.bob)", [Self.gif])
    Self.answer(
      harness, "urn:xmpp:http:upload:0",
      "<slot xmlns='urn:xmpp:http:upload:0'><put url='http://up.example.org/a'/><get url='https://up.example.org/a'/></slot>",
      from: "upload.example.org")
    #expect(states(harness).last == "failed")
  }

  @Test("A service that has no place now is asked again")
  func wait() throws {
    let (harness, client) = try harness()
    _ = send(harness, client, "send-file \(Self.bob)", [Self.gif])
    Self.answerDiscovery(harness)
    refuseSlot(
      harness, "<error type='wait'><resource-constraint xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>")
    harness.clearTrace()
    harness.pass(.minutes(10)) { harness.toServer.contains("urn:xmpp:http:upload:0") }
    Self.answerSlot(harness, "a")
    harness.uploaded()
    #expect(harness.toServer.contains("<body>https://up.example.org/a</body>"))
  }

  @Test("A message that is cancelled while it is uploaded leaves nothing behind")
  func cancelled() throws {
    let (harness, client) = try harness()
    _ = send(harness, client, "send-file \(Self.bob)", [Self.gif])
    Self.answerDiscovery(harness)
    let id = harness.takeLines(client).first?["id"]?.integer ?? 0
    Self.answerSlot(harness, "a")
    #expect(harness.transfers.count == 1)
    #expect(harness.ask(client, "release \(id)").first?["error"]?.string == "not-found")
    #expect(harness.ask(client, "cancel \(id)").first?["state"]?.string == "cancelled")
    #expect(harness.transfers.isEmpty && harness.cancelledTransfers == 1 && harness.spool.isEmpty)
  }

  @Test("Copies of what is cancelled, or too old, go offline, too")
  func cancelledOffline() throws {
    let (harness, client) = try harness { $0.accounts[0].outboxMaxAge = .minutes(1) }
    harness.servers = [:]
    harness.cut()
    for cancels in [true, false] {
      let id = send(harness, client, "send-file \(Self.bob)", [Self.gif]).first?["id"]?.integer ?? 0
      #expect(harness.spool.count == 1)
      if cancels { #expect(harness.ask(client, "cancel \(id)").first?["ok"]?.bool == true) }
      harness.pass(.minutes(2))
      #expect(harness.spool.isEmpty)
    }
  }

  @Test("What is asked behind it on the same connection comes after it")
  func behind() throws {
    let (harness, client) = try harness()
    harness.send(client, "send-file \(Self.bob)\nsend \(Self.bob) text\nhistory tag=h \(Self.bob)\n", with: [Self.gif])
    harness.pass(.milliseconds(50))
    Self.answerDiscovery(harness)
    harness.pass(.seconds(1))
    let shown = harness.takeLines(client).compactMap { $0["message"] }
    #expect(shown.map { $0["attachments"] != nil } == [true, false])
  }

  @Test("A key makes a repeat safe, by text, names and bytes")
  func key() throws {
    let (harness, client) = try harness()
    _ = send(harness, client, "send-file key=k \(Self.bob) a", [Self.gif])
    Self.answerDiscovery(harness)
    let first = try #require(harness.takeLines(client).first?["id"])
    let again = send(harness, client, "send-file key=k \(Self.bob) a", [Self.gif])
    #expect(again.first?["id"] == first && again.first?["repeated"]?.bool == true)
    for (line, file) in [("\(Self.bob) b", Self.gif), ("\(Self.bob) a", AvatarTests.other)] {
      #expect(send(harness, client, "send-file key=k \(line)", [file]).first?["error"]?.string == "key-mismatch")
    }
    #expect(harness.ask(client, "send key=k \(Self.bob) a").first?["error"]?.string == "key-mismatch")
    #expect(harness.spool.count == 1 && ChangeTests.history(harness).count == 1)
  }

  @Test("What was uploaded before a crash is not uploaded again, and copies that nobody waits for are removed")
  func restart() throws {
    let (harness, client) = try harness()
    _ = send(harness, client, "send-file \(Self.bob)", [Self.gif, [1, 2, 3]])
    Self.answerDiscovery(harness)
    Self.answerSlot(harness, "a")
    harness.uploaded()
    let logAlone = MemoryStorage(.init(segments: harness.storage.snapshot.segments))
    for storage in [harness.storage, logAlone] {
      let later = try Harness(on: storage, now: harness.now)
      later.spool = harness.spool
      var kept: [String]?
      if case .sweepSpool(let names)? = later.fileOrders.first { kept = names }
      #expect(kept == harness.spool.keys.sorted())
      later.pass(.seconds(2))
      Self.answerDiscovery(later)
      Self.answerSlot(later, "b")
      #expect(later.transfers.first.flatMap { later.contents[$0.file] } == [1, 2, 3])
      later.uploaded()
      #expect(later.toServer.contains("<body>https://up.example.org/a\nhttps://up.example.org/b</body>"))
      #expect(files(later).count == 2)
    }
  }

  @Test("Another text for a message keeps its files")
  func corrected() throws {
    let (harness, client) = try harness()
    _ = send(harness, client, "send-file \(Self.bob) lok", [Self.gif])
    Self.answerDiscovery(harness)
    let id = harness.takeLines(client).first?["id"]?.integer ?? 0
    // It has not left.
    #expect(harness.ask(client, "send replace=\(id) \(Self.bob) look").first?["error"]?.string == "bad-argument")
    Self.answerSlot(harness, "a")
    harness.uploaded()
    harness.clearTrace()
    #expect(harness.ask(client, "send replace=\(id) \(Self.bob) look").first?["ok"]?.bool == true)
    #expect(harness.toServer.contains("<body>look\nhttps://up.example.org/a</body>"))
    #expect(harness.toServer.contains("<file-sharing ") && harness.toServer.contains("<replace "))
    let found = try #require(ChangeTests.history(harness).last)
    #expect(found["text"]?.string == "look" && found["attachments"]?.array?.count == 1 && found["edited"] != nil)
  }

  @Test("A copy that is gone makes the message failed")
  func lostCopy() throws {
    let (harness, client) = try harness()
    _ = send(harness, client, "send-file \(Self.bob)", [Self.gif])
    harness.spool = [:]
    Self.answerDiscovery(harness)
    Self.answerSlot(harness, "a")
    #expect(states(harness) == ["failed"])
  }

  @Test("Watchers hear how far an upload is")
  func progress() throws {
    let (harness, client) = try harness()
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch kinds=transfer,state")
    _ = send(harness, client, "send-file wait=sent \(Self.bob)", [Self.gif])
    Self.answerDiscovery(harness)
    Self.answerSlot(harness, "a")
    harness.transferred(.progress(done: 5, total: 22))
    let event = try #require(harness.takeLines(watcher).last)
    #expect(event["event"]?.string == "transfer" && event["done"]?.integer == 5 && event["total"]?.integer == 22)
    #expect(event["index"]?.integer == 0 && event["conversation"]?.string == Self.bob && event["seq"] == nil)
    harness.uploaded()
    #expect(harness.takeLines(watcher).first?["done"]?.integer == Int64(Self.gif.count))
    #expect(harness.takeLines(client).isEmpty)
  }

  @Test("A client that has gone loses its answer, and not what it sent")
  func gone() throws {
    let (harness, client) = try harness()
    _ = send(harness, client, "send-file \(Self.bob)", [Self.gif])
    harness.handle(.client(client, .closed))
    Self.answerDiscovery(harness)
    Self.answerSlot(harness, "a")
    harness.uploaded()
    #expect(harness.toServer.contains("<body>https://up.example.org/a</body>"))
  }

  @Test(
    "Nothing is kept of a file whose message is retracted, or was forgotten during the upload",
    arguments: [false, true])
  func notKept(isForgotten: Bool) throws {
    let (harness, client) = try harness()
    _ = send(harness, client, "send-file \(Self.bob)", [Self.gif])
    Self.answerDiscovery(harness)
    let id = harness.takeLines(client).first?["id"]?.integer ?? 0
    Self.answerSlot(harness, "a")
    if isForgotten { #expect(harness.ask(client, "forget-history \(Self.bob)").last?["ok"]?.bool == true) }
    harness.uploaded()
    #expect(harness.toServer.contains("<body>https://up.example.org/a</body>") && harness.spool.isEmpty)
    #expect(harness.cache.isEmpty == isForgotten)
    if !isForgotten { #expect(harness.ask(client, "retract \(id)").last?["ok"]?.bool == true) }
    harness.pass(.milliseconds(50))
    #expect(harness.cache.isEmpty)
  }

  @Test("The account's authorities and its private addresses hold for its own service alone")
  func route() throws {
    let (harness, client) = try harness { $0.accounts[0].caFile = "/ca.pem" }
    _ = send(harness, client, "send-file \(Self.bob)", [Self.gif])
    Self.answerDiscovery(harness)
    Self.answerSlot(harness, "a")
    let request = try #require(harness.transfers.first?.request)
    #expect(request.authorityFile == "/ca.pem" && request.authorityHosts.contains("up.example.org"))
    #expect(request.privateOrigins.contains("https://up.example.org:443") && !request.privateAddresses)
  }
}
