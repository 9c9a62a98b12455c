import Bytes
import Records
import Testing

@Suite("Settings of a conversation")
struct SettingsRecordTests {
  private static func levels(_ record: SettingsRecord, _ times: Int64...) -> [String] {
    times.map { record.notify(at: $0).level?.word ?? "usual" }
  }

  @Test("After each level that holds for a time the one before holds again, as far as it lasts longer")
  func nested() {
    var record = SettingsRecord(account: 1, jid: "b@c")
    record.setNotify(.never, until: 100)
    record.setNotify(.mentions, until: 50)
    #expect(Self.levels(record, 0, 49, 50, 99, 100) == ["mentions", "mentions", "never", "never", "usual"])
    #expect(record.notify(at: 0).until == 50 && record.notify(at: 60).until == 100)
    record.setNotify(.always, until: 100)
    #expect(Self.levels(record, 0, 99, 100) == ["always", "always", "usual"])
    record.setNotify(.never, until: nil)
    #expect(Self.levels(record, 0, 100) == ["never", "never"] && record.nextEnd == nil)
  }

  @Test("What has ended is dropped, and a record with nothing set is usual")
  func ended() {
    var record = SettingsRecord(account: 1, jid: "b@c")
    record.setNotify(.never, until: 100)
    #expect(!record.isUsual && record.nextEnd == 100)
    record.endNotify(at: 99)
    #expect(record.nextEnd == 100)
    record.endNotify(at: 100)
    #expect(record.isUsual && record.nextEnd == nil)
  }

  @Test("Levels that hold for a time are bounded, and the one set last counts")
  func bounded() {
    var record = SettingsRecord(account: 1, jid: "b@c")
    for end in (1...100).reversed() { record.setNotify(.never, until: Int64(end)) }
    #expect(record.temporary.count == SettingsRecord.mostTemporary && record.nextEnd == 1)
  }

  @Test("A level that only a later version knows is the usual one")
  func unknown() throws {
    var writer = FieldWriter()
    writer.string(2, "b@c")
    writer.uint(3, 9)
    writer.message(4) {
      $0.uint(1, 9)
      $0.int(2, 100)
    }
    guard case .settings(let record) = try Record(kind: RecordKind.settings.rawValue, payload: writer.bytes) else {
      Issue.record("another kind")
      return
    }
    #expect(Self.levels(record, 0, 100) == ["always", "always"] && record.nextEnd == 100)
  }
}
