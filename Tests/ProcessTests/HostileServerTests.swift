import JSON
import TestSupport
import Testing

/// What a hostile server sends, and the stream errors that fit.
struct Attack: Sendable, CustomTestStringConvertible {
  let name: String
  /// BYTES of scripted_server.py.
  let bytes: JSONValue
  let conditions: [String]
  var testDescription: String { name }

  init(_ name: String, _ text: String, _ conditions: String...) {
    (self.name, self.bytes, self.conditions) = (name, .string(text), conditions)
  }

  init(_ name: String, base64: String, _ conditions: String...) {
    bytes = .array([.object([JSONMember("base64", .string(base64))])])
    (self.name, self.conditions) = (name, conditions)
  }
}

/// Servers that send what XMPP forbids: the stream ends with the right error, memory stays bounded, and the daemon comes
/// back.
@Suite("Hostile servers")
struct HostileServerTests {
  private static let header =
    "<stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'"

  static let afterLogin = [
    Attack("a processing instruction", "<?php x?>", "restricted-xml"),
    Attack("a comment", "<!-- x -->", "restricted-xml"),
    Attack("a document type", "<!DOCTYPE x [<!ENTITY a 'b'>]>", "restricted-xml", "not-well-formed"),
    Attack("an undefined entity", "<message><body>&x;</body></message>", "not-well-formed", "restricted-xml"),
    Attack(
      "bytes that are not UTF-8", base64: "PG1lc3NhZ2U+gICA/zwvbWVzc2FnZT4=", "not-well-formed", "bad-format",
      "unsupported-encoding"),
    Attack("an end tag of something else", "<message></presence>", "not-well-formed"),
    Attack("a prefix of no namespace", "<x:message/>", "bad-namespace-prefix", "not-well-formed"),
  ]

  static let beforeLogin = [
    Attack(
      "a document type before the stream", "<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a 'b'>]>\(header)>",
      "restricted-xml"),
    Attack(
      "another encoding", "<?xml version='1.0' encoding='ISO-8859-1'?>\(header)>", "unsupported-encoding", "bad-format",
      "not-well-formed"),
    Attack("UTF-16", base64: "//48AD8AeABtAGwA", "unsupported-encoding", "bad-format", "not-well-formed"),
  ]

  @Test("end the stream with the right error, and the daemon logs in again", arguments: afterLogin)
  func endTheStream(attack: Attack) throws {
    let folder = try TemporaryFolder("hostile")
    try folder.reportingLogs {
      let world = try World(try ScriptedServer(in: folder), in: folder)
      try world.server.event("bound")
      try world.server.command("send", [JSONMember("send", attack.bytes)])
      try expectError(attack, world.server)
      try world.server.event("bound")
      try world.client.waitUntilOnline()
    }
  }

  @Test("are not logged in to, and are tried again", arguments: beforeLogin)
  func endTheLogin(attack: Attack) throws {
    let folder = try TemporaryFolder("hostile")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder)
      try server.rule(on: "tls-header", send: attack.bytes, times: 1)
      let world = try World(server, in: folder, online: false)
      try expectError(attack, server)
      try world.client.waitUntilOnline()
    }
  }

  @Test(
    "cannot fill the daemon's memory with what never ends",
    arguments: ["<message><body>", "<message a='", "<a", "<message><a><b/>", "<!-- ", "<message><![CDATA["])
  func endless(beginning: String) throws {
    let folder = try TemporaryFolder("hostile")
    try folder.reportingLogs {
      let world = try World(try ScriptedServer(in: folder), in: folder)
      let processID = try #require(world.daemon.processID)
      let before = try ProcessUsage(of: processID).anonymousKiB
      let flood: [JSONMember] = [
        JSONMember("text", .string("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")), JSONMember("repeat", .integer(1 << 20)),
      ]
      try world.server.command("send", [JSONMember("send", .array([.string(beginning), .object(flood)]))])
      try world.server.command("cut")
      try world.server.event("closed")
      try world.client.waitUntilOnline()
      let growth = try ProcessUsage(of: processID).anonymousKiB - before
      #expect(growth < 16 * 1024, "grew by \(growth) KiB over 32 MiB")
    }
  }

  @Test(
    "that end the link in any way are logged in to again",
    arguments: [ScriptedServer.Ending.close, .cut, .abort], ["connect", "tls-header", "auth", "response", "bind"])
  func endings(ending: ScriptedServer.Ending, stage: String) throws {
    let folder = try TemporaryFolder("hostile")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder)
      try server.rule(on: stage, then: ending, times: 1)
      _ = try World(server, in: folder)
    }
  }

  @Test("that sneak plaintext behind <proceed/> are not trusted")
  func plaintextInjection() throws {
    let folder = try TemporaryFolder("hostile")
    try folder.reportingLogs {
      let server = try ScriptedServer(in: folder)
      let injected = "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/><message><body>sneaked</body></message>"
      try server.rule(on: "starttls", send: injected, times: 1)
      let world = try World(server, in: folder, tls: "starttls")
      #expect(try world.client.request("conversations").data.isEmpty)
    }
  }

  /// The client says what was wrong and ends the connection.
  private func expectError(_ attack: Attack, _ server: ScriptedServer) throws {
    let error = try server.received("error")
    #expect(attack.conditions.contains { error.contains("<\($0)") }, "\(error)")
    try server.event("closed")
  }
}
