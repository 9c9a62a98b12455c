import Bytes
import Clocks
import Crypto
import HelperProtocol
import JSON
import MessageLog
import Records
import ConfabConfiguration
import Testing

@testable import ConfabAccounts
@testable import ConfabEngine
@testable import SocketClients

@Suite("fetch")
struct FetchTests {
  static let gif = AvatarTests.gif
  static let url = "https://example.org/1.jpg"

  /// A message with a file came.
  private func harness(
    _ files: String = AttachmentTests.file("1.jpg", url), _ configure: (inout Configuration) -> Void = { _ in }
  ) throws -> (harness: Harness, client: ClientID, id: Int64) {
    // At a server that is not on loopback.
    var server = ScriptedStream()
    server.features = []
    let harness = try Harness(server: server) {
      $0.accounts[0].proxy = Proxy(server: HostPort(host: "127.0.0.1", port: 9050))
      configure(&$0)
    }
    ChangeTests.receive(harness, ChangeTests.message("look", id: "m1", more: files))
    return (harness, harness.connect(), ChangeTests.history(harness).last?["id"]?.integer ?? 0)
  }

  /// A message inside of another one, with these files.
  private static func inside(_ files: String) -> String {
    "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' from='carol@example.org/x'>"
      + "<body>within</body>\(files)</message></forwarded>"
  }

  private static func hashed(_ bytes: [UInt8]) -> String {
    let hash = (try? Digest.hash(bytes, .sha256)).map { Base64.encode($0) } ?? ""
    return AttachmentTests.file("1.jpg", url)
      .replacing("</file>", with: "<hash xmlns='urn:xmpp:hashes:2' algo='sha-256'>\(hash)</hash></file>")
  }

  @Test("A file is fetched when it is asked for, then kept, and its bytes say what it is")
  func fetched() throws {
    let (harness, client, id) = try harness()
    #expect(harness.transfers.isEmpty && harness.ask(client, "fetch \(id)").isEmpty)
    let request = try #require(harness.transfers.first?.request)
    #expect(request.url == Self.url && request.direction == .get(limit: 64 << 20) && request.headers.isEmpty)
    #expect(!request.privateAddresses && request.privateOrigins.isEmpty && request.authorityFile == nil)
    harness.fetched(Self.gif)
    let answer = try #require(harness.takeLines(client).first)
    #expect(answer["ok"]?.bool == true && answer["type"]?.string == "image/gif" && answer["name"]?.string == "1.jpg")
    #expect(answer["size"]?.integer == Int64(Self.gif.count) && answer["width"]?.integer == 1)
    #expect(answer["animated"]?.bool == false && harness.passed.count == 1)
    #expect(harness.passed.first.flatMap { harness.contents[$0] } == Self.gif)
    #expect(harness.ask(client, "fetch \(id) 0").first?["ok"]?.bool == true && harness.transfers.isEmpty)
    for harness in try ChangeTests.asWritten(harness) {
      let found = try #require(ChangeTests.history(harness).last)
      let file = try #require(found["attachments"]?.array?.first)
      #expect(file["type"]?.string == "image/gif" && file["width"]?.integer == 1 && file["name"]?.string == "1.jpg")
      #expect(found["text"]?.string == "look" && found["edited"] == nil)
    }
  }

  @Test("With fetch=no a file is given if it is here, and no server is asked for another")
  func local() throws {
    let (harness, client, id) = try harness()
    let missing = harness.ask(client, "fetch fetch=no \(id)").first
    #expect(missing?["error"]?.string == "not-found" && harness.transfers.isEmpty && harness.passed.isEmpty)
    _ = harness.ask(client, "fetch \(id)")
    harness.fetched(Self.gif)
    _ = harness.takeLines(client)
    #expect(harness.ask(client, "fetch fetch=no \(id)").first?["ok"]?.bool == true && harness.transfers.isEmpty)
  }

  @Test("The own service is known by https, host and port")
  func ownOrigins() throws {
    let urls = ["http://up.example.org/1", "https://up.example.org:8443/1", "https://up.example.org/1"]
    let route = TransferRoute(
      settings: AccountSettings(name: "home", jid: "alice@example.org"), daemon: DaemonSettings(),
      hosts: [UploadHostRecord(account: 1, host: "up.example.org", port: 443)], server: "127.0.0.1:5222")
    #expect(urls.map(route.knows) == [false, false, true])
    #expect(route.request(.get(limit: 1), urls[0]).privateOrigins == ["https://up.example.org:443"])
  }

  @Test("The answer comes behind what the bytes say, which watchers get, too")
  func facts() throws {
    let (harness, client, id) = try harness()
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch kinds=edit")
    harness.send(client, "fetch \(id)\n")
    harness.syncsAtOnce = false
    harness.fetched(Self.gif)
    #expect(harness.takeLines(client).isEmpty && harness.takeLines(watcher).isEmpty && harness.passed.isEmpty)
    harness.syncsAtOnce = true
    harness.sync()
    #expect(harness.takeLines(client).map { $0["type"]?.string } == ["image/gif"] && harness.passed.count == 1)
    let event = try #require(harness.takeLines(watcher).first)
    #expect(event["event"]?.string == "edit" && event["id"]?.integer == id)
    for message in [event["message"], ChangeTests.history(harness).last] {
      let file = message?["attachments"]?.array?.first
      #expect(file?["type"]?.string == "image/gif" && file?["width"]?.integer == 1 && message?["edited"] == nil)
    }
  }

  @Test("A file is given though what it is can not be stored")
  func factsLost() throws {
    let (harness, client, id) = try harness()
    harness.send(client, "fetch \(id)\n")
    harness.syncsAtOnce = false
    harness.fetched(Self.gif)
    harness.sync(failing: StorageError(.noSpace, "full"))
    #expect(harness.takeLines(client).map { $0["ok"]?.bool } == [true] && harness.passed.count == 1)
  }

  @Test(
    "Bytes that are no picture are not shown as one", arguments: ["image/png", "IMAGE/JPEG", "image/gif", "image/jpg"])
  func noPicture(type: String) throws {
    let file = AttachmentTests.file("1.jpg", Self.url).replacing("image/jpeg", with: type)
    let (harness, client, id) = try harness(file)
    harness.send(client, "fetch \(id)\n")
    harness.fetched(Array("<html><body>no picture</body></html>".utf8))
    #expect(harness.takeLines(client).map { $0["type"]?.string } == ["application/octet-stream"])
    let found = ChangeTests.history(harness).last?["attachments"]?.array?.first
    #expect(found?["type"]?.string == "application/octet-stream" && found?["width"] == nil)
  }

  @Test("Files of the messages inside are counted behind the message's own, and what their bytes say is noted there")
  func inside() throws {
    let urls = (1...4).map { "https://example.org/\($0).jpg" }
    let files = urls.map { AttachmentTests.file("f", $0) }
    let (harness, client, id) = try harness(
      files[0] + Self.inside(files[1]) + Self.inside("") + Self.inside(files[2] + files[3]))
    _ = harness.ask(client, "fetch \(id) 2")
    #expect(harness.transfers.first?.request.url == urls[2])
    harness.fetched(Self.gif)
    #expect(harness.takeLines(client).first?["type"]?.string == "image/gif")
    let outside = harness.ask(client, "fetch \(id) 4").first
    #expect(outside?["error"]?.string == "not-found" && outside?["reason"]?.string?.contains("4 files") == true)
    for harness in try ChangeTests.asWritten(harness) {
      let found = try #require(ChangeTests.history(harness).last)
      let inside = found["forwarded"]?.array?.map { $0["attachments"]?.array?.map { $0["type"]?.string } }
      #expect(inside == [["image/jpeg"], nil, ["image/gif", "image/jpeg"]])
      #expect(found["attachments"]?.array?.map { $0["type"]?.string } == ["image/jpeg"])
    }
  }

  @Test("A file of a message inside is fetched from judged addresses alone, also of one that was forwarded from here")
  func forwardedFromHere() throws {
    let (harness, client, id) = try harness()
    #expect(harness.ask(client, "forward \(id) carol@example.org").last?["ok"]?.bool == true)
    let mine = try #require(ChangeTests.history(harness, "carol@example.org").last?["id"]?.integer)
    #expect(harness.transfers.isEmpty)
    _ = harness.ask(client, "fetch \(mine)")
    #expect(harness.transfers.first?.request.privateAddresses == false)
    harness.fetched(Self.gif)
    #expect(harness.takeLines(client).first?["ok"]?.bool == true)
    let local = Self.inside(AttachmentTests.file("f", "file:///etc/passwd"))
    ChangeTests.receive(harness, ChangeTests.message("look", id: "m2", more: local))
    let other = try #require(ChangeTests.history(harness).last?["id"]?.integer)
    #expect(harness.ask(client, "fetch \(other)").first?["error"]?.string != nil && harness.transfers.isEmpty)
  }

  @Test("Whether a file is at the account's own service is found out by a slot, once, if it cannot be fetched else")
  func ownService() throws {
    let (harness, client, id) = try harness { ($0.accounts[0].proxy, $0.accounts[0].caFile) = (nil, "/ca.pem") }
    harness.clearTrace()
    harness.send(client, "fetch \(id)\n")
    #expect(harness.transfers.first?.request.authorityHosts.isEmpty == true)
    harness.transferred(.failed(TransferFailure(.tls, "unknown authority")))
    #expect(harness.transfers.isEmpty && harness.takeLines(client).isEmpty)
    FileSendingTests.answerDiscovery(harness)
    #expect(harness.toServer.contains("filename='file' size='1'"))
    FileSendingTests.answer(
      harness, "urn:xmpp:http:upload:0",
      "<slot xmlns='urn:xmpp:http:upload:0'><put url='https://example.org/a'/><get url='https://example.org/a'/></slot>",
      from: "upload.example.org")
    let request = try #require(harness.transfers.first?.request)
    #expect(request.authorityHosts == ["example.org"] && request.privateOrigins == ["https://example.org:443"])
    #expect(request.authorityFile == "/ca.pem" && !request.privateAddresses)
    harness.fetched(Self.gif)
    #expect(harness.takeLines(client).map { $0["ok"]?.bool } == [true])
  }

  @Test("Several who ask for the same file are given it once it is here")
  func together() throws {
    let (harness, client, id) = try harness()
    let other = harness.connect(2)
    harness.send(client, "fetch \(id)\n")
    harness.send(other, "fetch \(id)\n")
    #expect(harness.transfers.count == 1)
    harness.fetched(Self.gif)
    #expect(harness.takeLines(client).count == 1 && harness.takeLines(other).count == 1 && harness.passed.count == 2)
  }

  @Test("A file of a message that was forgotten meanwhile is not given, though another message has the same address")
  func forgotten() throws {
    let (harness, client, id) = try harness()
    let file = AttachmentTests.file("1.jpg", Self.url)
    let text = ChangeTests.message("too", id: "m2", more: file).replacing("bob@example.org", with: "carl@example.org")
    ChangeTests.receive(harness, text)
    let carls = harness.ask(harness.connect(3), "history carl@example.org").first?["message"]?["id"]?.integer ?? 0
    harness.send(client, "fetch \(id)\n")
    harness.send(harness.connect(2), "fetch \(carls)\n")
    _ = harness.ask(harness.connect(4), "forget-history carl@example.org")
    harness.fetched(Self.gif)
    #expect(harness.takeLines(client).map { $0["ok"]?.bool } == [true])
    #expect(harness.passed.count == 1 && harness.keptFor[Self.url] == [UInt64(id)])
  }

  @Test("A file that does not match its hash is given to nobody")
  func hash() throws {
    let (harness, client, id) = try harness(Self.hashed(Self.gif))
    harness.send(client, "fetch \(id)\n")
    harness.fetched(AvatarTests.other)
    #expect(harness.takeLines(client).map { $0["error"]?.string } == ["failed"] && harness.passed.isEmpty)
    #expect(harness.cache.isEmpty && harness.fetching.isEmpty)
    harness.send(client, "fetch \(id)\n")
    harness.fetched(Self.gif)
    #expect(harness.takeLines(client).map { $0["ok"]?.bool } == [true])
  }

  @Test(
    "What goes wrong is said",
    arguments: [
      (TransferFailure.Cause.notAllowed, "not-allowed"), (.tooLarge, "too-large"), (.noSpace, "no-space"),
      (.status(404), "failed"), (.cut, "failed"), (.program, "failed"),
    ])
  func failures(cause: TransferFailure.Cause, code: String) throws {
    let (harness, client, id) = try harness()
    harness.send(client, "fetch \(id)\n")
    harness.transferred(.failed(TransferFailure(cause, "it does not work")))
    let answer = try #require(harness.takeLines(client).first)
    #expect(answer["error"]?.string == code && answer["reason"]?.string == "it does not work")
    #expect(harness.fetching.isEmpty && harness.cache.isEmpty)
  }

  @Test("A full disk is said before the transfer; behind it the file is given and not kept", arguments: [false, true])
  func fullDisk(isFetched: Bool) throws {
    let (harness, client, id) = try harness()
    harness.areFilesFull = !isFetched
    harness.send(client, "fetch \(id)\n")
    harness.areFilesFull = true
    harness.fetched(Self.gif)
    #expect(harness.takeLines(client).map { $0["error"]?.string } == [isFetched ? nil : "no-space"])
    #expect(harness.cache.isEmpty && harness.fetching.isEmpty)
    harness.areFilesFull = false
    harness.send(client, "fetch \(id)\n")
    harness.fetched(Self.gif)
    #expect(harness.takeLines(client).map { $0["ok"]?.bool } == [true])
  }

  @Test("What is no file at an address of http or https is not asked for")
  func refused() throws {
    let (harness, client, id) = try harness(AttachmentTests.file("1.jpg", "aesgcm://example.org/1#00"))
    #expect(harness.ask(client, "fetch \(id)").first?["error"]?.string == "not-allowed")
    #expect(harness.ask(client, "fetch \(id) 1").first?["error"]?.string == "not-found")
    #expect(harness.ask(client, "fetch 999999").first?["error"]?.string == "not-found")
    #expect(harness.transfers.isEmpty)
  }

  @Test("Watchers hear how far a file is, and the configuration says what is allowed")
  func progress() throws {
    let (harness, client, id) = try harness {
      ($0.daemon.files.fetchesPrivate, $0.daemon.files.largestFetched) = (true, 1 << 20)
    }
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch kinds=transfer")
    harness.send(client, "fetch \(id)\n")
    #expect(harness.transfers.first?.request.direction == .get(limit: 1 << 20))
    #expect(harness.transfers.first?.request.privateAddresses == true)
    harness.transferred(.progress(done: 5, total: nil))
    let event = try #require(harness.takeLines(watcher).last)
    #expect(event["done"]?.integer == 5 && event["total"] == nil && event["id"]?.integer == id)
  }

  @Test("What nobody waits for any more is not fetched, and one client keeps no other one waiting")
  func gone() throws {
    let files = (0..<6).map { AttachmentTests.file("\($0).jpg", "https://example.org/\($0).jpg") }.joined()
    let (harness, client, id) = try harness(files)
    for index in 0..<6 { _ = harness.ask(client, "fetch \(id) \(index)") }
    #expect(harness.transfers.map(\.request.url) == (0..<4).map { "https://example.org/\($0).jpg" })
    let other = harness.connect(8)
    for index in [3, 5] { _ = harness.ask(other, "fetch \(id) \(index)") }
    harness.handle(.client(client, .closed))
    #expect(harness.transfers.map(\.request.url) == ["https://example.org/3.jpg", "https://example.org/5.jpg"])
  }

  @Test("A client stops fetching a file: its own requests end, and the transfer if nobody else waits")
  func stopped() throws {
    let (harness, client, id) = try harness()
    let other = harness.connect(2)
    for words in ["fetch tag=1 \(id)", "fetch tag=2 \(id) 0"] { harness.send(client, words + "\n") }
    harness.send(other, "fetch tag=3 \(id)\n")
    #expect(harness.ask(other, "fetch-stop tag=s \(id) 1").map { $0["error"]?.string } == ["not-found"])
    let answers = harness.ask(client, "fetch-stop tag=s \(id)")
    #expect(answers.map { $0["tag"]?.string } == ["s", "1", "2"])
    #expect(answers.map { $0["error"]?.string } == [nil, "failed", "failed"])
    #expect(harness.transfers.count == 1)
    #expect(harness.ask(client, "fetch-stop \(id)").map { $0["error"]?.string } == ["not-found"])
    #expect(harness.ask(other, "fetch-stop \(id)").map { $0["error"]?.string } == [nil, "failed"])
    #expect(harness.transfers.isEmpty && harness.fetching.isEmpty && harness.cache.isEmpty)
    harness.send(client, "fetch \(id)\n")
    harness.fetched(Self.gif)
    #expect(harness.takeLines(client).map { $0["ok"]?.bool } == [true])
  }

  @Test("What is stopped, or whose client goes, before it has begun does not begin", arguments: [false, true])
  func stoppedAtOnce(goes: Bool) throws {
    let (harness, client, id) = try harness()
    harness.send(client, "fetch \(id)\n" + (goes ? "" : "fetch-stop \(id)\n"))
    if goes { harness.handle(.client(client, .closed)) }
    harness.pass(.milliseconds(50))
    #expect(harness.transfers.isEmpty && harness.fetching.isEmpty)
    if !goes { #expect(harness.takeLines(client).map { $0["error"]?.string } == [nil, "failed"]) }
  }

  @Test("A file elsewhere does not wait for an upload service that is silent")
  func silentService() throws {
    let (harness, client, id) = try harness { ($0.accounts[0].proxy, $0.accounts[0].caFile) = (nil, "/ca.pem") }
    harness.send(client, "fetch \(id)\n")
    harness.fetched(Self.gif)
    #expect(harness.takeLines(client).map { $0["ok"]?.bool } == [true])
    #expect(!harness.toServer.contains("urn:xmpp:http:upload:0"))
  }

  @Test("A file at a place that is not allowed is refused once it is known not to be the service's")
  func notOwnService() throws {
    let (harness, client, id) = try harness { ($0.accounts[0].proxy, $0.accounts[0].caFile) = (nil, "/ca.pem") }
    harness.clearTrace()
    harness.send(client, "fetch \(id)\n")
    harness.transferred(.failed(TransferFailure(.notAllowed, "a private address")))
    FileSendingTests.answerDiscovery(harness, hasService: false)
    #expect(harness.takeLines(client).map { $0["error"]?.string } == ["not-allowed"] && harness.transfers.isEmpty)
    harness.send(client, "fetch \(id)\n")
    harness.transferred(.failed(TransferFailure(.notAllowed, "a private address")))
    #expect(harness.takeLines(client).map { $0["error"]?.string } == ["not-allowed"])
  }

  @Test("What is kept of a conversation goes with it, but for what another one has, too", arguments: [false, true])
  func forgotten(isShared: Bool) throws {
    let (harness, client, id) = try harness()
    harness.send(client, "fetch \(id)\n")
    harness.fetched(Self.gif)
    if isShared {
      let carol = "carol@example.org"
      ChangeTests.receive(
        harness,
        ChangeTests.message("look", id: "m2", from: carol + "/x", more: AttachmentTests.file("1.jpg", Self.url)))
      let other = ChangeTests.history(harness, carol).last?["id"]?.integer ?? 0
      harness.send(client, "fetch \(other)\n")
    }
    #expect(harness.cache[Self.url] == Self.gif)
    _ = harness.ask(client, "forget-history \(ChangeTests.bob)")
    harness.pass(.milliseconds(50))
    #expect(harness.cache[Self.url] == (isShared ? Self.gif : nil))
  }

  @Test(
    "What is kept of a message goes when it is retracted, also what is fetched meanwhile", arguments: [false, true])
  func retracted(isFetching: Bool) throws {
    let (harness, client, id) = try harness()
    harness.send(client, "fetch \(id)\n")
    if !isFetching { harness.fetched(Self.gif) }
    ChangeTests.receive(harness, ChangeTests.retract("m1"))
    if isFetching { harness.fetched(Self.gif) }
    #expect(harness.cache.isEmpty && harness.fetching.isEmpty)
    if isFetching { #expect(harness.takeLines(client).map { $0["error"]?.string } == ["not-found"]) }
  }

  @Test("A sweep, as at each start, removes what is kept of messages that are gone", arguments: [false, true])
  func swept(isInside: Bool) throws {
    let file = AttachmentTests.file("1.jpg", Self.url)
    let (harness, client, id) = try harness(isInside ? Self.inside(file) : file)
    harness.send(client, "fetch \(id)\n")
    harness.fetched(Self.gif)
    let anew = try Harness(on: harness.storage, now: harness.now)
    let gone = "https://example.org/gone"
    (anew.cache, anew.keptFor) = ([Self.url: Self.gif, gone: [1]], [Self.url: [UInt64(id)], gone: [9_999]])
    KeptFiles(context: anew.engine.clients.context).sweepFetched()
    anew.pass(.milliseconds(50))
    #expect(anew.cache == [Self.url: Self.gif])
  }
}
