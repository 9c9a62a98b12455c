import Bytes
import Clocks
import ConfabAccounts
import JSON
import ConfabConfiguration
import Testing
import XMPPExtensions

@Suite("avatars")
struct AvatarTests {
  /// A picture of one pixel.
  static let gif: [UInt8] =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0, 0x3B]
  static let other = gif + [0]

  static func hash(_ bytes: [UInt8]) -> String { Avatar(bytes)?.hash ?? "" }

  func harness(
    features: [String] = ["vcard-temp", "urn:xmpp:pep-vcard-conversion:0"], hasNodes: Bool = true,
    isDiscoveryLate: Bool = false, offers: String = ""
  ) throws -> (Harness, ClientID) {
    var server = ScriptedStream()
    (server.features, server.hasNodes, server.isDiscoveryLate) = (features, hasNodes, isDiscoveryLate)
    server.furtherOffers = offers
    server.roster =
      "<query xmlns='jabber:iq:roster'><item jid='bob@example.org' subscription='both'/>"
      + "<item jid='eve@example.org' subscription='both'/></query>"
    let harness = try Harness(server: server)
    harness.pass(.milliseconds(500))
    harness.clearTrace()
    return (harness, harness.connect())
  }

  /// The last iq that was sent.
  func lastIQ(_ harness: Harness) -> String { "<iq" + (harness.toServer.components("<iq").last ?? "") }

  func answer(_ harness: Harness, _ payload: String = "", from: String? = nil, type: String = "result") {
    let id = ScriptedStream.value(of: "id", in: lastIQ(harness)) ?? ""
    harness.clearTrace()
    harness.receive("<iq type='\(type)' \(from.map { "from='\($0)'" } ?? "") id='\(id)'>\(payload)</iq>")
    harness.pass(.milliseconds(50))
  }

  static func items(_ node: String, _ id: String, _ payload: String) -> String {
    "<pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='urn:xmpp:avatar:\(node)'><item id='\(id)'>"
      + "\(payload)</item></items></pubsub>"
  }

  static func metadata(_ hash: String) -> String {
    let info = hash.isEmpty ? "" : "<info id='\(hash)' type='image/gif' bytes='1'/>"
    return "<metadata xmlns='urn:xmpp:avatar:metadata'>\(info)</metadata>"
  }

  static func data(_ bytes: [UInt8], id: String? = nil) -> String {
    let payload = "<data xmlns='urn:xmpp:avatar:data'>\(Base64.encode(bytes))</data>"
    return items("data", id ?? hash(bytes), payload)
  }

  static func card(_ bytes: [UInt8]) -> String {
    "<vCard xmlns='vcard-temp'><FN>Bob</FN><PHOTO><BINVAL>\(Base64.encode(bytes))</BINVAL></PHOTO></vCard>"
  }

  func tell(_ harness: Harness, _ from: String, _ hash: String, _ metadata: String? = nil) {
    harness.receive(
      "<message from='\(from)' type='headline'><event xmlns='http://jabber.org/protocol/pubsub#event'>"
        + "<items node='urn:xmpp:avatar:metadata'><item id='\(hash)'>\(metadata ?? Self.metadata(hash))</item></items>"
        + "</event></message>")
    harness.pass(.milliseconds(50))
  }

  /// The number of the newest durable record.
  func lastRecord(_ harness: Harness) -> Int64 {
    harness.handle(.client(ClientID(99), .connected(Caller(user: 1000))))
    defer { harness.handle(.client(ClientID(99), .closed)) }
    return harness.takeLines(ClientID(99)).first?["last"]?.integer ?? 0
  }

  func errors(_ lines: [JSONValue]) -> [String?] { lines.map { $0["error"]?.string } }

  static let notFound =
    "<error type='cancel'><item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>"

  // MARK: avatar

  @Test("An avatar that an event told of is fetched when first asked for, and then here, offline and after a restart")
  func event() throws {
    let (harness, client) = try harness()
    tell(harness, "bob@example.org", Self.hash(Self.gif))
    #expect(harness.toServer == "" && harness.ask(client, "avatar bob@example.org").isEmpty)
    #expect(lastIQ(harness).contains("<items node='urn:xmpp:avatar:data'><item id='\(Self.hash(Self.gif))'/>"))
    answer(harness, Self.data(Self.gif), from: "bob@example.org")
    let expected =
      #"{"ok":true,"type":"image/gif","size":\#(Self.gif.count),"width":1,"height":1,"hash":"\#(Self.hash(Self.gif))"}"#
      + "\n"
    #expect(harness.takeText(client) == expected && harness.passed.count == 1)
    harness.cut()
    harness.send(client, "avatar bob@example.org\n")
    #expect(harness.takeText(client) == expected && harness.passed.count == 2)
    let later = try Harness(on: harness.storage, holdsLinks: true)
    later.avatars = harness.avatars
    let again = later.connect()
    later.send(again, "avatar bob@example.org\n")
    #expect(later.takeText(again) == expected)
    #expect(errors(later.ask(again, "avatar eve@example.org")) == ["not-connected"])
    later.avatars = [:]
    #expect(errors(later.ask(again, "avatar bob@example.org")) == ["not-connected"])
  }

  @Test("Without fetching, an avatar is given if it is here, and no server is asked")
  func kept() throws {
    let (harness, client) = try harness()
    tell(harness, "bob@example.org", Self.hash(Self.gif))
    for owner in ["bob@example.org", "eve@example.org", "mallory@example.com"] {
      #expect(errors(harness.ask(client, "avatar fetch=no \(owner)")) == ["not-found"] && harness.toServer == "")
    }
    harness.avatars[Self.hash(Self.gif)] = Avatar(Self.gif)
    #expect(harness.ask(client, "avatar fetch=no bob@example.org").map { $0["ok"]?.bool } == [true])
    harness.cut()
    #expect(errors(harness.ask(client, "avatar fetch=no eve@example.org")) == ["not-found"])
  }

  @Test("Of an unknown avatar the nodes are asked, then the card; what the card has is known from then on")
  func unknown() throws {
    let (harness, client) = try harness()
    _ = harness.ask(client, "avatar bob@example.org")
    #expect(lastIQ(harness).contains("<items node='urn:xmpp:avatar:metadata' max_items='1'/>"))
    answer(harness, Self.notFound, from: "bob@example.org", type: "error")
    #expect(lastIQ(harness).contains("<vCard xmlns='vcard-temp'/>"))
    answer(harness, Self.card(Self.gif), from: "bob@example.org")
    #expect(harness.takeLines(client).map { $0["hash"]?.string } == [Self.hash(Self.gif)])
    #expect(harness.ask(client, "avatar bob@example.org").map { $0["ok"]?.bool } == [true])
    #expect(harness.toServer == "")
    // The node comes before the card.
    tell(harness, "bob@example.org", Self.hash(Self.other))
    _ = harness.ask(client, "avatar bob@example.org")
    answer(harness, Self.data(Self.other), from: "bob@example.org")
    #expect(harness.takeLines(client).map { $0["hash"]?.string } == [Self.hash(Self.other)])
  }

  @Test("A presence tells of the photo of a contact's card, unless a node has an avatar")
  func presence() throws {
    let (harness, client) = try harness()
    func say(_ photo: String, type: String = "") {
      harness.receive(
        "<presence from='bob@example.org/x'\(type)><x xmlns='vcard-temp:x:update'><photo>\(photo)</photo></x></presence>"
      )
      harness.pass(.milliseconds(50))
    }
    say(Self.hash(Self.gif))
    _ = harness.ask(client, "avatar bob@example.org")
    #expect(lastIQ(harness).contains("vcard-temp"))
    answer(harness, Self.card(Self.other), from: "bob@example.org")
    #expect(errors(harness.takeLines(client)) == ["not-found"], "another hash")
    _ = harness.ask(client, "avatar bob@example.org")
    answer(harness, Self.card(Self.gif), from: "bob@example.org")
    #expect(harness.takeLines(client).map { $0["ok"]?.bool } == [true])
    for type in ["error", "unavailable", "subscribe"] { say("", type: " type='\(type)'") }
    #expect(harness.ask(client, "avatar bob@example.org").map { $0["ok"]?.bool } == [true])
    say("")
    #expect(errors(harness.ask(client, "avatar bob@example.org")) == ["not-found"])
    tell(harness, "bob@example.org", Self.hash(Self.other))
    say(Self.hash(Self.gif))
    _ = harness.ask(client, "avatar bob@example.org")
    #expect(lastIQ(harness).contains(Self.hash(Self.other)))
  }

  @Test("An empty event means that there is none")
  func none() throws {
    let (harness, client) = try harness()
    tell(harness, "bob@example.org", Self.hash(Self.gif))
    tell(harness, "bob@example.org", "")
    #expect(errors(harness.ask(client, "avatar bob@example.org")) == ["not-found"] && harness.toServer == "")
  }

  @Test(
    "Who is no contact, or not the account itself, tells of no avatar, and costs nothing",
    arguments: ["mallory@example.org", "bob@example.org/phone", "example.org", "eve@example.com"])
  func strangers(from: String) throws {
    let (harness, client) = try harness()
    let before = lastRecord(harness)
    tell(harness, from, Self.hash(Self.gif))
    #expect(lastRecord(harness) == before)
    harness.receive(
      "<presence from='mallory@example.org/x'><x xmlns='vcard-temp:x:update'><photo>\(Self.hash(Self.gif))</photo></x>"
        + "</presence>")
    for owner in ["bob@example.org", "mallory@example.org"] {
      _ = harness.ask(client, "avatar \(owner)")
      #expect(lastIQ(harness).contains("urn:xmpp:avatar:metadata"), "nothing is known of it")
    }
  }

  @Test("A thousand changes of one contact are noted a few times in an hour")
  func flood() throws {
    let (harness, client) = try harness()
    let start = lastRecord(harness)
    for number in 0..<1_000 { tell(harness, "bob@example.org", Self.hash(Self.gif + [UInt8(number & 255), 1])) }
    // Each batch with another record has one of the stream, too.
    #expect(lastRecord(harness) - start < 200)
    #expect(harness.ask(client, "ping").map { $0["ok"]?.bool } == [true])
  }

  @Test(
    "What does not match its hash, or is no picture, is given to nobody",
    arguments: [other, Array("<svg/>".utf8), [], Array(gif[..<6]) + [0xFF, 0x1F] + gif[8...]])
  func bad(bytes: [UInt8]) throws {
    let (harness, client) = try harness()
    tell(harness, "bob@example.org", Self.hash(Self.gif))
    _ = harness.ask(client, "avatar bob@example.org")
    answer(harness, Self.data(bytes, id: Self.hash(Self.gif)), from: "bob@example.org")
    #expect(errors(harness.takeLines(client)) == ["not-found"] && harness.avatars.isEmpty && harness.passed.isEmpty)
  }

  @Test("An answer that is longer than any stanza may be is an answer all the same")
  func tooLong() throws {
    let (harness, client) = try harness()
    tell(harness, "bob@example.org", Self.hash(Self.gif))
    _ = harness.ask(client, "avatar bob@example.org")
    let data = "<data xmlns='urn:xmpp:avatar:data'>\(String(repeating: "A", count: 2 << 20))</data>"
    answer(harness, Self.items("data", Self.hash(Self.gif), data), from: "bob@example.org")
    #expect(errors(harness.takeLines(client)) == ["failed"])
  }

  @Test("Several clients that ask for one avatar cause one request, and each gets a descriptor")
  func shared() throws {
    let (harness, first) = try harness()
    let second = harness.connect(2)
    tell(harness, "bob@example.org", Self.hash(Self.gif))
    for client in [first, second, first] { harness.send(client, "avatar bob@example.org\n") }
    #expect(harness.toServer.components("<items").count == 2)
    answer(harness, Self.data(Self.gif), from: "bob@example.org")
    #expect(harness.takeLines(first).count == 2 && harness.takeLines(second).count == 1)
    #expect(harness.passed.count == 3 && Set(harness.passed).count == 3)
  }

  @Test("A client that does not read its answers is given sixteen descriptors, and more when it has read them")
  func stalled() throws {
    let (harness, client) = try harness()
    tell(harness, "bob@example.org", Self.hash(Self.gif))
    harness.avatars[Self.hash(Self.gif)] = Avatar(Self.gif)
    harness.stalled = [client]
    harness.send(client, String(repeating: "avatar bob@example.org\n", count: 40))
    #expect(harness.passed.count == 16 && harness.paused == [client])
    harness.handle(.client(client, .drained))
    #expect(harness.passed.count == 16)
    harness.handle(.client(client, .descriptorsTaken(16)))
    #expect(harness.passed.count == 32)
    harness.handle(.client(client, .closed))
    #expect(harness.passed.count == 32 && harness.closedDescriptors.isEmpty)
  }

  @Test("A descriptor for a client that has gone is closed")
  func gone() throws {
    let (harness, client) = try harness()
    tell(harness, "bob@example.org", Self.hash(Self.gif))
    harness.send(client, "avatar bob@example.org\n")
    harness.handle(.client(client, .closed))
    answer(harness, Self.data(Self.gif), from: "bob@example.org")
    #expect(harness.passed.isEmpty && harness.closedDescriptors.count == 1)
  }

  @Test("A later request is answered while an avatar is being fetched, and the avatar by its tag")
  func overtaken() throws {
    let (harness, client) = try harness()
    tell(harness, "bob@example.org", Self.hash(Self.gif))
    harness.send(client, "avatar tag=a bob@example.org\nping tag=b\n")
    #expect(harness.takeLines(client).map { $0["tag"]?.string } == ["b"])
    harness.cut()
    #expect(harness.takeLines(client).map { $0["tag"]?.string } == ["a"])
  }

  @Test("Where the disk does not keep a picture, the answer says so")
  func fullDisk() throws {
    let (harness, client) = try harness()
    harness.keepsAvatars = false
    tell(harness, "bob@example.org", Self.hash(Self.gif))
    _ = harness.ask(client, "avatar bob@example.org")
    answer(harness, Self.data(Self.gif), from: "bob@example.org")
    #expect(errors(harness.takeLines(client)) == ["storage"])
  }

  // MARK: avatar-set, avatar-remove
}
