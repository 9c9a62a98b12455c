import Clocks
import HelperProtocol
import JSON
import ConfabConfiguration
import Testing

@testable import ConfabAccounts

/// Requests that wait for an account are answered, and its files rest, once `reload` has removed it.
@Suite("An account that is removed from the configuration")
struct RemovedAccountTests {
  private static let bob = FileSendingTests.bob

  /// Two accounts of which the first is removed, and a client.
  private func harness() throws -> (Harness, ClientID) {
    let harness = try Harness(accounts: [Harness.alice, Harness.work])
    harness.pass(.milliseconds(500))
    harness.clearTrace()
    return (harness, harness.connect())
  }

  private func remove(_ harness: Harness) { harness.reload { $0.accounts = [Harness.work] } }

  private func takeBack(_ harness: Harness) {
    harness.reload { $0.accounts = [Harness.alice, Harness.work] }
    harness.pass(.seconds(5))
  }

  private func check(_ line: JSONValue?, _ argument: String, of id: Int64) {
    #expect(line?["error"]?.string == "not-found" && line?["argument"]?.string == argument)
    #expect(line?["reason"]?.string == "the account of message \(id) is no longer in the configuration")
  }

  @Test(
    "Requests that wait for its messages are answered at once, and so are later ones; the messages go out once it is back"
  )
  func waits() throws {
    let (harness, client) = try harness()
    harness.cut()
    harness.send(client, "send account=home wait=sent timeout=1h \(Self.bob) one\n")
    let id = try #require(harness.ask(client, "send account=home \(Self.bob) two").last?["id"]?.integer)
    harness.send(client, "wait for=delivered timeout=1h \(id)\n")
    remove(harness)
    harness.send(client, "wait for=sent timeout=1h \(id)\n")
    let lines = harness.takeLines(client)
    try #require(lines.count == 3)
    check(lines[0], "account", of: id - 1)
    for line in lines.dropFirst() { check(line, "id", of: id) }
    #expect(lines.map { $0["id"]?.integer } == [id - 1, id, id])
    #expect(lines.allSatisfy { $0["state"]?.string == "queued" })
    takeBack(harness)
    #expect(harness.toServer.contains("<body>one</body>") && harness.toServer.contains("<body>two</body>"))
  }

  @Test("Its upload stops, and begins anew once it is back")
  func uploads() throws {
    let (harness, client) = try harness()
    harness.send(client, "send-file account=home wait=sent timeout=1h \(Self.bob)\n", with: [FileSendingTests.gif])
    harness.pass(.milliseconds(50))
    FileSendingTests.answerDiscovery(harness)
    FileSendingTests.answerSlot(harness, "a")
    let upload = try #require(harness.transfers.first)
    let watcher = harness.connect(2)
    _ = harness.ask(watcher, "watch kinds=transfer")
    remove(harness)
    #expect(harness.takeLines(client).last?["error"]?.string == "not-found")
    #expect(harness.transfers.isEmpty && harness.spool.count == 1)
    harness.handle(.transfer(upload.ticket, .progress(done: 1, total: 2)))
    harness.handle(.transfer(upload.ticket, .done(TransferResult(status: 201, byteCount: 1))))
    harness.pass(.seconds(5))
    #expect(harness.takeLines(watcher).isEmpty && !harness.toServer.contains("<message"))
    takeBack(harness)
    FileSendingTests.answerDiscovery(harness)
    FileSendingTests.answerSlot(harness, "b")
    harness.uploaded()
    #expect(harness.toServer.contains("<body>https://up.example.org/b</body>"))
  }

  @Test("Its files are fetched no further")
  func fetches() throws {
    let (harness, client) = try harness()
    ChangeTests.receive(
      harness, ChangeTests.message("look", id: "m1", more: AttachmentTests.file("1.jpg", FetchTests.url)))
    let history = harness.ask(client, "history account=home \(Self.bob)")
    let id = try #require(history.first?["message"]?["id"]?.integer)
    #expect(harness.ask(client, "fetch \(id)").isEmpty && harness.transfers.count == 1)
    remove(harness)
    check(harness.takeLines(client).last, "id", of: id)
    #expect(harness.transfers.isEmpty && harness.fetching.isEmpty)
  }
}
