import JSON
import TestSupport
import Testing

@Suite("blocking with a real server")
struct BlockingTests {
  @Test("nothing of a blocked JID comes until it is unblocked; a server without reports says so")
  func life() throws {
    try withProsody { try life($0) }
    try withEjabberd { try life($0) }
  }

  private func life(_ world: World<some LoginServer>) throws {
    let bob = try world.bob()
    let watcher = try world.daemon.client()
    try watcher.ask("watch kinds=message")
    func blocked() throws -> [String] {
      try world.client.ask("blocked").data.compactMap { $0["blocked"]?.text("jid") }
    }
    #expect(try blocked() == [])
    try world.client.ask("block bob@example.test")
    #expect(try blocked() == ["bob@example.test"])
    try bob.send("while blocked", to: "alice@example.test")
    try bob.settle()
    #expect(try world.client.request("report bob@example.test unwanted").final.text("error") == "not-supported")
    try world.client.ask("unblock bob@example.test")
    #expect(try blocked() == [])
    try world.client.ask("block evil.test")
    #expect(try blocked() == ["evil.test"])
    try world.client.ask("unblock evil.test")
    try bob.send("afterwards", to: "alice@example.test")
    #expect(try watcher.event("message")["message"]?.text("text") == "afterwards")
    #expect(try world.client.historyWithBob().map { $0.text("text") } == ["afterwards"])
  }

  @Test("The presence of a contact is known again after it was unblocked")
  func presence() throws {
    try withProsody { try presence($0) }
    try withEjabberd { try presence($0) }
  }

  private func presence(_ world: World<some LoginServer>) throws {
    let bob = try world.bob()
    let presences = try world.daemon.client()
    try presences.ask("watch kinds=presence")
    try world.client.ask("add bob@example.test")
    _ = try bob.event("presence") { $0.text("type") == "subscribe" }
    try bob.sendPresence(to: "alice@example.test", type: "subscribed")
    _ = try presences.event("presence") { $0.text("show") == "available" }
    try world.client.ask("block bob@example.test")
    _ = try presences.event("presence") { $0["blocked"]?.bool == true }
    try world.client.ask("unblock bob@example.test")
    let known = try presences.event("presence") { $0.text("show") == "available" }
    #expect(known["presence_known"] == nil && known["blocked"] == nil)
  }
}
