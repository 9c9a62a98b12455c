import Clocks
import JSON
import Syscalls
import TestSupport
import Testing

/// The real daemon on a network that fails: in a namespace of its own, so that no other network is touched.
@Suite(
  "A network that fails",
  .enabled(if: NetworkNamespace.isAvailable, "network namespaces need root (unshare -n) and iproute2"))
struct NetworkTests {
  private func world(in folder: TemporaryFolder, _ network: NetworkNamespace) throws -> World<ScriptedServer> {
    try World(ScriptedServer(in: folder, wrapper: network.wrapper), in: folder, wrapper: network.wrapper)
  }

  private func watcher(_ daemon: Daemon) throws -> SocketClient {
    let watcher = try daemon.client()
    _ = try watcher.request("watch kinds=connection")
    return watcher
  }

  private func time(_ account: JSONValue, _ member: String) throws -> Timestamp {
    try #require(Timestamp(rfc3339: account.text(member)))
  }

  /// Waits until the next try is far enough away that a connection before it is no chance.
  private func waitForLongPause(_ daemon: Daemon) throws -> JSONValue {
    let watcher = try watcher(daemon)
    let asker = try daemon.client()
    while true {
      let account = try asker.account()
      let now = Timestamp(milliseconds: SystemClock.wallMilliseconds)
      if account.text("state") == "waiting", try time(account, "retry_at") - now >= .seconds(3) { return account }
      _ = try watcher.event("connection")
    }
  }

  @Test("a link that goes is asked about at once and given up in 30 s; when it is back, so are we, at once")
  func linkDown() throws {
    let folder = try TemporaryFolder("network")
    try folder.reportingLogs {
      let network = try NetworkNamespace()
      let world = try world(in: folder, network)
      let watcher = try watcher(world.daemon)
      try network.setLink(up: false)
      _ = try watcher.event("connection") { $0.text("reason").contains("30 seconds") }
      let waiting = try waitForLongPause(world.daemon)
      try network.setLink(up: true)
      try world.client.waitUntilOnline()
      let online = try world.client.account()
      #expect(try time(online, "since") < time(waiting, "retry_at"))
    }
  }

  @Test("packets that are swallowed are noticed in 30 s by who sends something; nothing is lost")
  func silence() throws {
    let folder = try TemporaryFolder("network")
    try folder.reportingLogs {
      let network = try NetworkNamespace()
      let world = try world(in: folder, network)
      let watcher = try watcher(world.daemon)
      try network.setSilence(true)
      try world.client.sendToBob("into the silence")
      _ = try watcher.event("connection") { $0.text("reason").contains("did not acknowledge anything for 30 seconds") }
      try network.setSilence(false)
      try world.client.waitUntilOnline()
      try world.server.received("message") { $0.contains("into the silence") }
    }
  }
}
