import Bytes
import JSON
import Records
import Testing

/// All that a message says to who shows it.
private struct Said: Equatable {
  var facts: [String]
  var texts: [String?]

  init(_ message: borrowing some MessageContent & ~Copyable) {
    facts = [
      "\(message.mine) \(message.elsewhere) \(message.delayed) \(message.hasRareTexts)",
      "\(message.time) \(message.claimedTime ?? 0)",
    ]
    texts = []
    for kind in (4...14).compactMap(MessageText.init(rawValue:)) {
      var writer = JSONWriter()
      let isThere = message.write(kind, as: "text", into: &writer)
      #expect(isThere == (writer.count > 0))
      texts.append(isThere ? String(decoding: writer.bytes, as: UTF8.self) : nil)
    }
  }
}

/// What a message says where it stands.
private func said(_ payload: [UInt8], _ kind: RecordKind = .message) throws(FieldError) -> Said {
  var said: Said?
  let leading = RecordKind.leadingFields(of: kind.rawValue)
  try unsafe FieldReader.lend(payload.span.bytes, leading) { fields throws(FieldError) in
    said = Said(try MessageView(fields))
  }
  guard let said else { throw .malformed }
  return said
}

let messages = samples.filter { if case .message = $0 { true } else { false } }

/// A message as format 1 has it, all fields with their tags, written by docs/LOG-FORMAT.md.
func tagged(_ message: MessageRecord) -> [UInt8] {
  var writer = FieldWriter()
  writer.uint(1, UInt64(message.account))
  writer.int(2, message.time)
  let flags = [
    message.mine, message.delayed, message.transmitted, message.elsewhere, message.archived, message.isCounted,
    message.owesReceipt, message.isMarkable,
  ]
  writer.uint(3, flags.enumerated().reduce(0) { $0 | ($1.element ? 1 << UInt64($1.offset) : 0) })
  writer.string(4, message.peer)
  if !message.peer.hasPrefix(message.jid) { writer.string(5, message.jid) }
  writer.string(6, message.text)
  if message.type != "chat" { writer.string(7, message.type) }
  let texts = [
    message.subject, message.thread, message.language, message.stanzaID, message.originID, message.archiveID,
    message.key,
  ]
  for (number, text) in texts.enumerated() { if let text { writer.string(UInt32(8 + number), text) } }
  if let time = message.claimedTime { writer.int(15, time) }
  writer.bytes(16, message.payloads)
  if let sender = message.sender {
    writer.uint(17, UInt64(sender.uid))
    writer.uint(18, UInt64(sender.pid))
    if let socket = sender.socket { writer.string(19, socket) }
  }
  writer.uint(20, UInt64(message.depth))
  if let place = message.place { writer.uint(21, UInt64(place)) }
  if let expires = message.expires { writer.int(22, expires) }
  if let until = message.heldUntil { writer.int(23, until) }
  return writer.bytes
}

@Suite("A message where it stands")
struct MessageViewTests {
  @Test("says what its record says", arguments: messages)
  func same(_ record: Record) throws {
    guard case .message(let message) = record else { return }
    #expect(try said(encoded(record)) == Said(message))
    #expect(try said(tagged(message), .taggedMessage) == Said(message))
  }

  @Test("cut anywhere it says what the record of that says, or is as little one", arguments: messages)
  func cut(_ record: Record) {
    let bytes = encoded(record)
    for length in 0...bytes.count {
      let part = Array(bytes[..<length])
      guard case .message(let message)? = try? Record(kind: RecordKind.message.rawValue, payload: part) else {
        #expect((try? said(part)) == nil, "\(length)")
        continue
      }
      #expect((try? said(part)) == Said(message), "\(length)")
    }
  }

  @Test("texts that are none are refused", arguments: (4...14).compactMap(MessageText.init(rawValue:)))
  func notText(_ text: MessageText) {
    var writer = FieldWriter()
    writer.bytes(UInt32(text.rawValue), [0x61, 0xC3])
    #expect(throws: FieldError.notUTF8(number: UInt32(text.rawValue))) { try said(writer.bytes, .taggedMessage) }
    writer.bytes = []
    writer.uint(UInt32(text.rawValue), 7)
    #expect(throws: FieldError.wrongType(number: UInt32(text.rawValue))) { try said(writer.bytes, .taggedMessage) }
  }
}
