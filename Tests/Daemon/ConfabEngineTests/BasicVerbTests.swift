import Clocks
import ConfabAccounts
import JSON
import Testing

@Suite("verbs of the connection")
struct BasicVerbTests {
  @Test("the greeting is the first line, with the log, its newest number and the limits")
  func greeting() throws {
    let harness = try Harness()
    harness.handle(.client(ClientID(7), .connected(Caller(user: 1000))))
    let line = try #require(harness.takeLines(ClientID(7)).first)
    #expect(line["confab"]?.integer == 1)
    #expect(line["log"]?.string?.count == 36)
    #expect(line["rights"]?.string == "full")
    #expect((line["last"]?.integer ?? 0) > 0)
    #expect(line["limits"]?["line"]?.integer == 65_536)
    #expect(line["limits"]?["text"]?.integer == 60_000)
    #expect(line["limits"]?["page"]?.integer == 1000)
    #expect(line["limits"]?["keys"]?.integer == 100_000)
    #expect(line["limits"]?["files"]?.integer == 1 << 30)
  }

  @Test("help tells one verb, all verbs, and their rows; every line carries the tag")
  func help() throws {
    let harness = try Harness()
    let client = harness.connect()
    let all = harness.ask(client, "help tag=t")
    #expect(all.count > 20)
    #expect(all.allSatisfy { $0["tag"]?.string == "t" })
    #expect(all.dropLast().allSatisfy { $0["verb"]?["name"] != nil && $0["verb"]?["usage"] != nil })
    #expect(all.last?["ok"]?.bool == true)
    #expect(harness.ask(client, "help ping").count == 2)
    #expect(harness.ask(client, "help format=json send").first?["verb"]?["options"] != nil)
    #expect(harness.ask(client, "help nonsense").last?["error"]?.string == "not-found")
  }

  @Test("ping, version, an unknown verb and a verb of later")
  func small() throws {
    let harness = try Harness()
    let client = harness.connect()
    #expect(harness.ask(client, "ping").map { $0["ok"]?.bool } == [true])
    #expect(harness.ask(client, "version").last?["version"]?.string == ConfabVersion.text)
    #expect(harness.ask(client, "dance").last?["error"]?.string == "unknown-verb")
    #expect(harness.ask(client, "schedule bob@example.org").last?["error"]?.string == "unknown-verb")
  }

  @Test("a tag comes back as given: a word, a string, a number")
  func tags() throws {
    let harness = try Harness()
    let client = harness.connect()
    #expect(harness.ask(client, "ping tag=12").last?["tag"]?.string == "12")
    #expect(harness.ask(client, #"{"verb":"ping","tag":12}"#).last?["tag"]?.integer == 12)
    #expect(harness.ask(client, #"{"verb":"nothing","tag":"x"}"#).last?["tag"]?.string == "x")
  }

  @Test("quit answers what was asked before, even what waits, then closes")
  func quit() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.send(client, "send wait=sent tag=s bob@example.org hello\nquit tag=q\nping\n")
    harness.pass(.milliseconds(50))
    #expect(!harness.closedClients.contains(client))
    harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
    harness.pass(.milliseconds(50))
    let lines = harness.takeLines(client)
    #expect(Set(lines.compactMap { $0["tag"]?.string }) == ["s", "q"])
    #expect(lines.count == 2)
    #expect(harness.closedClients.contains(client))
  }

  @Test("status says where, how and since when; for=online waits for it, or for its time-out")
  func status() throws {
    let harness = try Harness()
    let client = harness.connect()
    let account = try #require(harness.ask(client, "status").first?["account"])
    #expect(account["name"]?.string == "home")
    #expect(account["jid"]?.string == "alice@example.org")
    #expect(account["state"]?.string == "online")
    #expect(account["server"]?.string == "127.0.0.1:5223")
    #expect(account["tls"]?.string == "TLSv1.3 TLS_AES_256_GCM_SHA384")
    #expect(account["queued"]?.integer == 0)
    #expect(account["unacked"]?.integer == 0)
    #expect(account["since"]?.string != nil && account["last_heard"]?.string != nil)
    #expect(harness.ask(client, "status for=online").last?["ok"]?.bool == true)

    harness.cut()
    #expect(harness.ask(client, "status").first?["account"]?["retry_at"]?.string != nil)
    harness.send(client, "status for=online timeout=200ms tag=short\nstatus for=online tag=long\nping tag=p\n")
    harness.pass(.milliseconds(300))
    let early = harness.takeLines(client)
    #expect(early.map { $0["tag"]?.string } == ["p", "short"])
    #expect(early.last?["error"]?.string == "timeout")
    harness.pass(.seconds(2))
    let late = harness.takeLines(client)
    #expect(late.first?["account"]?["state"]?.string == "online")
    #expect(late.allSatisfy { $0["tag"]?.string == "long" })
  }

  @Test("watchers hear of the presence that a client sets")
  func presenceEvent() throws {
    let harness = try Harness()
    let watcher = harness.connect()
    _ = harness.ask(watcher, "watch kinds=connection")
    _ = harness.ask(harness.connect(2), "presence away back at ten")
    #expect(harness.takeLines(watcher).map { $0["state"]?.string } == ["online"])
  }

  @Test("presence is durable, and told to the server now and at the next login")
  func presence() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.clearTrace()
    #expect(harness.ask(client, "presence away back at ten").last?["ok"]?.bool == true)
    #expect(harness.toServer.contains("<show>away</show><status>back at ten</status>"))
    #expect(harness.ask(client, "presence sleeping").last?["error"]?.string == "bad-argument")
    let bad = harness.ask(client, #"{"verb":"presence","show":"away","text":"\u0001"}"#).last
    #expect(bad?["error"]?.string == "bad-argument")
    #expect(bad?["position"]?.integer == 0)
    let later = try Harness(on: harness.storage)
    #expect(later.toServer.contains("<show>away</show><status>back at ten</status>"))
  }

  @Test("what is wished twice at once is both in force: presence does not undo disconnect")
  func wishes() throws {
    let harness = try Harness()
    let client = harness.connect()
    #expect(harness.ask(client, "disconnect\npresence away").map { $0["ok"]?.bool } == [true, true])
    #expect(harness.ask(client, "status").first?["account"]?["state"]?.string == "stopped")
    let later = try Harness(on: harness.storage)
    #expect(later.ask(later.connect(), "status").first?["account"]?["state"]?.string == "stopped")
  }

  @Test("disconnect and connect, one behind the other, end connected, with a slow disk too")
  func disconnectConnect() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.syncsAtOnce = false
    harness.send(client, "disconnect\n")
    harness.receive("<message from='bob@example.org/x' id='1'><body>hi</body></message>")
    harness.sync()
    harness.send(client, "connect\n")
    for _ in 0..<4 { harness.sync() }
    harness.syncsAtOnce = true
    harness.pass(.seconds(3))
    #expect(harness.takeLines(client).map { $0["ok"]?.bool } == [true, true])
    #expect(harness.toServer.contains("</stream:stream>"))
    #expect(harness.ask(client, "status").first?["account"]?["state"]?.string == "online")
  }

  @Test("a flood does not keep a disconnect from ending")
  func disconnectInFlood() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.syncsAtOnce = false
    harness.send(client, "disconnect\n")
    for number in 1...20 where harness.link != nil {
      harness.receive("<message from='bob@example.org/x' id='\(number)'><body>hi</body></message>")
      harness.sync()
      harness.pass(.milliseconds(1))
    }
    #expect(harness.toServer.hasSuffix("</stream:stream>"))
  }
}
