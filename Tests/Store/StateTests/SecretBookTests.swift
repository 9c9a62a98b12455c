import Records
import Testing

@testable import State

@Suite("The secrets of an account, as the log has them")
struct SecretBookTests {
  private let session = "session/0.3/romeo@example.org/7"

  private func step(_ names: String..., box: [UInt8] = [1, 2, 3]) -> ContentStep {
    ContentStep(secrets: names.map { SealedSecret(name: $0, epoch: 4, box: box) })
  }

  @Test("A session is the number of the record that has it; everything else is kept whole")
  func places() {
    var book = SecretBook()
    book.apply(step(session, "identity"), id: 12, DeviceBook())
    #expect(book[session]?.record == 12 && book[session]?.box == [] && book[session]?.epoch == 4)
    #expect(book["identity"]?.record == 0 && book["identity"]?.box == [1, 2, 3])
    #expect(book.names(beginning: "session/") == [session] && book.names(beginning: "identity") == ["identity"])
    book.apply(step(session), id: 15, DeviceBook())
    #expect(book[session]?.record == 15)
    book.apply(step(session, "identity", box: []), id: 16, DeviceBook())
    #expect(book.isEmpty && book[session] == nil)
  }

  @Test(
    "A name that is no session's is kept as it is",
    arguments: [
      "session/0.3/romeo@example.org/07", "session/3/romeo@example.org/7", "session/2/romeo@example.org",
      "session/2/romeo@example.org/7/8", "session/2//x", "session/2/romeo@example.org/4294967296",
    ])
  func otherNames(name: String) {
    var book = SecretBook()
    book.apply(step(name), id: 12, DeviceBook())
    #expect(book[name]?.box == [1, 2, 3] && book.names(beginning: "session/") == [name])
  }

  @Test("The records of a checkpoint make the same book")
  func checkpoint() {
    var devices = DeviceBook()
    var device = DeviceRecord(account: 1, jid: "romeo@example.org", id: 7)
    device.lists = .legacy
    devices.apply(device)
    var book = SecretBook()
    book.apply(step(session, "session/2/romeo@example.org/7", "signed/1"), id: 12, devices)
    var again = SecretBook()
    for record in book.records(of: 1) { again.apply(record.step, id: 99, devices) }
    #expect(book.all.count == 3 && again.all == book.all)
  }

  @Test("The devices of an owner are sorted, and one of which nothing is known is not kept")
  func devices() {
    var book = DeviceBook()
    for id in [9, 3, 5] as [UInt32] {
      var device = DeviceRecord(account: 1, jid: "romeo@example.org", id: id)
      device.lists = .omemo2
      book.apply(device)
    }
    #expect(book["romeo@example.org"].map(\.id) == [3, 5, 9] && book.owners(of: 5) == ["romeo@example.org"])
    book.apply(DeviceRecord(account: 1, jid: "romeo@example.org", id: 5))
    #expect(book["romeo@example.org"].map(\.id) == [3, 9] && book.owners(of: 5).isEmpty)
    for id in [3, 9] as [UInt32] { book.apply(DeviceRecord(account: 1, jid: "romeo@example.org", id: id)) }
    #expect(book.all.isEmpty && Array(book.owners).isEmpty)
  }

  @Test("A device has the key of 32 bytes that it was given, and none of another length")
  func identity() {
    var device = DeviceRecord(account: 1, jid: "romeo@example.org", id: 7)
    #expect(!device.hasIdentity && device.identity.isEmpty)
    let key = Array<UInt8>(100..<132)
    device.identity = key
    #expect(device.hasIdentity && device.identity == key)
    device.identity = Array(key.dropLast())
    #expect(!device.hasIdentity)
  }
}
