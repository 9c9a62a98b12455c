import Records
import Testing

@testable import ConfabAccounts

@Suite("The synchronisation with the archive")
struct ArchiveSyncTests {
  private let features = ["urn:xmpp:mam:2", "urn:xmpp:sid:0"]

  @Test("The first time it fetches backwards from the newest message; the last page is the anchor")
  func first() throws {
    let parts = try Parts()
    try parts.begin(features: features)
    let query = parts.output()
    #expect(query.contains("urn:xmpp:mam:2") && query.contains("<before"))
    let (progress, archive) = (parts.core.archive, parts.messaging.archive)
    let token = try #require(progress.run?.token)
    try parts.receive(
      "<message from='alice@example.org'><result xmlns='urn:xmpp:mam:2' queryid='\(token)' id='a1'>"
        + "<forwarded xmlns='urn:xmpp:forward:0'><delay xmlns='urn:xmpp:delay' stamp='2025-01-01T00:00:00Z'/>"
        + "<message xmlns='jabber:client' from='bob@example.org/x' to='alice@example.org' id='1' type='chat'>"
        + "<body>old</body></message></forwarded></result></message>")
    try parts.receive(
      "<iq type='result' id='\(archive.sync.question.id)'><fin xmlns='urn:xmpp:mam:2' complete='true'>"
        + "<set xmlns='http://jabber.org/protocol/rsm'><first>a1</first><last>a1</last></set></fin></iq>")
    #expect(progress.phase == .complete && progress.record?.anchor?.id == "a1" && progress.taken == 1)
    try parts.sync()
    #expect(parts.texts() == ["old"])
  }

  @Test("A result that was not requested is dropped")
  func unrequested() throws {
    let parts = try Parts()
    try parts.begin(features: features)
    try parts.receive(
      "<message from='alice@example.org'><result xmlns='urn:xmpp:mam:2' queryid='guessed' id='a1'>"
        + "<forwarded xmlns='urn:xmpp:forward:0'><message xmlns='jabber:client' from='bob@example.org/x' id='1'>"
        + "<body>forged</body></message></forwarded></result></message>")
    try parts.sync()
    #expect(parts.texts().isEmpty && parts.core.archive.taken == 0)
  }
}
