import Clocks
import ConfabAccounts
import JSON
import MessageLog
import ConfabConfiguration
import TestSupport
import Testing

@Suite("a disk that fails, at every sync")
struct StorageFailureTests {
  /// A day of a daemon, with the n-th sync failing; returns the texts that were answered `ok`.
  private func run(failing number: Int, _ error: StorageError, written: Bool) throws -> (Harness, [String]) {
    let harness = try Harness(accounts: [Harness.alice, Harness.work])
    let client = harness.connect()
    let watcher = harness.connect(2)
    harness.syncsAtOnce = false
    var syncs = 0
    func settle() {
      for _ in 0..<6 {
        harness.pass(.milliseconds(20))
        guard harness.hasBatch else { continue }
        syncs += 1
        if syncs == number { harness.sync(failing: error, written: written) } else { harness.sync() }
      }
    }
    harness.send(watcher, "watch kinds=message\n")
    settle()
    for step in 0..<4 {
      harness.send(client, "send account=home tag=a\(step) bob@example.org a\(step)\n")
      harness.send(client, "send account=work tag=b\(step) bob@example.org b\(step)\n")
      harness.receive("<message from='bob@example.org/x' id='i\(step)'><body>i\(step)</body></message>")
      harness.receive("<a xmlns='urn:xmpp:sm:3' h='\(harness.server.handled)'/>")
      settle()
    }
    for _ in 0..<12 {
      harness.pass(.seconds(1))
      settle()
    }
    let answers = harness.takeLines(client)
    #expect(answers.count == 8)
    #expect(answers.allSatisfy { $0["ok"]?.bool == true || $0["error"]?.string == "no-space" })
    let events = harness.takeLines(watcher).filter { $0["event"]?.string == "message" }.compactMap {
      $0["seq"]?.integer
    }
    #expect(events == events.sorted() && Set(events).count == events.count)
    let stored = answers.filter { $0["ok"]?.bool == true }.compactMap { $0["tag"]?.string }
    #expect(stored.allSatisfy { harness.toServer.contains("<body>\($0)</body>") })
    return (harness, stored)
  }

  @Test("nothing answered ok is lost, nothing is there twice, and the daemon recovers", arguments: [true, false])
  func everySync(written: Bool) throws {
    for number in 1...12 {
      let (harness, stored) = try run(failing: number, StorageError(.noSpace, "full"), written: written)
      let client = harness.connect(9)
      harness.syncsAtOnce = true
      harness.sync()
      harness.pass(.seconds(8))
      let states = harness.ask(client, "status").compactMap { $0["account"]?["state"]?.string }
      #expect(states == ["online", "online"], "sync \(number)")
      let after = try Harness(on: harness.storage, accounts: [Harness.alice, Harness.work])
      let other = after.connect(1)
      let texts = ["home", "work"].flatMap { account in
        after.ask(other, "history account=\(account) bob@example.org").compactMap { $0["message"]?["text"]?.string }
      }
      for text in stored { #expect(texts.count { $0 == text } == 1, "sync \(number): \(text)") }
      #expect(Set(texts).count == texts.count, "sync \(number): \(texts)")
    }
  }

  @Test("while the disk fails the server is left alone, and requests that need no disk are answered")
  func quiet() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.syncsAtOnce = false
    harness.send(client, "draft b@c x\n")
    harness.sync(failing: StorageError(.failed, "EIO"))
    harness.clearTrace()
    for _ in 0..<20 {
      harness.pass(.seconds(6))
      harness.sync(failing: StorageError(.failed, "EIO"))
    }
    #expect(harness.toServer.isEmpty)
    #expect(harness.takeLines(client).last?["error"]?.string == "storage")
    for request in ["draft b@c x", "presence away", "read b@c", "connect", "accept b@c"] {
      #expect(harness.ask(client, request).last?["error"]?.string == "storage", "\(request)")
    }
    #expect(harness.ask(client, "draft b@c").last?["text"]?.string == "")
    #expect(harness.ask(client, "status").first?["account"]?["state"]?.string == "waiting")
    harness.syncsAtOnce = true
    harness.pass(.seconds(61))
    #expect(harness.ask(client, "status").first?["account"]?["state"]?.string == "online")
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(10))
    #expect(harness.exitStatus == 0)
  }

  @Test("a stop ends within ten seconds though the disk says nothing any more")
  func hangingDisk() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.syncsAtOnce = false
    harness.send(client, "send b@c x\n")
    harness.receive("<message from='bob@example.org/x' id='1'><body>hi</body></message>")
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(10))
    #expect(harness.exitStatus == 0)
    #expect(!harness.toServer.contains("h='2'"))
  }

  @Test("a configuration read while the disk fails gets its accounts when it works again")
  func newAccount() throws {
    let harness = try Harness()
    harness.syncsAtOnce = false
    harness.send(harness.connect(), "draft b@c x\n")
    harness.sync(failing: StorageError(.failed, "EIO"))
    harness.reload { $0.accounts = [Harness.alice, Harness.work] }
    harness.sync(failing: StorageError(.failed, "EIO"))
    harness.reload { $0.accounts = [Harness.alice] }
    harness.reload { $0.accounts = [Harness.alice, Harness.work] }
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.seconds(10))
    #expect(harness.ask(harness.connect(2), "send account=work b@c kept").last?["ok"]?.bool == true)
    let later = try Harness(on: harness.storage, accounts: [Harness.alice, Harness.work])
    #expect(later.ask(later.connect(), "history account=work b@c").first?["message"]?["text"]?.string == "kept")
  }

  /// A message whose batch failed and is on the disk all the same; the front end that asked for it.
  private func doubtful(withdrawn: Bool) throws -> (Harness, ClientID) {
    let harness = try Harness()
    let client = harness.connect()
    harness.syncsAtOnce = false
    harness.send(client, "send key=k bob@example.org one\n")
    harness.sync(failing: StorageError(.failed, "EIO"), written: true, withdrawn: withdrawn)
    return (harness, client)
  }

  private func texts(after harness: Harness) throws -> [String] {
    let later = try Harness(on: MemoryStorage(harness.storage.snapshot))
    return later.ask(later.connect(), "history bob@example.org").compactMap { $0["message"]?["text"]?.string }
  }

  @Test("what was answered `storage` is not there, though the disk had it, after any crash")
  func withdrawn() throws {
    let (harness, client) = try doubtful(withdrawn: true)
    #expect(harness.takeLines(client).map { $0["error"]?.string } == ["storage"])
    #expect(try texts(after: harness) == [])
  }

  @Test("as long as what failed may come back nobody is told that nothing was done, who repeats it neither")
  func inDoubt() throws {
    let (harness, client) = try doubtful(withdrawn: false)
    let other = harness.connect(2)
    harness.send(other, "send key=k bob@example.org one\n")
    #expect(harness.takeLines(client).isEmpty && harness.takeLines(other).isEmpty)
    #expect(try texts(after: harness) == ["one"], "the disk has it")
    harness.pass(.seconds(6))
    harness.sync(failing: StorageError(.failed, "EIO"), withdrawn: false)
    #expect(harness.takeLines(client).isEmpty && harness.takeLines(other).isEmpty)
    harness.pass(.seconds(11))
    harness.sync()
    let answers = harness.takeLines(client) + harness.takeLines(other)
    #expect(answers.map { $0["error"]?.string } == ["storage", "storage"])
    #expect(try texts(after: harness) == [])
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.seconds(6))
    #expect(harness.ask(client, "send key=k bob@example.org one").last?["ok"]?.bool == true)
    #expect(harness.toServer.components("<body>one</body>").count == 2)
  }

  @Test("what could not be taken back at first is, when the disk is tried again")
  func withdrawnLater() throws {
    let (harness, client) = try doubtful(withdrawn: false)
    harness.pass(.seconds(6))
    harness.sync(failing: StorageError(.noSpace, "full"))
    #expect(harness.takeLines(client).map { $0["error"]?.string } == ["storage"])
    #expect(try texts(after: harness) == [])
  }

  @Test("a disk that fails again and again costs few segments and few lines of the journal, and nothing is lost")
  func repeated() throws {
    let harness = try Harness()
    let client = harness.connect()
    var (stored, isStored) = (0, true)
    for second in 1...600 {
      // Each batch fails, and its repetition does not.
      if isStored { harness.storage.failNext("sync 0") }
      let last = harness.ask(client, "send key=k\(second) bob@example.org text\(second)").last
      isStored = last?["ok"]?.bool == true
      if isStored { stored += 1 }
      harness.pass(.seconds(1))
    }
    #expect(stored > 15)
    #expect(harness.storage.snapshot.segments.count <= 40)
    #expect(harness.told.count { $0.contains("writing the log failed") } <= 40)
    harness.storage.change { $0.failure = nil }
    harness.pass(.minutes(2))
    #expect(harness.ask(client, "send key=last bob@example.org last").last?["ok"]?.bool == true)
    let next = try Harness(on: harness.storage, now: harness.now)
    let texts = next.ask(next.connect(), "history limit=500 bob@example.org").compactMap {
      $0["message"]?["text"]?.string
    }
    #expect(texts.count == min(500, stored + 1) && Set(texts).count == texts.count)
  }
}
