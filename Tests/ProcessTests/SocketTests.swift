import Glibc
import JSON
import TestSupport
import Testing

/// The socket as scripts and hostile clients use it.
@Suite("The socket")
struct SocketTests {
  @Test("the directory and the socket are their owner's alone")
  func modes() throws {
    let folder = try TemporaryFolder("socket")
    let daemon = try Daemon(in: folder, settings: [])
    #expect(mode(daemon.socketPath) == 0o600)
    try daemon.terminate()
    // A directory that the daemon makes itself.
    let runtime = folder.file("runtime")
    let configuration = TestFiles.text(daemon.configurationPath)?.replacing(
      "socket = \(daemon.socketPath)", with: "socket = \(runtime)/socket")
    try TestFiles.write(daemon.configurationPath, Array((configuration ?? "").utf8))
    let listening = try FolderWatch(folder.path)
    let process = try startDaemon(daemon.configurationPath, folder)
    #expect(try listening.wait(until: .seconds(60), orEndOf: process) { mode(runtime) != nil })
    #expect(mode(runtime) == 0o700)
    process.kill(SIGTERM)
    #expect(try process.wait() == .exited(0))
  }

  private func startDaemon(_ configuration: String, _ folder: TemporaryFolder) throws -> ChildProcess {
    let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    return try ChildProcess(
      [Products.program("confabd"), "--config", configuration], input: null, output: null, error: null)
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  @Test("the greeting says who is there, which log it is, how far it goes and what the limits are")
  func greeting() throws {
    try withDaemon { daemon, client in
      let id = try client.ask("send bob@example.test hello").id
      let greeting = try daemon.connect().greeting()
      #expect(greeting["confab"]?.integer == 1)
      #expect(greeting.text("log").count == 36)
      #expect(greeting.text("rights") == "full")
      #expect(greeting["limits"]?["line"]?.integer == 65536)
      #expect(try #require(greeting["last"]?.integer) >= #require(id))
    }
  }

  @Test("what was asked before the client closed its side is answered; what was cut off is incomplete")
  func halfClose() throws {
    try withDaemon { daemon, _ in
      // A tag that may itself be cut is not shown.
      let tails = [
        ("send bob@example.test cut", nil), ("ping tag=t", nil), ("send tag=t bob@example", "t"),
        ("send until=END tag=u a@b\ntext\n", "u"),
      ]
      for (tail, tag) in tails {
        let client = try daemon.client()
        try client.send(bytes: Array("ping\nsend bob@example.test whole\n\(tail)".utf8))
        client.closeWriting()
        let lines = try client.lines()
        #expect(lines.count == 3)
        #expect(lines.prefix(2).allSatisfy { $0["ok"]?.bool == true })
        #expect(lines.last?.text("error") == "incomplete")
        #expect(lines.last?["tag"]?.string == tag)
      }
      #expect(
        try daemon.client().history("bob@example.test").map { $0.text("text") } == ["whole", "whole", "whole", "whole"])
    }
  }

  @Test("a block is consumed to its end, whatever its request was")
  func blocks() throws {
    try withDaemon { _, client in
      try client.send(
        "send until=END bob@example.test", "ping", "quit", "END",
        "nonsense until=END tag=1", "quit", "END",
        "send until=END bob@example.test with text too", "quit", "END",
        "send until= bob@example.test", "quit", "",
        "ping tag=2")
      #expect(try client.answer().isOK)
      let unknown = try client.answer()
      #expect(unknown.error == "unknown-verb")
      #expect(unknown.final.text("tag") == "1")
      #expect(try client.answer().error == "bad-argument")
      #expect(try client.answer().error == "bad-argument")
      #expect(try client.answer().final.text("tag") == "2")
      #expect(try client.history("bob@example.test").first?.text("text") == "ping\nquit")
      let long = Array(repeating: String(repeating: "x", count: 60_000), count: 4).joined(separator: "\n")
      #expect(try client.request("send until=END bob@example.test\n\(long)\nEND").error == "too-large")
      #expect(try client.request("ping").isOK)
    }
  }

  @Test("each bad line gets one answer with its code, and the connection goes on")
  func badLines() throws {
    try withDaemon { daemon, client in
      let other = try daemon.client()
      let cases: [([UInt8], String)] = [
        (Array("send bob@example.test \(String(repeating: "x", count: 70_000))".utf8), "line-too-long"),
        ([0x70, 0x69, 0x6E, 0x67, 0x20, 0xFF, 0xFE], "bad-encoding"),
        (Array("{\"verb\":\"ping\"".utf8), "bad-argument"),
        (Array("frobnicate now".utf8), "unknown-verb"),
        (Array("retract hello".utf8), "bad-argument"),
        (Array("ping x=1".utf8), "bad-argument"),
        (Array("send reply=7 bob@example.test hello".utf8), "not-found"),
        (Array("send  bob@example.test hello".utf8), "bad-argument"),
        (Array("send @example.test hello".utf8), "bad-argument"),
        (Array("send bob@@example.test hello".utf8), "bad-argument"),
        (Array("history limit=1001 bob@example.test".utf8), "bad-argument"),
        (Array("history before=1 after=2 bob@example.test".utf8), "bad-argument"),
        (Array("history before=999999 bob@example.test".utf8), "not-found"),
        (Array("wait for=sent 999999".utf8), "not-found"),
        (Array("read nobody@example.test".utf8), "not-found"),
        (Array("status account=nobody".utf8), "not-found"),
        (Array("watch since=999999".utf8), "other-log"),
        (Array("watch since=0 log=00000000-0000-0000-0000-000000000000".utf8), "other-log"),
        (Array("{\"verb\":\"ping\",\"verb\":\"ping\"}".utf8), "bad-argument"),
        (Array("{\"verb\":\"ping\",\"more\":1}".utf8), "bad-argument"),
        (Array(("{\"verb\":" + String(repeating: "[", count: 40_000)).utf8), "bad-argument"),
        (Array("\u{0}".utf8), "unknown-verb"),
      ]
      for (line, code) in cases {
        try client.send(bytes: line + [0x0A])
        #expect(try client.answer().error == code, "\(String(decoding: line.prefix(60), as: UTF8.self))")
        #expect(try other.request("ping").isOK)
      }
      try client.send(bytes: Array("\r\n\nping tag=end\r\n".utf8))
      #expect(try client.answer().final.text("tag") == "end")
    }
  }

  @Test("bytes that come one by one, and requests that come all at once, are the same")
  func pieces() throws {
    try withDaemon { _, client in
      for byte in "send bob@example.test 一個一個來\n".utf8 { try client.send(bytes: [byte]) }
      #expect(try client.answer().isOK)
      let requests = (1...1000).map { "send tag=\($0) bob@example.test number \($0)\n" }.joined()
      try client.send(bytes: Array(requests.utf8))
      var last: Int64 = 0
      for number in 1...1000 {
        let answer = try client.answer()
        #expect(answer.final.text("tag") == "\(number)")
        let id = try #require(answer.id)
        #expect(id > last)
        last = id
      }
      let history = try client.history("bob@example.test")
      #expect(history.count == 1000)
      #expect(history.last?.text("text") == "number 1000")
    }
  }

  @Test("a query sees what was asked before it on its connection")
  func order() throws {
    try withDaemon { _, client in
      try client.send(
        "send bob@example.test one", "history bob@example.test", "draft bob@example.test a draft",
        "draft bob@example.test", "conversations", "read bob@example.test", "sections bob@example.test", "quit", "ping")
      #expect(try client.answer().isOK)
      #expect(try client.answer().data.first?["message"]?.text("text") == "one")
      #expect(try client.answer().isOK)
      #expect(try client.answer().final.text("text") == "a draft")
      let conversation = try #require(try client.answer().data.first?["conversation"])
      #expect(conversation["last"]?.text("text") == "one")
      #expect(conversation.text("draft") == "a draft")
      #expect(try client.answer().final["unread"]?.integer == 0)
      #expect(try client.answer().data.first?["section"]?["count"]?.integer == 1)
      #expect(try client.answer().isOK)
      #expect(try client.line() == nil)
    }
  }

  @Test("a client that goes away loses its answers, not what it sent")
  func goneClients() throws {
    try withDaemon { daemon, client in
      for round in 1...20 {
        let gone = try daemon.connect()
        try gone.send(
          bytes: Array("send bob@example.test gone \(round)\nhistory bob@example.test\nwait for=sent 1\n".utf8))
      }
      // Each is read before this one is: the loop serves descriptors in turn, and a close is seen behind its bytes.
      var count = 0
      while count < 20 { count = try client.history("bob@example.test").count }
      #expect(try client.request("ping").isOK)
      let busy = try daemon.client()
      try busy.send(bytes: Array(String(repeating: "history bob@example.test\n", count: 5000).utf8.prefix(60_000)))
      #expect(try client.request("ping").isOK)
    }
  }

  @Test("the same key never sends twice")
  func keys() throws {
    try withScriptedServer { world throws in
      let first = try world.client.ask("send key=k1 bob@example.test hello")
      try world.server.received("message")
      let again = try world.client.ask("send key=k1 wait=sent bob@example.test hello")
      #expect(again.id == first.id)
      #expect(again.final["repeated"]?.bool == true)
      #expect(again.final.text("state") == "sent")
      #expect(try world.client.request("send key=k1 bob@example.test other").error == "key-mismatch")
      #expect(try world.client.request("send key=k1 carol@example.test hello").error == "key-mismatch")
      try world.daemon.kill()
      try world.daemon.start()
      let client = try world.daemon.client()
      #expect(try client.ask("send key=k1 bob@example.test hello").id == first.id)
      // Both in one batch: the second waits for the first one's fate.
      try client.send("send key=k2 bob@example.test twin", "send key=k2 bob@example.test twin")
      let twins = try [client.answer(), client.answer()]
      #expect(twins[0].id == twins[1].id)
      #expect(try client.history("bob@example.test").count == 2)
    }
  }
}

/// Many clients, and clients that ask and do not listen.
@Suite("A crowded socket")
struct CrowdTests {
  @Test("clients that do not read their answers cost little, delay nobody and do not hold up the end")
  func deaf() throws {
    try withDaemon { daemon, client in
      let text = String(repeating: "x", count: 500)
      for number in 1...1000 { try client.send("send bob@example.test \(number) \(text)") }
      for _ in 1...1000 { #expect(try client.answer().isOK) }
      let deaf = try (1...8).map { _ in
        let deaf = try daemon.client()
        try deaf.send(bytes: Array(String(repeating: "history limit=1000 bob@example.test\n", count: 50).utf8))
        return deaf
      }
      let processID = try #require(daemon.processID)
      for _ in 1...50 { #expect(try client.request("send bob@example.test meanwhile").isOK) }
      #expect(try ProcessUsage(of: processID).residentKiB < 64 * 1024)
      // One of them wakes up: everything it asked for is there, in order.
      for _ in 1...50 { #expect(try deaf[0].answer().data.count == 1000) }
      try daemon.signal(SIGTERM)
      #expect(try daemon.waitForEnd(until: .seconds(20)) == .exited(0))
      #expect(deaf.count == 8)
    }
  }

  @Test("three hundred watchers hear of a message, each once")
  func manyWatchers() throws {
    try withDaemon { daemon, client in
      let watchers = try (1...300).map { number in
        let watcher = try daemon.client()
        try watcher.ask("watch tag=\(number) kinds=message")
        return watcher
      }
      for number in 1...3 { try client.ask("send bob@example.test \(number)") }
      for watcher in watchers {
        for number in 1...3 { #expect(try watcher.event("message")["message"]?.text("text") == "\(number)") }
      }
    }
  }

  @Test("more clients than descriptors are turned away in words; the account stays online, and all recovers")
  func descriptors() throws {
    let folder = try TemporaryFolder("socket")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder)
      let world = try World(server, in: folder, wrapper: ["prlimit", "--nofile=48"])
      var others: [SocketClient] = []
      while others.count < 60 { others.append(try world.daemon.connect()) }
      let lines = try others.map { try $0.line() }
      let greeted = lines.count { $0?["confab"] != nil }
      #expect(greeted > 5 && greeted < 60)
      #expect(lines.count { $0?.text("error") == "limit" } == 60 - greeted)
      try world.client.ask("send wait=sent bob@example.test through the crowd")
      try others[1].ask("watch kinds=connection,message")
      try world.deliver("answer", id: "1")
      _ = try others[1].event("message")
      // What was lost finds descriptors to come back by.
      try server.command("cut")
      _ = try others[1].event("connection") { $0.text("state") != "online" }
      try world.client.waitUntilOnline()
      #expect(try others[0].history("bob@example.test").count == 2)
      // No descriptor at all is left, not even to turn somebody away: who comes waits, and who is there is served.
      let processID = try #require(world.daemon.processID)
      try runCommand("prlimit", "--pid", "\(processID)", "--nofile=10:48")
      let late = try world.daemon.connect()
      #expect(try world.client.account().text("state") == "online")
      try runCommand("prlimit", "--pid", "\(processID)", "--nofile=48:48")
      #expect(try late.line()?.text("error") == "limit")
      #expect(try late.line() == nil)
      others.removeAll()
      // A close is seen behind the bytes of those who ask before it is.
      while try world.daemon.connect().line()?["confab"] == nil {}
      #expect(try world.client.request("ping").isOK)
    }
  }
}
