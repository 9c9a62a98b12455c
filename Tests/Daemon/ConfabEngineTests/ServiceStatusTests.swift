import Clocks
import ConfabEngine
import MessageLog
import ConfabConfiguration
import Testing

@Suite("what the service manager is told")
struct ServiceStatusTests {
  @Test("one account, by its name: the reason where it is not online")
  func one() throws {
    let harness = try Harness()
    #expect(harness.serviceStatus.last == "home is online")
    harness.cut()
    #expect(harness.serviceStatus.last == "home is waiting: the connection was cut")
    harness.pass(.seconds(5))
    #expect(harness.serviceStatus.last == "home is online")
    let client = harness.connect()
    harness.serviceStatus.removeAll()
    for text in ["send bob@example.org x", "history bob@example.org", "status"] { _ = harness.ask(client, text) }
    #expect(harness.serviceStatus.isEmpty)
  }

  @Test("several accounts: how many are online, and the first of the others")
  func several() throws {
    let harness = try Harness(accounts: [Harness.alice, Harness.work])
    #expect(harness.serviceStatus.last == "2 of 2 accounts online")
    harness.cut(port: 5224)
    #expect(harness.serviceStatus.last == "1 of 2 accounts online; work is waiting: the connection was cut")
    harness.reload { $0.accounts.removeLast() }
    #expect(harness.serviceStatus.last == "home is online")
    let more = (1...5).map { number in
      var settings = Harness.work
      settings.name = "work\(number)"
      settings.jid = "ann\(number)@work.example"
      settings.server = HostPort(host: "127.0.0.1", port: 1)
      return settings
    }
    harness.holdsLinks = true
    harness.reload { $0.accounts += more }
    let words = try #require(harness.serviceStatus.last)
    #expect(words.hasPrefix("1 of 6 accounts online; work1 is connecting: "))
    #expect(words.contains("work3") && !words.contains("work4"))
  }

  @Test("a disk that fails comes first, until it works again")
  func storage() throws {
    let harness = try Harness()
    harness.syncsAtOnce = false
    harness.send(harness.connect(), "send bob@example.org x\n")
    harness.sync(failing: StorageError(.noSpace, "no space left"))
    let words = try #require(harness.serviceStatus.last)
    #expect(words.hasPrefix("nothing can be stored: "))
    #expect(words.contains("; home is waiting: "))
    harness.syncsAtOnce = true
    harness.sync()
    harness.pass(.seconds(30))
    #expect(harness.serviceStatus.last == "home is online")
  }
}
