import Clocks
import ConfabAccounts
import JSON
import ConfabConfiguration
import TestSupport
import Testing

@Suite("the same events do the same, byte for byte")
struct DeterminismTests {
  /// Much of everything whose order could come from a hash table.
  private func run(seed: UInt64) throws -> Harness {
    let harness = try Harness(accounts: [Harness.alice, Harness.work], seed: seed, recordsActions: true)
    let clients = (1...30).map { harness.connect(UInt64($0)) }
    for (index, client) in clients.enumerated() {
      harness.send(client, index % 2 == 0 ? "watch since=0 tag=\(index)\n" : "status for=online timeout=1m\n")
    }
    let items = (0..<40).map { "<item jid='c\($0)@example.org' subscription='both'><group>g\($0 % 5)</group></item>" }
    harness.server.roster = "<query xmlns='jabber:iq:roster'>\(items.joined())</query>"
    harness.cut()
    harness.pass(.seconds(3))
    for number in 0..<40 {
      harness.receive(
        "<presence from='c\(number)@example.org/x'/><message from='c\(number)@example.org/x' id='m\(number)'>"
          + "<body>hello \(number)</body></message><presence type='subscribe' from='s\(number)@example.org'/>")
    }
    for (index, client) in clients.enumerated() {
      let account = index % 3 == 0 ? "work" : "home"
      harness.send(client, "send account=\(account) key=k\(index) wait=sent timeout=2s c\(index)@example.org x\n")
      harness.send(client, "add account=home tag=a n\(index)@example.org\nconversations\nroster\ngroups\nunread\n")
    }
    harness.pass(.seconds(1))
    harness.server.roster = "<query xmlns='jabber:iq:roster'/>"
    harness.cut()
    harness.cut(port: 5224)
    harness.pass(.seconds(40))
    harness.reload { $0.daemon.snapInterval = .hours(1) }
    harness.handle(.stop(.terminate))
    harness.pass(.seconds(11))
    return harness
  }

  @Test("two runs of one script with one seed")
  func same() throws {
    let (one, other) = (try run(seed: 42), try run(seed: 42))
    #expect(one.exitStatus == 0)
    #expect(one.actions.count > 500)
    let difference = zip(one.actions, other.actions).first { $0 != $1 }
    #expect(difference == nil)
    #expect(one.actions.count == other.actions.count)
    #expect(one.storage.snapshot == other.storage.snapshot)
  }

  @Test("another seed makes other ids and other pauses")
  func different() throws {
    #expect(try run(seed: 1).actions != run(seed: 2).actions)
  }
}
