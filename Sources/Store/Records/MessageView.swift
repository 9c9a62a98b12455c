public import Bytes
public import JSON

/// A message where it stands in the bytes of its record, for who shows it and keeps nothing: no text is copied. Lives
/// as long as those bytes are lent.
public struct MessageView: ~Copyable, MessageContent {
  public private(set) var account: UInt32 = 0
  public private(set) var time: Int64 = 0
  public private(set) var claimedTime: Int64?
  /// The message that a change changes; nil for a message.
  public private(set) var target: UInt64?
  /// The bytes of the details in the record.
  private(set) var detailsPlace: Range<Int>?
  /// The bytes of the id of the occupant of a room who said it.
  private var occupantPlace: Range<Int>?
  var flags: MessageRecord.Flags = []
  /// The bytes of the texts in the record, by field number.
  @usableFromInline var places = InlineArray<15, Place>(repeating: Place(start: 0, count: -1))
  @usableFromInline var reader: FieldReader
  public private(set) var hasRareTexts = false

  /// The bytes of a text in the record; a negative count: the record has no such text.
  @usableFromInline struct Place {
    @usableFromInline var start: Int32
    @usableFromInline var count: Int32

    @inlinable var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
  }

  /// The message whose fields a reader is about to read.
  public init(_ fields: consuming FieldReader) throws(FieldError) {
    reader = fields
    // A record always has these, if only empty.
    places[MessageText.peer.rawValue].count = 0
    places[MessageText.body.rawValue].count = 0
    try takeLeading()
    while let number = try reader.next() {
      switch number {
      case 1: account = try reader.uint(UInt32.self)
      case 2: time = try reader.int()
      case 3: flags = .init(rawValue: try reader.uint())
      case 15: claimedTime = try reader.int()
      case 24: detailsPlace = try reader.range()
      case 25: target = try reader.uint()
      case 26: occupantPlace = try reader.range()
      default: if let text = MessageText(rawValue: Int(number)) { set(text, try reader.text()) }
      }
    }
  }

  /// Reads the leading fields, which have no tags, in the order of `MessageRecord.leadingFields`.
  private mutating func takeLeading() throws(FieldError) {
    var values = LeadingValues()
    guard try reader.readLeading(into: &values) else { return }
    time = Varint.unzigzag(values.number(0))
    guard let account = values.has(1) ? UInt32(exactly: values.number(1)) : MessageRecord.usualAccount else {
      throw .wrongType(number: 1)
    }
    self.account = account
    flags = .init(rawValue: values.number(2))
    try reader.checkTexts(of: values)
    set(.peer, values, 3)
    set(.conversation, values, 4)
    set(.stanzaID, values, 5)
    set(.body, values, 7)
  }

  @inline(__always)
  private mutating func set(_ text: MessageText, _ values: borrowing LeadingValues, _ index: Int) {
    if values.has(index) { set(text, values.place(index)) }
  }

  @inline(__always)
  private mutating func set(_ text: MessageText, _ range: Range<Int>) {
    places[text.rawValue] = Place(start: Int32(range.lowerBound), count: Int32(range.count))
    if (7...10).contains(text.rawValue) { hasRareTexts = true }
  }

  public var hasDetails: Bool { detailsPlace != nil }

  public var isAction: Bool {
    let place = places[MessageText.body.rawValue]
    return place.count >= 4 && (unsafe reader.text(at: place.range).starts(with: MessageAction.prefix))
  }

  /// True if another stanza may refer to the message by this id.
  package func isNamed(_ stanzaID: String) -> Bool {
    has(.stanzaID, equalTo: stanzaID) || has(.originID, equalTo: stanzaID)
  }

  private func has(_ text: MessageText, equalTo other: String) -> Bool {
    let place = places[text.rawValue]
    return place.count >= 0 && (unsafe reader.text(at: place.range).elementsEqual(other.utf8))
  }

  public var isMine: Bool { flags.isMine }
  public var isMention: Bool { flags.contains(.mention) }
  public var isIgnored: Bool { flags.contains(.ignored) }
  public var isFromHere: Bool { flags.isFromHere }
  public var isOfRoom: Bool { flags.contains(.room) }
  public var isInPrivate: Bool { flags.contains(.inPrivate) }

  public func isSaid(by nick: String) -> Bool {
    let peer = unsafe reader.text(at: places[MessageText.peer.rawValue].range)
    guard let slash = unsafe peer.firstIndex(of: UInt8(ascii: "/")) else { return false }
    return unsafe peer[(slash + 1)...].elementsEqual(nick.utf8)
  }

  public func writeOccupant(into writer: inout JSONWriter) {
    let peer = places[MessageText.peer.rawValue].range
    if let slash = unsafe reader.text(at: peer).firstIndex(of: UInt8(ascii: "/")) {
      unsafe writer.member("nick", utf8: reader.text(at: peer.lowerBound + slash + 1..<peer.upperBound))
    }
    if let occupantPlace { unsafe writer.member("occupant", utf8: reader.text(at: occupantPlace)) }
  }

  public var delayed: Bool { flags.contains(.delayed) }
  public var isUnstyled: Bool { flags.contains(.unstyled) }
  public var text: String { string(.body) }
  /// In bytes.
  public var textCount: Int { max(0, Int(places[MessageText.body.rawValue].count)) }

  private func string(_ text: MessageText) -> String {
    unsafe String(decoding: reader.text(at: places[text.rawValue].range), as: UTF8.self)
  }

  @discardableResult @inlinable @inline(__always)
  public func write(_ text: MessageText, as name: StaticString, into writer: inout JSONWriter) -> Bool {
    let place = text == .conversation ? conversation : places[text.rawValue]
    guard place.count >= 0 else { return false }
    unsafe writer.member(name, utf8: reader.text(at: place.range))
    return true
  }

  /// The bytes of the conversation's JID: its own field, or the peer's up to the first slash (RFC 7622, section 3.1: a
  /// localpart and a domain have none).
  @usableFromInline var conversation: Place {
    let (stated, peer) = (places[MessageText.conversation.rawValue], places[MessageText.peer.rawValue])
    guard stated.count <= 0 else { return stated }
    let slash = unsafe reader.text(at: peer.range).firstIndex(of: UInt8(ascii: "/"))
    return Place(start: peer.start, count: slash.map(Int32.init) ?? peer.count)
  }
}
