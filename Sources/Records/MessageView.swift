package import Bytes

/// A message where it stands in the bytes of its record, for who shows it and keeps nothing: no text is copied. Lives as
/// long as those bytes are lent.
package struct MessageView: ~Copyable, MessageContent {
  package private(set) var account: UInt32 = 0
  package private(set) var time: Int64 = 0
  package private(set) var claimedTime: Int64?
  private var flags: MessageRecord.Flags = []
  /// Where the texts stand, by their field numbers.
  private var places = InlineArray<15, Place>(repeating: Place(start: 0, count: -1))
  private let reader: FieldReader

  /// Where a text stands; a count below 0: nowhere.
  private struct Place {
    var start: Int32
    var count: Int32

    var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
  }

  /// The message whose fields a reader is about to read.
  package init(_ fields: consuming FieldReader) throws(FieldError) {
    // What a record always has, if only empty.
    places[MessageText.peer.rawValue].count = 0
    places[MessageText.body.rawValue].count = 0
    var fields = fields
    if fields.hasLeadingFields { account = MessageRecord.usualAccount }
    while let number = try fields.next() {
      switch number {
      case 1: account = try fields.uint(UInt32.self)
      case 2: time = try fields.int()
      case 3: flags = .init(rawValue: try fields.uint())
      case 15: claimedTime = try fields.int()
      default:
        guard let text = MessageText(rawValue: Int(number)) else { break }
        let range = try fields.text()
        places[text.rawValue] = Place(start: Int32(range.lowerBound), count: Int32(range.count))
      }
    }
    reader = fields
    if places[MessageText.conversation.rawValue].count <= 0 {
      places[MessageText.conversation.rawValue] = bare(places[MessageText.peer.rawValue])
    }
  }

  package var mine: Bool { flags.contains(.mine) }
  package var elsewhere: Bool { flags.contains(.elsewhere) }
  package var delayed: Bool { flags.contains(.delayed) }

  package func withText(_ text: MessageText, _ body: (UTF8Span) -> Void) -> Bool {
    let place = places[text.rawValue]
    guard place.count >= 0 else { return false }
    reader.withText(place.range, body)
    return true
  }

  /// The JID at a place up to its first slash (RFC 7622, section 3.1: a localpart and a domain have none).
  private func bare(_ jid: Place) -> Place {
    var bare = Place(start: jid.start, count: 0)
    reader.withText(jid.range) { text in
      let bytes = text.span
      while bare.count < jid.count, bytes[Int(bare.count)] != UInt8(ascii: "/") { bare.count += 1 }
    }
    return bare
  }
}
