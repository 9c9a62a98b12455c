import Testing

@testable import State

@Suite("Receipts and markers that are owed")
struct PendingReceiptsTests {
  @Test("A marker takes the place of an older one of its conversation, and not of a receipt; the oldest goes first")
  func replaces() {
    var owed = PendingReceipts()
    owed.append(PendingReceipt(sequence: 1, id: 1, jid: "a@b"))
    owed.append(PendingReceipt(sequence: 2, id: 1, jid: "a@b", isMarker: true))
    owed.append(PendingReceipt(sequence: 3, id: 2, jid: "c@d", isMarker: true))
    owed.append(PendingReceipt(sequence: 4, id: 4, jid: "a@b", isMarker: true))
    #expect(owed.entries.map(\.sequence) == [1, 3, 4])
    owed.remove(4)
    owed.append(PendingReceipt(sequence: 5, id: 5, jid: "a@b", isMarker: true))
    #expect(owed.entries.map(\.sequence) == [1, 3, 5])
    for number in 6...UInt64(PendingReceipts.capacity + 10) {
      owed.append(PendingReceipt(sequence: number, id: number, jid: "\(number)@b", isMarker: true))
    }
    #expect(owed.entries.count == PendingReceipts.capacity && owed.entries.first?.sequence == 11)
  }
}
