import ConfabEngine
import JSON
import Testing

@Suite("contacts and presence")
struct RosterTests {
  @Test("presence is announced as the user wishes it, and stays so")
  func presence() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.clearTrace()
    #expect(harness.ask(client, "presence away gone  fishing").first?["ok"]?.bool == true)
    #expect(harness.toServer.contains("<show>away</show><status>gone  fishing</status>"))
    let restarted = try Harness(on: harness.storage)
    #expect(restarted.toServer.contains("<show>away</show><status>gone  fishing</status>"))
    _ = restarted.ask(restarted.connect(), "presence available")
    #expect(restarted.toServer.components("<presence").last?.contains("<show>") == false)
  }
}
