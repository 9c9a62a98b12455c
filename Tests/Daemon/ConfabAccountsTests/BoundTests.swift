import Clocks
import State
import Records
import Testing
import XMPPCore

@testable import ConfabAccounts

@Suite("bounds of small parts")
struct BoundTests {
  private final class Book {
    var presences = PresenceBook()

    func put(
      _ jid: String, status: String = "", kind: Presence.Kind = .available, isStranger: Bool = false
    ) throws -> Bool {
      let from = try JID(jid)
      var record = PresenceRecord(jid: from.bare.description, resource: from.resource ?? "")
      if kind == .available { record.show = "available" }
      record.status = status
      return presences.receive(record, isStranger: isStranger)
    }
  }

  @Test("strangers, resources and contacts at their bounds and beyond")
  func presenceCounts() throws {
    let book = Book()
    for number in 0..<PresenceBook.maximumStrangers {
      #expect(try book.put("s\(number)@x/y", isStranger: true))
    }
    #expect(try !book.put("one-more@x/y", isStranger: true))
    // Who is there already may change, and who goes makes room.
    #expect(try book.put("s1@x/y", status: "new", isStranger: true))
    #expect(try book.put("s1@x/y", kind: .unavailable, isStranger: true))
    #expect(try book.put("one-more@x/y", isStranger: true))
    for number in 0..<PresenceBook.maximumResources { #expect(try book.put("bob@x/\(number)")) }
    #expect(try !book.put("bob@x/one-more"))
    #expect(try book.put("bob@x", kind: .unavailable))
    #expect(book.presences.resources(of: "bob@x").isEmpty)
    for number in PresenceBook.maximumStrangers..<PresenceBook.maximumContacts {
      #expect(try book.put("c\(number)@x/y"))
    }
    #expect(try !book.put("one-more-contact@x/y"))
    #expect(book.presences.jids.count == PresenceBook.maximumContacts)
  }

  @Test("long words take their share, of one contact and of all")
  func presenceBytes() throws {
    let book = Book()
    let status = String(repeating: "x", count: 16_000)
    for number in 0..<4 { #expect(try book.put("bob@x/\(number)", status: status)) }
    #expect(try !book.put("bob@x/4", status: status))
    #expect(try book.put("bob@x/4"))
    // What it was before is not true any more.
    #expect(try book.put("bob@x/4", status: status))
    #expect(book.presences.resources(of: "bob@x").map(\.name) == ["0", "1", "2", "3"])
    var number = 0
    while try book.put("c\(number)@x/y", status: status) { number += 1 }
    #expect(number == PresenceBook.maximumBytes / (16_000 + 257) - 4)
    for resource in 0..<4 { #expect(try book.put("bob@x/\(resource)", kind: .unavailable)) }
    #expect(try book.put("carol@x/y", status: status))
  }

  @Test("of one topic ten lines a minute are written, of one account, and the others are told by their number")
  func journal() {
    var gate = JournalGate()
    let start = Instant(milliseconds: 5)
    func admit(_ topic: JournalGate.Topic, _ account: UInt32, after interval: Interval = .seconds(0)) -> Int? {
      gate.admit(topic, of: account, at: start.advanced(by: interval))
    }
    for _ in 0..<JournalGate.most { #expect(admit(.skipped, 1) == 0) }
    for _ in 0..<7 { #expect(admit(.skipped, 1, after: .seconds(59)) == nil) }
    #expect(admit(.skipped, 2) == 0)
    #expect(admit(.ignored, 1) == 0)
    #expect(admit(.skipped, 1, after: .minutes(1)) == 7)
    #expect(admit(.skipped, 1, after: .minutes(1)) == 0)
  }

  @Test("known senders: whoever meets somebody else in a slot is told from him, whatever stood there before")
  func senders() throws {
    var known = SenderCache()
    func sender(_ text: String) -> SenderCache.Sender? { known.sender(text.utf8.span) }
    // Far more than there are slots, twice, so that each meets others.
    for _ in 0..<2 {
      for number in 0..<1_000 {
        let text = "S\(number)@Example.org/Phone \(number)"
        let found = try #require(sender(text))
        #expect(found.jid.description == "s\(number)@example.org/Phone \(number)")
        #expect(found.bare == "s\(number)@example.org")
      }
    }
    // "Aa" and "BB" have one hash: 31 * 65 + 97 is 31 * 66 + 66.
    for _ in 0..<3 {
      #expect(sender("a@x/Aa")?.jid.resource == "Aa")
      #expect(sender("a@x/BB")?.jid.resource == "BB")
    }
    // Equal as `String`s, not the same bytes: each is read for itself, and both are one person.
    #expect(sender("\u{E9}@x")?.bare == sender("e\u{301}@x")?.bare)
    #expect(sender("@") == nil && sender("") == nil)
    #expect(sender("a@x/Aa")?.jid.resource == "Aa")
  }
}
