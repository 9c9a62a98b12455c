import LogTool
import Records
import TestSupport
import Testing

@Suite("generated histories")
struct GeneratedHistoryTests {
  private static func records(_ count: Int, seed: UInt64) -> [Record] {
    var history = GeneratedHistory(messages: count, seed: seed)
    return (0..<count).map { _ in history.next() }
  }

  private static func messages(_ count: Int) -> [MessageRecord] {
    records(count, seed: 7).compactMap { if case .message(let message) = $0 { message } else { nil } }
  }

  @Test func theSameSeedMakesTheSame() {
    #expect(Self.records(3000, seed: 3) == Self.records(3000, seed: 3))
    #expect(Self.records(3000, seed: 3) != Self.records(3000, seed: 4))
  }

  @Test("as the issue of a large log wants it")
  func shape() {
    let messages = Self.messages(30_000)
    let lengths = Dictionary(grouping: messages, by: \.jid).mapValues(\.count).values.sorted()
    #expect(lengths.count > 250)
    #expect((0.45...0.55).contains(Double(lengths.last ?? 0) / Double(messages.count)))
    #expect(lengths[lengths.count / 2] * 50 < lengths.last ?? 0)
    let bytes = messages.reduce(0) { $0 + $1.text.utf8.count }
    #expect((70...90).contains(bytes / messages.count))
    #expect(messages.contains { $0.text.contains("火车") } && messages.contains { $0.text.contains("Straße") })
    let archived = messages.prefix { $0.archived }
    #expect((2500...3000).contains(archived.count) && messages.dropFirst(archived.count).allSatisfy { !$0.archived })
    #expect(zip(archived, archived.dropFirst()).filter { $1.time < $0.time }.count > 20)
    let live = messages.filter { !$0.archived && !$0.delayed }
    #expect(zip(live, live.dropFirst()).allSatisfy { $0.time <= $1.time })
    #expect(zip(live, live.dropFirst()).contains { $1.time - $0.time > 86_400_000 })
    #expect(messages.contains { $0.delayed && !$0.archived })
  }

  private func write(_ records: [Record], to path: String) throws {
    let log = try WritableLog(path)
    for record in records { try log.append(record) }
    try log.close()
  }

  @Test("a log that is made of it is sound, whole, and found again with its index")
  func log() throws {
    let folder = try ToolFolder()
    try write(Self.records(20_000, seed: 1), to: folder.path)
    #expect(folder.run("verify").output == "20001 records in 1 segment, the last is 20001: sound\n")
    #expect(TestFiles.read(folder.path + "/checkpoint")?.isEmpty == false)
    #expect(try WritableLog(folder.path).nextSequence == 20_002)
  }
}
