import Testing

@testable import ConfabEngine

@Suite("The inbox")
struct InboxTests {
  private func carbon(_ id: String, _ text: String) -> String {
    """
    <message from='alice@example.org'><received xmlns='urn:xmpp:carbons:2'><forwarded xmlns='urn:xmpp:forward:0'>\
    <message xmlns='jabber:client' from='bob@example.org/x' to='alice@example.org/y' id='\(id)' type='chat'>\
    <body>\(text)</body></message></forwarded></received></message>
    """
  }

  @Test("A carbon of a live message is the same message, pending or stored")
  func copies() throws {
    let parts = try Parts()
    try parts.begin(features: ["urn:xmpp:mam:2"])
    for isStored in [false, true] {
      let id = "c\(isStored)"
      try parts.receive("<message from='bob@example.org/x' id='\(id)' type='chat'><body>\(id)</body></message>")
      if isStored { try parts.sync() }
      try parts.receive(carbon(id, id))
      try parts.sync()
    }
    #expect(parts.texts() == ["cfalse", "ctrue"])
  }

  @Test("Nobody but our own account brings carbons")
  func forged() throws {
    let parts = try Parts()
    try parts.begin()
    try parts.receive(
      carbon("1", "forged").replacing("<message from='alice@example.org'>", with: "<message from='eve@x'>"))
    try parts.sync()
    #expect(parts.texts().isEmpty)
  }
}
