import Bytes
import Clocks
import ConfabAccounts
import JSON
import ConfabConfiguration
import Testing
import XMPPExtensions

// Pictures of the account itself.
extension AvatarTests {
  @Test("A picture is published, then said to be there; it is here from then on")
  func publishes() throws {
    let (harness, client) = try harness()
    harness.send(client, "avatar-set\n", with: [Self.gif])
    #expect(lastIQ(harness).contains("<publish node='urn:xmpp:avatar:data'><item id='\(Self.hash(Self.gif))'><data"))
    #expect(lastIQ(harness).contains(Base64.encode(Self.gif)))
    answer(harness)
    #expect(lastIQ(harness).contains("<publish node='urn:xmpp:avatar:metadata'><item id='\(Self.hash(Self.gif))'>"))
    #expect(harness.takeLines(client).isEmpty)
    answer(harness)
    #expect(harness.takeText(client) == "{\"ok\":true}\n" && harness.toServer == "")
    harness.cut()
    #expect(harness.ask(client, "avatar alice@example.org").map { $0["hash"]?.string } == [Self.hash(Self.gif)])
  }

  @Test("Without the server's conversion the card gets the photo too, keeps its other fields, and presence tells of it")
  func card() throws {
    let (harness, client) = try harness(features: ["vcard-temp"])
    harness.send(client, "avatar-set\n", with: [Self.gif])
    answer(harness)
    answer(harness)
    answer(harness, Self.card(Self.other))
    #expect(lastIQ(harness).contains("<vCard xmlns='vcard-temp'><FN>Bob</FN><PHOTO><TYPE>image/gif</TYPE><BINVAL>"))
    #expect(!lastIQ(harness).contains(Base64.encode(Self.other)))
    answer(harness)
    #expect(harness.toServer.contains("<x xmlns='vcard-temp:x:update'><photo>\(Self.hash(Self.gif))</photo></x>"))
    #expect(harness.takeText(client) == "{\"ok\":true}\n")
    // A later process knows it from the log.
    let next = try Harness(on: harness.storage, server: harness.server, now: harness.now, seed: 2)
    next.pass(.seconds(1))
    #expect(next.toServer.contains("<photo>\(Self.hash(Self.gif))</photo>"))
    harness.send(client, "avatar-remove\n")
    #expect(lastIQ(harness).contains("<item><metadata xmlns='urn:xmpp:avatar:metadata'/></item>"))
    answer(harness)
    answer(harness, Self.card(Self.gif))
    #expect(lastIQ(harness).contains("<vCard xmlns='vcard-temp'><FN>Bob</FN></vCard>"))
    answer(harness)
    #expect(harness.toServer.contains("<x xmlns='vcard-temp:x:update'><photo></photo></x>"))
    #expect(harness.takeText(client) == "{\"ok\":true}\n")
    #expect(errors(harness.ask(client, "avatar alice@example.org")) == ["not-found"])
  }

  @Test("A picture that makes a longer stanza than the server takes is refused", arguments: [false, true])
  func tooLong(isAdvertised: Bool) throws {
    let limits = "<limits xmlns='urn:xmpp:stream-limits:0'><max-bytes>1000000</max-bytes></limits>"
    let (harness, client) = try harness(offers: isAdvertised ? limits : "")
    let most = isAdvertised ? 748_464 : 195_072
    harness.send(client, "avatar-set\n", with: [Self.gif + [UInt8](repeating: 0, count: most + 1 - Self.gif.count)])
    let line = harness.takeLines(client).last
    #expect(line?["error"]?.string == "too-large" && line?["reason"]?.string?.contains("\(most)") == true)
    harness.send(client, "avatar-set\n", with: [Self.gif + [UInt8](repeating: 0, count: most - Self.gif.count)])
    #expect(lastIQ(harness).contains("<publish node='urn:xmpp:avatar:data'>"))
    #expect(lastIQ(harness).utf8.count < (isAdvertised ? 1_000_000 : 256 << 10))
  }

  @Test(
    "A limit that is no number of bytes is none, and one that holds nothing holds no picture",
    arguments: ["-9223372036854775808", "9223372036854775807", "-1", "x", "", "0", "1"])
  func absurdLimits(text: String) throws {
    let limits = "<limits xmlns='urn:xmpp:stream-limits:0'><max-bytes>\(text)</max-bytes></limits>"
    let (harness, client) = try harness(offers: limits)
    harness.send(client, "avatar-set\n", with: [Self.gif])
    if ["0", "1"].contains(text) {
      #expect(errors(harness.takeLines(client)) == ["too-large"])
    } else {
      #expect(lastIQ(harness).contains("<publish node='urn:xmpp:avatar:data'>"))
    }
  }

  @Test("Orders that are given at once are published one after the other")
  func inOrder() throws {
    let (harness, client) = try harness()
    // The descriptor is read behind the next request.
    harness.send(client, "avatar-set\navatar-remove\navatar-remove\n", with: [Self.gif])
    answer(harness)
    #expect(lastIQ(harness).contains("<publish node='urn:xmpp:avatar:metadata'><item id="))
    for _ in 0..<2 {
      answer(harness)
      #expect(lastIQ(harness).contains("<item><metadata xmlns='urn:xmpp:avatar:metadata'/></item>"))
    }
    harness.cut()
    #expect(harness.takeLines(client).map { $0["error"]?.string } == [nil, nil, "not-connected"])
  }

  @Test("Another device's avatar is named in our presences, and our own presence tells us nothing new")
  func elsewhere() throws {
    let (harness, client) = try harness(features: ["vcard-temp"])
    harness.avatars[Self.hash(Self.gif)] = Avatar(Self.gif)
    for hash in [Self.hash(Self.gif), ""] {
      harness.clearTrace()
      let metadata = hash.isEmpty ? "<metadata xmlns='urn:xmpp:avatar:metadata'/>" : Self.metadata(hash)
      tell(harness, "alice@example.org", hash, metadata)
      #expect(harness.toServer.contains("<photo>\(hash)</photo>"))
    }
    harness.receive(
      "<presence from='alice@example.org/confab'><x xmlns='vcard-temp:x:update'><photo>\(Self.hash(Self.gif))</photo></x></presence>"
    )
    harness.pass(.seconds(1))
    #expect(errors(harness.ask(client, "avatar alice@example.org")) == ["not-found"])
  }

  @Test("What the server refuses is told in its words; one without nodes and cards is said to have none")
  func refused() throws {
    let (harness, client) = try harness()
    harness.send(client, "avatar-set\n", with: [Self.gif])
    answer(
      harness,
      "<error type='modify'><not-acceptable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>"
        + "<text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>too large</text></error>", type: "error")
    let line = harness.takeLines(client).first
    #expect(line?["error"]?.string == "failed" && line?["reason"]?.string?.contains("too large") == true)
    harness.send(client, "avatar-set\n", with: [Self.gif])
    harness.receive(
      "<stream:error><policy-violation xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>"
        + "<text xmlns='urn:ietf:params:xml:ns:xmpp-streams'>stanza is too big</text></stream:error></stream:stream>")
    let last = harness.takeLines(client).first
    #expect(last?["error"]?.string == "failed" && last?["reason"]?.string?.contains("stanza is too big") == true)
    let (bare, other) = try self.harness(features: [], hasNodes: false)
    #expect(errors(bare.ask(other, "avatar-remove")) == ["not-supported"])
    let (late, third) = try self.harness(isDiscoveryLate: true)
    #expect(late.ask(third, "avatar-remove").isEmpty)
    late.cut()
    #expect(errors(late.takeLines(third)) == ["not-connected"])
  }

  @Test("What is no picture, or too long, is refused, and so is a request without one descriptor")
  func badFiles() throws {
    let requests: [(contents: [[UInt8]?], error: String)] = [
      ([Array("<svg/>".utf8)], "bad-argument"), ([nil], "bad-argument"), ([], "bad-argument"),
      ([Self.gif, Self.gif], "bad-argument"), ([Self.gif + [UInt8](repeating: 0, count: 1 << 20)], "too-large"),
    ]
    for (contents, error) in requests {
      let (harness, client) = try harness()
      harness.send(client, "avatar-set\n", with: contents)
      let line = harness.takeLines(client).first
      #expect(line?["error"]?.string == error && harness.toServer == "")
      #expect(error == "too-large" || line?["argument"]?.string == "descriptor")
      #expect(harness.closedDescriptors.count == (contents.count == 1 ? 0 : contents.count))
    }
  }

  @Test("Offline nothing is published, and the descriptor is closed")
  func offline() throws {
    let (harness, client) = try harness()
    harness.cut()
    harness.send(client, "avatar-set\n", with: [Self.gif])
    #expect(errors(harness.takeLines(client)) == ["not-connected"] && harness.closedDescriptors.count == 1)
    #expect(errors(harness.ask(client, "avatar-remove")) == ["not-connected"])
  }

  @Test("A socket with the right to read may ask for avatars, and publish none")
  func rights() throws {
    var reader = SocketSettings(name: "reader")
    (reader.path, reader.rights) = ("/reader", .read)
    let harness = try Harness(sockets: [reader])
    let client = harness.connect(1, Caller(socket: "reader", user: 1000))
    #expect(harness.ask(client, "avatar bob@example.org").isEmpty)
    harness.send(client, "avatar-set\n", with: [Self.gif])
    #expect(errors(harness.takeLines(client)) == ["not-allowed"] && harness.closedDescriptors.count == 1)
  }
}
