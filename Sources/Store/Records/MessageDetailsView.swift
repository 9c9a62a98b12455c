public import Bytes
public import JSON

/// The details of a message, read in place from the bytes of its record: only rare members become values. Lives as long
/// as those bytes are lent.
public struct MessageDetailsView: ~Copyable {
  public private(set) var plain: String?
  public private(set) var reply: MessageReply?
  public private(set) var forwarded: [ForwardedText] = []
  public private(set) var attachments: [Attachment] = []
  /// When the text was changed last, in milliseconds since 1970.
  public private(set) var edited: Int64?
  public private(set) var retraction: MessageChange.Retraction?
  public private(set) var unreadable: String?
  public private(set) var spoiler: String?
  public private(set) var event: OccupantEvent?
  public private(set) var seal: MessageSeal?
  /// The place of the first person's reactions.
  private var first: Range<Int>?
  /// The reactions of all people, where there are several.
  private var all: [MessageChange.Reactions] = []
  private var reader: FieldReader

  /// - Parameter fields: of `MessageDetails`, by the numbers there.
  init(_ fields: consuming FieldReader) throws(FieldError) {
    reader = fields
    while let number = try reader.next() {
      switch number {
      case 1: plain = try reader.string()
      case 2: reply = try MessageReply.read(from: reader)
      case 3: forwarded.append(try ForwardedText.read(from: reader))
      case 5: try takeChange(at: try reader.range())
      case 6: attachments.append(try Attachment.read(from: reader))
      case 7: unreadable = try reader.string()
      case 8: spoiler = try reader.string()
      case 9: event = try OccupantEvent.read(from: reader)
      case 10: seal = try MessageSeal.read(from: reader)
      default: break
      }
    }
  }

  /// Takes what is shown of `MessageChange`, by the numbers there.
  private mutating func takeChange(at place: Range<Int>) throws(FieldError) {
    try FieldReader.read(unsafe reader.text(at: place).span.bytes) { change throws(FieldError) in
      while let number = try change.next() {
        switch number {
        case 5: edited = try change.int()
        case 7: retraction = try MessageChange.Retraction.read(from: change)
        case 8: try takeReactions(change, at: place.lowerBound)
        default: break
        }
      }
    }
  }

  private mutating func takeReactions(_ change: borrowing FieldReader, at start: Int) throws(FieldError) {
    let place = try change.range()
    guard let first else {
      // Fields written while they are read have to be sound.
      _ = try FieldReader.read(unsafe change.text(at: place).span.bytes, checking: true) {
        (fields: inout FieldReader) throws(FieldError) in
        try MessageChange.Reactions(from: &fields)
      }
      return self.first = start + place.lowerBound..<start + place.upperBound
    }
    if all.isEmpty { all = [try reactions(at: first)] }
    all.append(try MessageChange.Reactions.read(from: change))
  }

  private func reactions(at place: Range<Int>) throws(FieldError) -> MessageChange.Reactions {
    try FieldReader.read(unsafe reader.text(at: place).span.bytes) { fields throws(FieldError) in
      try MessageChange.Reactions(from: &fields)
    }
  }

  /// Writes each emoji with all whose reaction it is, in the order in which it was used first.
  public func writeReactions(into writer: inout JSONWriter) throws(FieldError) {
    guard all.isEmpty else { return all.write(into: &writer) }
    guard let first else { return }
    try FieldReader.read(unsafe reader.text(at: first).span.bytes) { fields throws(FieldError) in
      try Self.writeReactions(of: &fields, into: &writer)
    }
  }

  /// Writes the reactions of one person, by the numbers of `MessageChange.Reactions`: who and whether it is mine
  /// precede the emoji, which differ.
  private static func writeReactions(
    of person: inout FieldReader, into writer: inout JSONWriter
  ) throws(FieldError) {
    var (from, isMine, isFirst) = (0..<0, false, true)
    while let number = try person.next() {
      switch number {
      case 1: from = try person.text()
      case 2: isMine = try person.bool()
      case 4:
        if isFirst { writer.beginArray("reactions") }
        isFirst = false
        writer.beginObject()
        unsafe writer.member("emoji", utf8: person.text(at: try person.text()))
        writer.beginArray("from")
        unsafe writer.value(utf8: person.text(at: from))
        writer.endArray()
        writer.member("mine", isMine)
        writer.endObject()
      default: break
      }
    }
    if !isFirst { writer.endArray() }
  }
}

extension MessageView {
  /// Calls `body` with its details, if it has any that are sound.
  public func withDetails(_ body: (borrowing MessageDetailsView) throws(FieldError) -> Void) {
    guard let detailsPlace else { return }
    try? FieldReader.lend(unsafe reader.text(at: detailsPlace).span.bytes) { fields throws(FieldError) in
      try body(try MessageDetailsView(fields))
    }
  }
}

extension [MessageChange.Reactions] {
  /// Writes each emoji with all whose reaction it is, in the order in which it was used first; nothing where there is
  /// none.
  public func write(into writer: inout JSONWriter) {
    var shown: [String] = []
    for reaction in self {
      for emoji in reaction.emoji where !shown.contains(emoji) {
        if shown.isEmpty { writer.beginArray("reactions") }
        shown.append(emoji)
        write(emoji, into: &writer)
      }
    }
    if !shown.isEmpty { writer.endArray() }
  }

  private func write(_ emoji: String, into writer: inout JSONWriter) {
    var isMine = false
    writer.beginObject()
    writer.member("emoji", emoji)
    writer.beginArray("from")
    for person in self where person.emoji.contains(emoji) {
      writer.value(person.from)
      isMine = isMine || person.isMine
    }
    writer.endArray()
    writer.member("mine", isMine)
    writer.endObject()
  }
}
