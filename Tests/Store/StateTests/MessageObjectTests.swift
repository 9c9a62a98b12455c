import Bytes
import JSON
import Records
import State
import Testing

/// Messages with all that few have, alone and together.
private let details: [MessageDetails] = {
  var (plain, reply, noted, forwarded, files) = (
    MessageDetails(), MessageDetails(), MessageDetails(), MessageDetails(), MessageDetails()
  )
  plain.plain = "> a text\nand \"more\""
  reply.reply = MessageReply(stanzaID: "a-stanza")
  reply.reply?.author = "bob@example.test"
  reply.reply?.quote = "a text"
  noted.reply = MessageReply(stanzaID: "another")
  noted.reply?.message = 7
  noted.reply?.time = 1_700_000_000_000
  var forward = ForwardedText()
  (forward.from, forward.time, forward.text) = ("carol@example.test", 1_600_000_000_123, "é\u{1F600}")
  var file = Attachment()
  (file.url, file.name, file.type, file.size) = ("https://example.test/a", "a.png", "image/png", 12)
  forward.attachments = [file]
  forwarded.forwarded = [forward, ForwardedText()]
  files.attachments = [file, file]
  let changed = changes.map { change in
    var details = MessageDetails()
    details.change = change
    return details
  }
  var all = plain
  (all.reply, all.forwarded, all.attachments, all.change) = (
    reply.reply, forwarded.forwarded, files.attachments, changes.last
  )
  return [plain, reply, noted, forwarded, files, all] + changed
}()

/// Edited, taken back, and with reactions of nobody, of one and of several people.
private let changes: [MessageChange] = {
  var (edit, retraction) = (MessageChange(.edit), MessageChange(.retraction))
  (edit.edited, edit.texts) = (1_700_000_000_001, [.init(time: 5, text: "before")])
  retraction.retraction = .init(time: 1_700_000_000_002, by: "bob@example.test", reason: "a \"reason\"")
  var (bob, me) = (
    MessageChange.Reactions(from: "bob@example.test", time: 1),
    MessageChange.Reactions(from: "me@example.test", time: 2)
  )
  (bob.emoji, me.emoji, me.isMine) = (["\u{1F44D}", "\u{1F389}"], ["\u{1F389}", "\u{2764}\u{FE0F}"], true)
  let reactions = [[bob], [me], [.init(from: "carol@example.test", time: 3)], [bob, me]].map { people in
    var change = MessageChange(.reaction)
    (change.reactions, change.edited) = (people, people.count > 1 ? 1_700_000_000_003 : nil)
    return change
  }
  return [edit, retraction] + reactions
}()

@Suite("The members of a message")
struct MessageObjectTests {
  @Test("are the same off its bytes and of its record", arguments: details)
  func same(_ details: MessageDetails) throws {
    var message = MessageRecord(
      account: 1, jid: "bob@example.test", peer: "bob@example.test/x", time: 1_700_000_000_000, text: "a text")
    message.details = details
    let written = Self.written { MessageObject(id: 9).write(message, into: &$0) }
    var writer = FieldWriter()
    Record.message(message).encode(into: &writer)
    var isRead = false
    let leading = RecordKind.leadingFields(of: RecordKind.message.rawValue)
    try unsafe FieldReader.lend(writer.bytes.span.bytes, leading) { fields throws(FieldError) in
      let view = try MessageView(fields)
      #expect(Self.written { MessageObject(id: 9).write(view, into: &$0) } == written)
      isRead = true
    }
    #expect(isRead)
  }

  @Test("of one that answers are asked for when they are written")
  func answered() {
    var message = MessageRecord(account: 1, jid: "bob@example.test", peer: "bob@example.test/x", time: 1)
    message.details = MessageDetails()
    message.details?.reply = MessageReply(stanzaID: "a-stanza")
    var object = MessageObject(id: 9)
    message.details?.plain = "> quoted\nanswer"
    for mayQuote in [true, false] {
      object.writeAnswered = { reply, writer in
        writer.member("answered", reply.stanzaID)
        return mayQuote
      }
      let written = Self.written { object.write(message, into: &$0) }
      #expect(written.contains(#""answered":"a-stanza""#) && written.contains("quoted") == mayQuote)
    }
  }

  private static func written(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
