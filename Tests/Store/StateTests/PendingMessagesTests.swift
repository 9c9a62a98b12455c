import Clocks
import Records
import Testing

@testable import State

@Suite("Pending messages")
struct PendingMessagesTests {
  @Test("An archive id from before the archive gave new ids no longer counts")
  func earlierID() {
    let pending = PendingMessages()
    let message = MessageRecord(
      account: 1, jid: "bob@example.org", peer: "bob@example.org/x", time: 0, text: "hello", stanzaID: "m1")
    let naming = ArchiveIDRecord(account: 1, message: 5, archiveID: "a1")
    pending.note(KnownMessage(id: 5, record: message, named: [(naming, 8)]))
    #expect(pending.countNamed(5, since: 0) == 1)
    #expect(pending.countNamed(5, since: 9) == 0)
  }

  @Test("The archive's messages of another time do not change the place of the next late message")
  func order() {
    let pending = PendingMessages()
    func note(_ id: UInt64, time: Int64, depth: UInt32, archived: Bool) {
      var message = MessageRecord(
        account: 1, jid: "bob@example.org", peer: "bob@example.org/x", time: time, text: "\(id)", stanzaID: "m\(id)")
      (message.delayed, message.archived, message.depth) = (true, archived, depth)
      pending.note(KnownMessage(id: id, record: message))
    }
    note(5, time: 753, depth: 8_192, archived: false)
    note(6, time: 753, depth: 8_190, archived: false)
    note(7, time: 548, depth: 8_165, archived: true)
    let time = Timestamp(milliseconds: 753)
    #expect(pending.last(from: "bob@example.org") == time)
    #expect(pending.order(of: "bob@example.org", at: time) == MessageRecord.newestOrder - 8_190)
  }
}
