import Clocks
import ConfabAccounts
import ConfabConfiguration
import JSON
import LineProtocol
import Records
import State
import MessageLog
import TestSupport
import Testing

@testable import ConfabEngine

@Suite("Hooks")
struct HookTests {
  private func harness(
    on storage: MemoryStorage = MemoryStorage(), _ hooks: HookSettings...,
    configure: (inout Configuration) -> Void = { _ in }
  ) throws -> Harness {
    try Harness(on: storage) { configuration in
      configuration.hooks = hooks
      configure(&configuration)
    }
  }

  @Test("A hook gets the events one after the other, each as the line of watch, once the one before is stored")
  func order() throws {
    let harness = try harness(Harness.hook())
    let watcher = harness.connect(5)
    _ = harness.ask(watcher, "watch kinds=message since=0")
    harness.hear("a", "b", "c")
    #expect(harness.hookTexts == ["a"] && harness.hookRuns[0].command == "run one")
    #expect(harness.hookStatus.first?["pending"]?.integer == 3)
    harness.syncsAtOnce = false
    harness.endHook()
    #expect(harness.hookTexts == ["a"], "The position is not durable yet")
    harness.syncsAtOnce = true
    harness.sync()
    #expect(harness.hookTexts == ["a", "b"])
    harness.runHooks()
    #expect(harness.hookTexts == ["a", "b", "c"])
    let lines = harness.hookRuns.map { String(decoding: $0.input, as: UTF8.self) }.joined()
    #expect(lines == harness.takeText(watcher).replacing(#","notice":true"#, with: ""))
    #expect(harness.hookStatus.first?["pending"]?.integer == 0)
  }

  @Test(
    "A new hook begins at the present; a known one goes on where it was, and runs an event again that was not stored")
  func restart() throws {
    let storage = MemoryStorage()
    var harness = try harness(on: storage)
    harness.hear("before")
    harness = try self.harness(on: storage, Harness.hook())
    harness.hear("a", "b", "c")
    #expect(harness.hookTexts == ["a"])
    harness.endHook()
    #expect(harness.hookTexts == ["a", "b"])
    harness = try self.harness(on: storage, Harness.hook())
    #expect(harness.hookTexts == ["b"], "It was running at the crash")
    harness.syncsAtOnce = false
    harness.endHook()
    harness = try self.harness(on: storage, Harness.hook())
    #expect(harness.hookTexts == ["b"], "It ended, and the crash came before the sync")
    harness.runHooks()
    #expect(harness.hookTexts == ["b", "c"])
    harness = try self.harness(on: storage, Harness.hook())
    harness.runHooks()
    #expect(harness.hookRuns.isEmpty)
  }

  @Test("A failing event is run again in growing pauses, and given up after its time; then the next one has its turn")
  func failing() throws {
    let harness = try harness(Harness.hook())
    harness.hear("a", "b")
    var pauses: [Interval] = []
    while harness.hookTexts.last == "a", pauses.count < 40 {
      let start = harness.now.instant
      harness.endHook(.failed("exit status 3: no display"))
      let count = harness.hookRuns.count
      harness.pass(.minutes(11)) { harness.hookRuns.count > count }
      pauses.append(harness.now.instant - start)
      let status = harness.hookStatus.first
      if harness.hookTexts.last == "a" {
        #expect(status?["error"]?.string == "exit status 3: no display" && status?["failing_since"] != nil)
      }
    }
    let seconds = pauses.map { $0.milliseconds / 1000 }
    #expect(seconds.prefix(8) == [5, 10, 20, 40, 80, 160, 320, 600] && seconds.dropLast().reduce(0, +) >= 3590)
    #expect(harness.hookTexts.last == "b")
    let number = harness.hookInputs.first?["seq"]?.integer
    #expect(harness.hookStatus.first?["given_up"]?["seq"]?.integer == number)
    #expect(harness.journal.contains { $0.contains("[hook one] command: exit status 3: no display; event") })
    harness.endHook()
    let status = harness.hookStatus.first
    #expect(status?["failing_since"] == nil && status?["given_up"] != nil && status?["pending"]?.integer == 0)
  }

  @Test("A success behind failures ends them, and the event is run no more")
  func recovers() throws {
    let harness = try harness(Harness.hook())
    harness.hear("a")
    harness.endHook(.failed("exit status 1"))
    harness.pass(.seconds(6))
    harness.endHook()
    harness.pass(.hours(2))
    #expect(harness.hookTexts == ["a", "a"])
    #expect(harness.hookStatus.first?["error"] == nil && harness.hookStatus.first?["given_up"] == nil)
  }

  @Test("My own messages, from here and from other devices, and imported or old ones from the archive start no hook")
  func mine() throws {
    var account = Harness.alice
    account.archiveFirstSync = .all
    let harness = try Harness(
      accounts: [account], server: ArchiveTests.server(ArchiveTests.archive(30))
    ) { $0.hooks = [Harness.hook()] }
    harness.pass(.seconds(5))
    _ = harness.ask(harness.connect(1), "send bob@example.org mine")
    let forwarded =
      "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' type='chat' id='elsewhere' "
      + "from='alice@example.org/phone' to='bob@example.org'><body>elsewhere</body></message></forwarded>"
    harness.receive(
      "<message from='alice@example.org' to='alice@example.org/x'><sent xmlns='urn:xmpp:carbons:2'>\(forwarded)</sent></message>"
    )
    harness.pass(.seconds(1))
    #expect(harness.hookRuns.isEmpty)
    harness.hear("theirs")
    #expect(harness.hookTexts == ["theirs"])
  }

  @Test("Messages that came while the daemon was away start a hook once they are fetched, in their order")
  func away() throws {
    let harness = try Harness(server: ArchiveTests.server(ArchiveTests.archive(3))) {
      $0.hooks = [Harness.hook()]
    }
    harness.pass(.seconds(5))
    #expect(harness.hookRuns.isEmpty)
    harness.cut()
    for number in 3..<6 { harness.server.archive?.add("\(number)", at: ArchiveTests.stamp(minute: number)) }
    harness.pass(.seconds(30))
    harness.runHooks()
    #expect(harness.hookTexts == ["3", "4", "5"])
  }

  @Test("`in` leaves out other conversations, and `on` other events; mine and theirs are told apart in changes, too")
  func filter() throws {
    let harness = try harness(
      Harness.hook(on: [.message, .reaction, .state], in: ["BOB@example.org"]), Harness.hook("two", on: [.draft]))
    harness.hear("carol", from: "carol@example.org")
    harness.hear("a")
    let client = harness.connect(1)
    _ = harness.ask(client, "draft bob@example.org not yet")
    #expect(harness.hookTexts.sorted() == ["a", "draft"])
    for run in harness.hookRuns { harness.handle(.hookEnded(run.id, .done)) }
    let id = harness.hookInputs.compactMap { $0["message"]?["id"]?.integer }.first ?? 0
    _ = harness.ask(client, "react \(id) 👍")
    #expect(harness.hookRuns.count == 2, "My reaction starts none")
    harness.receive(
      "<message from='bob@example.org/x' type='chat' id='r'><reactions xmlns='urn:xmpp:reactions:0' id='ma'>"
        + "<reaction>🎉</reaction></reactions></message>")
    harness.pass(.seconds(1))
    #expect(harness.hookTexts.last == "a" && harness.hookInputs.last?["event"]?.string == "reaction")
  }

  @Test("`mention` is a message that names me, `notice` one that I want to be notified of")
  func kinds() throws {
    let fixture = try RoomFixture()
    fixture.harness.reload {
      $0.hooks = [Harness.hook("mentions", on: [.mention]), Harness.hook("notices", on: [.notice])]
    }
    fixture.harness.pass(.seconds(1))
    fixture.hear("nothing", id: "1")
    #expect(fixture.harness.hookRuns.isEmpty)
    fixture.hear("hello alice", id: "2")
    #expect(fixture.harness.hookTexts == ["hello alice", "hello alice"])
    #expect(fixture.harness.hookInputs.allSatisfy { $0["message"]?["mention"]?.bool == true })
    #expect(Set(fixture.harness.hookRuns.map(\.command)) == ["run mentions", "run notices"])
  }

  @Test("`offline` and `online` start a hook once, and are not repeated")
  func connection() throws {
    let harness = try harness(Harness.hook(on: [.online, .offline]))
    #expect(harness.hookInputs.map { $0["state"]?.string } == ["online"])
    harness.endHook()
    harness.cut()
    harness.pass(.milliseconds(100))
    #expect(harness.hookRuns.count == 2 && harness.hookInputs.last?["event"]?.string == "connection")
    harness.endHook(.failed("exit status 1"))
    harness.pass(.hours(1))
    #expect(harness.hookInputs.compactMap { $0["state"]?.string }.filter { $0 == "online" }.count == 2)
    #expect(harness.journal.contains { $0.contains("exit status 1; the event is not repeated") })
  }

  @Test("A reload ends the run of a changed hook and begins its event anew; a removed hook forgets its position")
  func reload() throws {
    let storage = MemoryStorage()
    var harness = try harness(on: storage, Harness.hook())
    harness.hear("a", "b")
    harness.reload { $0.hooks[0].command = "other" }
    harness.pass(.milliseconds(50))
    #expect(harness.killedHooks == [harness.hookRuns[0].id])
    #expect(harness.hookTexts == ["a", "a"] && harness.hookRuns[1].command == "other")
    harness.handle(.hookEnded(harness.hookRuns[0].id, .done))
    #expect(harness.hookRuns.count == 2, "A run that was killed says nothing any more")
    harness.reload { $0.hooks = [] }
    harness.pass(.milliseconds(50))
    #expect(harness.killedHooks.count == 2 && harness.hookCursor() == nil && harness.hookStatus.isEmpty)
    harness = try self.harness(on: storage, Harness.hook())
    harness.runHooks()
    #expect(harness.hookRuns.isEmpty, "It is a new one")
    #expect(harness.ask(harness.connect(6), "status for=online").last?["hooks"] == nil)
    harness.reload { $0.hooks[0].timeout = .hours(1) }
    harness.hear("c")
    #expect(harness.hookTexts == ["c"] && harness.hookRuns.last?.timeout == .hours(1))
  }

  @Test("A hook that was taken out while the daemon was down is forgotten at its start")
  func removed() throws {
    let storage = MemoryStorage()
    var harness = try harness(on: storage, Harness.hook(), Harness.hook("two"))
    harness.pass(.seconds(1))
    #expect(harness.hookCursor() != nil && harness.hookCursor("two") != nil)
    harness = try self.harness(on: storage, Harness.hook("two"))
    harness.pass(.seconds(1))
    #expect(harness.hookCursor() == nil && harness.hookCursor("two") != nil)
  }

  @Test("Clients neither see the positions of hooks nor can take them")
  func apart() throws {
    let harness = try harness(Harness.hook())
    harness.pass(.seconds(1))
    let client = harness.connect(1)
    #expect(harness.ask(client, "cursors").count == 1)
    let answer = harness.ask(client, #"{"verb":"watch","as":"hook one"}"#).last
    #expect(answer?["error"]?.string == "bad-argument")
  }

  @Test("A message that is gone when its turn comes, or comes again, is passed over")
  func forgotten() throws {
    let harness = try harness(Harness.hook())
    harness.hear("a", "b")
    harness.pass(.minutes(10))
    _ = harness.ask(harness.connect(1), "forget-history bob@example.org")
    harness.endHook(.failed("exit status 1"))
    harness.hear("c")
    harness.pass(.seconds(6))
    #expect(harness.hookStatus.first?["error"] == nil)
    harness.runHooks()
    #expect(harness.hookTexts == ["a", "c"])
  }

  @Test("A full disk stops a hook until its position can be stored; then it goes on, and no event is lost or repeated")
  func fullDisk() throws {
    let harness = try harness(Harness.hook())
    harness.hear("a", "b")
    harness.syncsAtOnce = false
    harness.endHook()
    for _ in 0..<60 {
      harness.sync(failing: StorageError(.noSpace, "fallocate: No space left on device", errno: 28))
      harness.pass(.seconds(1))
    }
    #expect(harness.hookTexts == ["a"])
    for _ in 0..<60 {
      harness.sync()
      harness.pass(.seconds(1))
    }
    #expect(harness.hookTexts == ["a", "b"])
    harness.syncsAtOnce = true
    harness.runHooks()
    #expect(harness.hookTexts == ["a", "b"])
  }

  @Test("A hook that wants little stores how far it has looked, so a start reads no more than that again")
  func stride() throws {
    let storage = MemoryStorage()
    let harness = try harness(on: storage, Harness.hook(on: [.mention]))
    let start = try #require(harness.hookCursor())
    for number in 0..<300 { harness.hear("\(number)") }
    let end = try #require(harness.hookCursor())
    #expect(end > start + 128 && harness.engine.state.sequence - end <= 130)
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(10))
    #expect(harness.exitStatus == 0 && harness.engine.state.sequence - (harness.hookCursor() ?? 0) < 10)
  }

  @Test("No command is started once the daemon stops, nor for a hook without events; without hooks none is looked for")
  func quiet() throws {
    let harness = try harness(Harness.hook())
    harness.hear("a", "b")
    harness.handle(.stop(.terminate))
    harness.endHook()
    harness.pass(.seconds(10))
    #expect(harness.hookTexts == ["a"] && harness.exitStatus == 0)
    let none = try self.harness()
    none.hear("a")
    #expect(none.hookRuns.isEmpty && none.hookStatus.isEmpty && none.engine.state.cursors.isEmpty)
  }

  @Test("Each durable event of the socket can start a hook")
  func everyKind() {
    let kinds = Set(EventKind.allCases.filter(\.isDurable).map(\.rawValue))
    let extra: Set = ["mention", "notice", "online", "offline"]
    #expect(Set(HookEvent.allCases.map(\.rawValue)) == kinds.union(extra) && kinds.isDisjoint(with: extra))
  }
}
