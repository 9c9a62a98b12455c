package import Bytes
package import JSON

/// A message where it stands in the bytes of its record, for who shows it and keeps nothing: no text is copied. Lives as
/// long as those bytes are lent.
package struct MessageView: ~Copyable, MessageContent {
  package private(set) var account: UInt32 = 0
  package private(set) var time: Int64 = 0
  package private(set) var claimedTime: Int64?
  private var flags: MessageRecord.Flags = []
  /// Where the texts stand, by their field numbers.
  private var places = InlineArray<15, Place>(repeating: Place(start: 0, count: -1))
  private var reader: FieldReader
  package private(set) var hasRareTexts = false

  /// Where a text stands; a count below 0: nowhere.
  private struct Place {
    var start: Int32
    var count: Int32

    var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
  }

  /// The message whose fields a reader is about to read.
  package init(_ fields: consuming FieldReader) throws(FieldError) {
    reader = fields
    // What a record always has, if only empty.
    places[MessageText.peer.rawValue].count = 0
    places[MessageText.body.rawValue].count = 0
    if reader.hasLeadingFields { account = MessageRecord.usualAccount }
    while let number = try reader.next() {
      switch number {
      case 1: account = try reader.uint(UInt32.self)
      case 2: time = try reader.int()
      case 3: flags = .init(rawValue: try reader.uint())
      case 15: claimedTime = try reader.int()
      default:
        guard let text = MessageText(rawValue: Int(number)) else { break }
        let range = try reader.text()
        places[text.rawValue] = Place(start: Int32(range.lowerBound), count: Int32(range.count))
        if (7...10).contains(number) { hasRareTexts = true }
      }
    }
    if places[MessageText.conversation.rawValue].count <= 0 {
      places[MessageText.conversation.rawValue] = bare(places[MessageText.peer.rawValue])
    }
  }

  package var mine: Bool { flags.contains(.mine) }
  package var elsewhere: Bool { flags.contains(.elsewhere) }
  package var delayed: Bool { flags.contains(.delayed) }

  @discardableResult
  package func write(_ text: MessageText, as name: StaticString, into writer: inout JSONWriter) -> Bool {
    let place = places[text.rawValue]
    guard place.count >= 0 else { return false }
    unsafe writer.member(name, utf8: reader.text(at: place.range))
    return true
  }

  /// The JID at a place up to its first slash (RFC 7622, section 3.1: a localpart and a domain have none).
  private func bare(_ jid: Place) -> Place {
    let slash = unsafe reader.text(at: jid.range).firstIndex(of: UInt8(ascii: "/"))
    return Place(start: jid.start, count: slash.map(Int32.init) ?? jid.count)
  }
}
