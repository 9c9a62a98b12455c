import JSON
import TestSupport
import Testing

/// What only a scripted server lets one see: carriage returns, acknowledgements, bytes in pieces.
@Suite("Exactness on the wire")
struct ExactTextTests {
  @Test("`sent` means that the server has acknowledged it, and never comes before")
  func acknowledged() throws {
    let folder = try TemporaryFolder("exact")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder)
      try server.command("set", [JSONMember("acknowledge", .bool(false))])
      let world = try World(server, in: folder)
      let id = try #require(try world.client.sendToBob("hello").id)
      try server.received("message")
      let early = try world.client.request("wait for=sent timeout=200ms \(id)")
      #expect(early.error == "timeout")
      try server.command("acknowledge")
      #expect(try world.client.request("wait for=sent timeout=60s \(id)").isOK)
    }
  }

  @Test("a message cut off before its acknowledgement goes again under the same ids, in doubt")
  func inDoubt() throws {
    let folder = try TemporaryFolder("exact")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder)
      try server.command("set", [JSONMember("acknowledge", .bool(false))])
      let world = try World(server, in: folder)
      let id = try #require(try world.client.sendToBob("hello").id)
      let first = try server.received("message")
      try server.command("set", [JSONMember("acknowledge", .bool(true))])
      try server.command("abort")
      let second = try server.received("message")
      #expect(attribute("id", of: first) == attribute("id", of: second))
      #expect(try world.client.request("wait for=sent timeout=60s \(id)").isOK)
      #expect(try world.client.historyWithBob().first?["in_doubt"]?.bool == true)
    }
  }

  @Test("every iq of a stranger gets an answer")
  func strangers() throws {
    let folder = try TemporaryFolder("exact")
    try folder.reportingLogs {
      let world = try World(try ScriptedServer(in: folder), in: folder)
      try world.server.send("<iq type='get' id='x1' from='eve@evil.test/x'><query xmlns='no:such'/></iq>")
      let refusal = try world.server.received("iq") { attribute("id", of: $0) == "x1" }
      #expect(refusal.contains("service-unavailable"))
      try world.server.send("<iq type='get' id='x2' from='example.test'><ping xmlns='urn:xmpp:ping'/></iq>")
      #expect(try world.server.received("iq") { attribute("id", of: $0) == "x2" }.contains("result"))
    }
  }

  /// The value of the first attribute of that name.
  private func attribute(_ name: String, of xml: String) -> String? {
    guard let start = xml.firstRange(of: " \(name)=") else { return nil }
    let quoted = xml[start.upperBound...]
    guard let quote = quoted.first else { return nil }
    return String(quoted.dropFirst().prefix { $0 != quote })
  }
}
