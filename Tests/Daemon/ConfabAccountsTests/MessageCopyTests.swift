import Records
import State
import Testing

@testable import ConfabAccounts

@Suite("Which messages are copies")
struct MessageCopyTests {
  /// A message of mine from another device or log, at the archive's time or two minutes later.
  private func message(_ id: String, late: Bool = false) -> MessageRecord {
    var message = MessageRecord(
      account: 1, jid: "bob@example.org", peer: "bob@example.org", time: 1_760_000_000_000 + (late ? 120_000 : 0))
    (message.author, message.stanzaID) = (.otherDevice, id)
    return message
  }

  @Test("What this device cannot read is the message of history that its sender gave the same id")
  func unreadable() {
    var imported = message("one")
    (imported.text, imported.isHistory) = ("a text", true)
    let known = KnownMessage(id: 7, record: imported)
    let copy = { (id: String, isReadable: Bool) in
      var message = message(id, late: true)
      var details = MessageDetails()
      details.seal = MessageSeal()
      details.seal?.unreadable = isReadable ? nil : .notForThisDevice
      message.details = details
      return MessageCopy(message: message, way: .archive, comparesLive: false, idsSince: 0, newest: 0)
    }
    #expect(copy("one", false).hasContentBeforeChanges(of: known))
    #expect(!copy("two", false).hasContentBeforeChanges(of: known))
    #expect(!copy("one", true).hasContentBeforeChanges(of: known))
    imported.isHistory = false
    #expect(!copy("one", false).hasContentBeforeChanges(of: KnownMessage(id: 7, record: imported)))
  }
}
