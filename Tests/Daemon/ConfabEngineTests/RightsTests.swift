import Clocks
import ConfabAccounts
import JSON
import LineProtocol
import ConfabConfiguration
import TestSupport
import Testing

extension SocketSettings {
  /// A section that everybody of these tests may use.
  init(_ name: String, _ rights: SocketRights, to recipients: [String] = [], rate: SendRate? = nil) {
    self.init(name: name, path: "/run/confab/\(name)")
    self.rights = rights
    self.recipients = recipients
    self.rate = rate
    access.users = [33, 34]
  }
}

@Suite("rights of a socket")
struct RightsTests {
  private static let sockets = [
    SocketSettings("all", .full), SocketSettings("out", .send), SocketSettings("in", .read),
  ]

  private static func name(_ rights: Rights) -> String {
    switch rights {
    case .full: "all"
    case .send: "out"
    case .read: "in"
    }
  }

  /// The table says it, and the engine does it: each row's own example, asked on a socket of each right.
  @Test("every verb, on a socket of every right", arguments: Rights.allCases)
  func everyVerb(rights: Rights) throws {
    for row in VerbTable.rows {
      let harness = try Harness(sockets: Self.sockets)
      harness.nextConfiguration = .read(harness.configuration)
      let client = harness.connect(1, Caller(socket: Self.name(rights), user: 33))
      harness.send(client, row.example + "\nping tag=end\n")
      harness.pass(.seconds(40))
      let lines = harness.takeLines(client)
      let mayAsk = row.rights.contains(rights) && !(rights == .read && [.draft, .topic, .room].contains(row.verb))
      #expect((lines.first?["error"]?.string == "not-allowed") == !mayAsk, "\(row.verb) with \(rights)")
      if row.verb != .quit { #expect(lines.contains { $0["tag"]?.string == "end" }) }
    }
  }

  @Test("a verb that is not allowed is that before anything else is wrong with it; unknown ones are unknown")
  func precedence() throws {
    let harness = try Harness(sockets: Self.sockets)
    let client = harness.connect(1, Caller(socket: "out", user: 33))
    for line in [
      "history", "history limit=x bob@example.org", "remove tag=t", #"{"verb":"roster","more":1,"tag":"t"}"#,
    ] {
      let answer = harness.ask(client, line).last
      #expect(answer?["error"]?.string == "not-allowed", "\(line)")
      #expect(answer?["tag"]?.string == (line.contains("tag") ? "t" : nil))
    }
    #expect(harness.ask(client, "dance").last?["error"]?.string == "unknown-verb")
    #expect(harness.ask(client, "send").last?["error"]?.string == "bad-argument")
  }

  @Test("a block of lines that is not allowed is consumed all the same, and is one answer")
  func blocks() throws {
    let harness = try Harness(sockets: Self.sockets)
    let reader = harness.connect(1, Caller(socket: "in", user: 33))
    let lines = harness.ask(
      reader,
      "send until=END tag=a bob@example.org\nping\nquit\nEND\ndraft until=END tag=b bob@example.org\nping\nEND\nping tag=c"
    )
    #expect(lines.map { $0["tag"]?.string } == ["a", "b", "c"])
    #expect(lines.map { $0["error"]?.string } == ["not-allowed", "not-allowed", nil])
    #expect(harness.ask(reader, "draft bob@example.org").last?["text"]?.string == "")
  }

  @Test("a read socket reads and watches and changes nothing")
  func reading() throws {
    let harness = try Harness(sockets: Self.sockets)
    let owner = harness.connect(1)
    let reader = harness.connect(2, Caller(socket: "in", user: 34))
    #expect(harness.ask(reader, "watch").first?["ok"]?.bool == true)
    let id = try #require(harness.ask(owner, "send bob@example.org hello").last?["id"]?.integer)
    harness.pass(.milliseconds(50))
    #expect(harness.takeLines(reader).contains { $0["message"]?["id"]?.integer == id })
    #expect(harness.ask(reader, "wait for=sent timeout=1ms \(id)").last?["error"]?.string == "timeout")
    #expect(harness.ask(reader, "unread").last?["unread"]?.integer == 0)
    for line in ["read bob@example.org", "draft bob@example.org x", "presence away", "disconnect", "reload"] {
      #expect(harness.ask(reader, line).last?["error"]?.string == "not-allowed", "\(line)")
    }
    #expect(harness.ask(reader, "unwatch").last?["ok"]?.bool == true)
  }

  @Test("the greeting says the socket's rights, and help lists what it may use")
  func greeting() throws {
    let harness = try Harness(sockets: Self.sockets)
    for rights in Rights.allCases {
      let id = ClientID(rights == .full ? 1 : rights == .send ? 2 : 3)
      harness.handle(.client(id, .connected(Caller(socket: Self.name(rights), user: 33))))
      #expect(harness.takeLines(id).first?["rights"]?.string == rights.rawValue)
      let verbs = harness.ask(id, "help format=json").compactMap { $0["verb"] }
      #expect(
        verbs.compactMap { $0["name"]?.string }
          == VerbTable.rows.filter { $0.rights.contains(rights) }.map(\.verb.rawValue))
      #expect(verbs.allSatisfy { $0["rights"]?.array?.contains(.string(rights.rawValue)) == true })
    }
  }
}

@Suite("a socket that may only send")
struct SendSocketTests {
  private let script = Caller(socket: "alerts", user: 33, process: 4711)

  @Test("only to those who are listed, with all their resources where the bare JID is, compared as JIDs")
  func recipients() throws {
    let harness = try Harness(
      sockets: [
        SocketSettings("alerts", .send, to: ["OPS@Example.org", "boss@example.org/pager", "gateway.example.org"])
      ])
    let client = harness.connect(1, script)
    for jid in [
      "ops@example.org", "ops@EXAMPLE.org", "ops@example.org/any", "boss@example.org/pager", "gateway.example.org",
    ] {
      #expect(harness.ask(client, "send \(jid) x").last?["ok"]?.bool == true, "\(jid)")
    }
    for jid in [
      "boss@example.org", "boss@example.org/phone", "boss@example.org/Pager", "x@gateway.example.org",
      "alice@example.org",
    ] {
      let answer = harness.ask(client, "send \(jid) x").last
      #expect(answer?["error"]?.string == "not-allowed" && answer?["argument"]?.string == "to", "\(jid)")
    }
    #expect(harness.ask(harness.connect(2), "send alice@example.org x").last?["ok"]?.bool == true)
  }

  @Test("wait is for what that socket sent; of all else it says the same, whether it is there or not")
  func waiting() throws {
    let storage = MemoryStorage()
    let sockets = [SocketSettings("alerts", .send), SocketSettings("others", .send)]
    var own: Int64 = 0
    var foreign: [Int64] = [999_999]
    do {
      let harness = try Harness(on: storage, sockets: sockets)
      own = try #require(harness.ask(harness.connect(1, script), "send bob@example.org mine").last?["id"]?.integer)
      foreign.append(try #require(harness.ask(harness.connect(2), "send bob@example.org x").last?["id"]?.integer))
      let other = harness.connect(3, Caller(socket: "others", user: 33))
      foreign.append(try #require(harness.ask(other, "send bob@example.org x").last?["id"]?.integer))
      harness.receive("<message from='bob@example.org/x' id='1'><body>hi</body></message>")
      harness.pass(.milliseconds(50))
      foreign.append(
        try #require(
          harness.ask(harness.connect(4), "history limit=1 bob@example.org").first?["message"]?["id"]?.integer))
      harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
      harness.pass(.milliseconds(50))
    }
    // Which socket sent it is known to the next daemon too.
    let harness = try Harness(on: storage, sockets: sockets)
    let client = harness.connect(1, script)
    #expect(harness.ask(client, "wait for=sent \(own)").last?["state"]?.string == "sent")
    for id in foreign {
      let answer = harness.ask(client, "wait for=sent timeout=1ms \(id)").last
      #expect(answer?["error"]?.string == "not-found" && answer?["argument"]?.string == "id")
      #expect(answer?["reason"]?.string == "no message has the id \(id)")
    }
    // Who may do everything waits for everything of mine.
    #expect(harness.ask(harness.connect(2), "wait for=sent \(own)").last?["ok"]?.bool == true)
  }

  @Test("its keys are its own: it learns of nobody's message by them, and keeps nobody from sending")
  func keys() throws {
    let storage = MemoryStorage()
    let sockets = [SocketSettings("alerts", .send), SocketSettings("others", .send)]
    var ids: Set<Int64> = []
    for round in 1...2 {
      let harness = try Harness(on: storage, sockets: sockets)
      let clients = [
        harness.connect(1), harness.connect(2, script), harness.connect(3, Caller(socket: "others", user: 33)),
      ]
      for client in clients {
        let answer = harness.ask(client, "send key=k bob@example.org hello").last
        #expect(answer?["repeated"]?.bool == (round == 1 ? nil : true))
        ids.insert(try #require(answer?["id"]?.integer))
      }
      #expect(harness.ask(clients[1], "send key=k bob@example.org other").last?["error"]?.string == "key-mismatch")
    }
    #expect(ids.count == 3)
  }

  @Test("the same key twice at once, on two connections of one socket, is one message")
  func twins() throws {
    let harness = try Harness(sockets: [SocketSettings("alerts", .send)])
    let clients = [harness.connect(1, script), harness.connect(2, script), harness.connect(3)]
    harness.syncsAtOnce = false
    for client in clients { harness.send(client, "send key=k bob@example.org hello\n") }
    harness.syncsAtOnce = true
    for _ in 1...3 { harness.sync() }
    harness.pass(.milliseconds(50))
    let ids = clients.compactMap { harness.takeLines($0).last?["id"]?.integer }
    #expect(ids.count == 3 && ids[0] == ids[1] && ids[0] != ids[2])
  }

  @Test("a rate holds for all its connections; what is over it is told when to come back, and repeats are free")
  func rate() throws {
    let harness = try Harness(sockets: [
      SocketSettings("alerts", .send, rate: SendRate(count: 3, interval: .minutes(1)))
    ])
    let clients = [harness.connect(1, script), harness.connect(2, Caller(socket: "alerts", user: 34))]
    for number in 0..<3 {
      #expect(harness.ask(clients[number % 2], "send key=\(number) ops@example.org x").last?["ok"]?.bool == true)
    }
    let refused = try #require(harness.ask(clients[0], "send key=3 tag=t ops@example.org x").last)
    #expect(refused["error"]?.string == "limit" && refused["tag"]?.string == "t")
    // Three requests of 50 ms each have gone by.
    #expect(refused["retry_after"]?.string == "19850ms")
    #expect(harness.ask(clients[0], "send key=1 ops@example.org x").last?["repeated"]?.bool == true)
    #expect(harness.ask(harness.connect(3), "send ops@example.org x").last?["ok"]?.bool == true)
    harness.pass(.seconds(20))
    #expect(harness.ask(clients[1], "send key=3 ops@example.org x").last?["ok"]?.bool == true)
    #expect(harness.ask(clients[1], "send key=4 ops@example.org x").last?["error"]?.string == "limit")
    harness.pass(.minutes(10))
    let burst = (5...8).map { harness.ask(clients[0], "send key=\($0) ops@example.org x").last?["ok"]?.bool }
    #expect(burst == [true, true, true, false])
    #expect(harness.ask(harness.connect(4), "history ops@example.org").last?["count"]?.integer == 8)
  }
}
