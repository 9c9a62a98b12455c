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
      "\(message.isMine) \(message.delayed) \(message.hasRareTexts) \(message.isUnstyled)",
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
private func said(_ payload: [UInt8]) throws(FieldError) -> Said {
  var said: Said?
  let leading = RecordKind.leadingFields(of: RecordKind.message.rawValue)
  try unsafe FieldReader.lend(payload.span.bytes, leading) { fields throws(FieldError) in
    said = Said(try MessageView(fields))
  }
  guard let said else { throw .malformed }
  return said
}

let messages = samples.filter { if case .message = $0 { true } else { false } }

@Suite("A message where it stands")
struct MessageViewTests {
  @Test("says what its record says", arguments: messages)
  func same(_ record: Record) throws {
    guard case .message(let message) = record else { return }
    #expect(try said(encoded(record)) == Said(message))
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
    let number = UInt32(text.rawValue)
    #expect(throws: FieldError.notUTF8(number: number)) { try said(tagged { $0.bytes(number, [0x61, 0xC3]) }) }
    #expect(throws: FieldError.wrongType(number: number)) { try said(tagged { $0.uint(number, 7) }) }
  }

  /// The payload of a message of which only fields with tags are there.
  private func tagged(_ write: (inout FieldWriter) -> Void) -> [UInt8] {
    var writer = FieldWriter(appendingTo: [0b1000_0000])
    writer.group(write)
    return writer.bytes
  }
}
