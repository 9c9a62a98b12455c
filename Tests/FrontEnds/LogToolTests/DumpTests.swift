import Bytes
import LogTool
import MessageLog
import Records
import TestSupport
import Testing

@Suite struct DumpTests {
  @Test func oneLineForEachRecord() throws {
    let folder = try ToolFolder()
    try folder.write([
      Sample.account, Sample.message("Grüße"),
      .delivery(DeliveryRecord(account: 1, jid: "bob@example.org", time: -5, id: 2, state: .sent)),
      .contact(ContactRecord(account: 1, jid: "bob@example.org")), Self.sent,
    ])
    let outcome = folder.run("dump")
    #expect(outcome.status == 0)
    let expected = [
      #"1 account 1:81 account=1 name="home" jid="ann@example.org""#,
      #"2 message 1:132 account=1 time=1795165800123 peer="bob@example.org/phone" text="Grüße""#,
      #"3 delivery 1:194 account=1 conversation="bob@example.org" time=-5 message=2 state=1"#,
      #"4 contact 1:245 account=1 jid="bob@example.org""#,
      #"5 message 1:290 account=1 time=0 flags=1 peer="bob@example.org" text="" uid=33 pid=4711 socket="alerts""#,
    ]
    #expect(outcome.lines == expected)
  }

  /// One that was asked for over a socket.
  private static let sent: Record = {
    var message = MessageRecord(account: 1, jid: "bob@example.org", peer: "bob@example.org", time: 0)
    message.author = .thisDevice
    message.sender = Sender(uid: 33, pid: 4711, socket: "alerts")
    return .message(message)
  }()

  @Test("passwords of rooms are not shown")
  func secrets() throws {
    let folder = try ToolFolder()
    var room = RoomRecord(account: 1, jid: "team@rooms.example.org")
    room.password = "sesame"
    room.invitation = .init()
    room.invitation?.password = "simsim"
    try folder.write([Sample.account, .room(room)])
    let line = try #require(folder.run("dump").lines.last)
    #expect(line.contains("password=(hidden)") && line.contains("invitation=(hidden)"))
    #expect(!line.contains("sesame") && !line.contains("simsim"))
  }

  @Test("Keys of files are not shown, and what stands beside them is")
  func fileKeys() throws {
    let folder = try ToolFolder()
    let key = FileKey(key: Array(String(repeating: "sesame01", count: 4).utf8), nonce: Array("simsimsimsim".utf8))
    var message = MessageRecord(account: 1, jid: "bob@example.org", peer: "bob@example.org", time: 0)
    var (details, file) = (MessageDetails(), Attachment())
    (file.url, file.key) = ("https://example.org/f", key)
    details.attachments = [file]
    message.details = details
    let upload = UploadRecord(account: 1, id: 2, index: 0, url: "", key: key)
    try folder.write([Sample.account, .message(message), .upload(upload)])
    let lines = folder.run("dump").lines
    #expect(lines.last?.contains("file-key=(hidden)") == true)
    #expect(lines.contains { $0.contains("https://example.org/f") })
    #expect(!lines.contains { $0.contains("sesame") || $0.contains("simsim") })
  }

  @Test("nothing in it can steer a terminal")
  func hostileText() throws {
    let folder = try ToolFolder()
    try folder.write([
      Sample.account, Sample.message("\u{1B}[2J\u{7}\u{9B}1m \u{202E}evil\u{2069} \"q\" \\ a\nb\u{2028}c"),
    ])
    let outcome = folder.run("dump")
    #expect(outcome.lines.count == 2)
    #expect(
      outcome.lines.last?.hasSuffix(
        #"text="\u001b[2J\u0007\u009b1m \u202eevil\u2069 \"q\" \\ a\nb\u2028c""#) == true)
  }

  @Test func damageIsToldBeside() throws {
    let folder = try ToolFolder()
    try folder.write([Sample.account, Sample.message("one"), Sample.message("two")])
    try folder.damage(at: 64 + 17 + 9)
    let outcome = folder.run("dump")
    #expect(outcome.lines.count == 2)
    #expect(outcome.complaints.contains("offset 81, record 1: wrong checksum"))
  }

  @Test("a record that is not there, or cannot be read, is said to be missing")
  func missing() throws {
    let folder = try ToolFolder()
    try folder.write([Sample.account, Sample.message("one"), Sample.message("two")])
    try folder.damage(at: 64 + 17 + 9)
    for (range, words) in [
      ("1", "no readable record 1"), ("0", "no readable record 0"),
      ("9-18446744073709551615", "no readable record from 9 on"),
    ] {
      let outcome = folder.run("dump", range)
      #expect(outcome.status == 1 && outcome.output.isEmpty && outcome.complaints.contains(words), "\(outcome)")
    }
    #expect(folder.run("dump", "1-2").lines.count == 1)
  }

  @Test("a range of records, without the others; what is no range is refused")
  func range() throws {
    let folder = try ToolFolder()
    let messages = (0..<40).map { Sample.message("number \($0)", after: Int64($0)) }
    try folder.write([Sample.account] + messages, segmentSize: 1_000)
    func numbers(_ words: String) -> [Substring] { folder.run("dump", words).lines.map { $0.prefix { $0 != " " } } }
    #expect(numbers("2") == ["2"])
    #expect(numbers("19-22") == ["19", "20", "21", "22"])
    #expect(numbers("40-99") == ["40", "41"])
    #expect(numbers("38-") == ["38", "39", "40", "41"])
    #expect(numbers("99").isEmpty && numbers("99-").isEmpty)
    #expect(folder.run("dump", "99-").complaints.contains("no readable record from 99 on"))
    for words in ["x", "-5", "6-5", "1-2-3", "-", "+5", "5-+6", "5--"] {
      #expect(folder.run("dump", words).status == 64, "\(words)")
    }
  }

  @Test func everyKindHasAName() throws {
    let folder = try ToolFolder()
    try folder.write([Sample.account])
    // Of a message they begin with a byte that says which are there.
    for kind in RecordKind.allCases { try folder.append(kind: kind.rawValue, [kind == .message ? 2 : 0x08, 1]) }
    try folder.append(kind: 200, [0x08, 7, 0x7A, 2, 0xFF, 0xFE, 0x79, 1, 0, 0, 0, 0, 0, 0, 0])
    try folder.append(kind: RecordKind.delivery.rawValue, [0x0A])
    let lines = folder.run("dump").lines
    #expect(lines.count == 1 + RecordKind.allCases.count + 2)
    #expect(!lines.dropLast(2).contains { $0.contains("kind-") })
    // A cursor may be of an account; an emoticon and words that name me are of none.
    let others = [" account=1", " cursor ", " emoticon-used ", " mention-words "]
    #expect(lines.dropLast(2).allSatisfy { line in others.contains { line.contains($0) } })
    #expect(lines[lines.count - 2].hasSuffix(" #1=7 #15=0xfffe #15=1"))
    #expect(lines.last?.hasSuffix(" (malformed)") == true)
    let verified = folder.run("verify")
    #expect(verified.status == 1)
    #expect(verified.output.contains("its fields are cut off"))
  }
}
