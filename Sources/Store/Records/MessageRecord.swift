/// A message, mine or somebody's. Its `id` is the sequence number of this record.
///
/// A value of one reference: a record is handed on several times between the parser and the facts, and each copy of its
/// dozen strings would count all of them.
///
/// Public, and not for the package: only then what asks for its fields, some forty times for each message, is inlined
/// in other targets.
public struct MessageRecord: Sendable, Equatable {
  /// Always exactly one: an array is a box that copies when it is shared and changed.
  var box: [Fields]

  public init(
    account: UInt32, jid: String, peer: String, time: Int64, text: String = "", stanzaID: String? = nil,
    isCounted: Bool = false
  ) {
    box = [
      Fields(
        account: account, flags: isCounted ? .counted : [], time: time, jid: jid, peer: peer, text: text,
        stanzaID: stanzaID)
    ]
  }

  /// Lends all that is in it, which is read where it stands.
  public func lend<R>(_ body: (borrowing Lent) -> R) -> R {
    // A struct of one field lies in memory as that field does.
    unsafe box.withUnsafeBufferPointer { fields in
      unsafe fields.withMemoryRebound(to: Lent.self) { unsafe body($0[0]) }
    }
  }

  /// The fields of a record, which cannot be copied: with each copy all texts would be counted, and the compiler makes
  /// one for whoever is handed what it reads through an address.
  public struct Lent: ~Copyable {
    public let fields: Fields
  }

  /// The fields that most messages have. The others are behind one reference, so that there is little to count when a
  /// record is made and dropped.
  public struct Fields: Equatable, Sendable {
    public var account: UInt32
    public var depth: UInt32 = 0
    public var flags: Flags
    public var time: Int64
    public var jid: String
    public var peer: String
    public var text: String
    public var language: String?
    public var stanzaID: String?
    public var archiveID: String?
    public var occupantID: String?
    public var occupantPresence: UInt64 = 0
    /// One, or none where it would say nothing.
    public var rare: [Rare] = []

    /// Changes what is rare.
    mutating func change(_ body: (inout Rare) -> Void) {
      guard rare.isEmpty else {
        body(&rare[0])
        if rare[0] == Rare() { rare = [] }
        return
      }
      var first = Rare()
      body(&first)
      if first != Rare() { rare = [first] }
    }
  }

  /// The fields that few messages have.
  public struct Rare: Equatable, Sendable {
    public var type = "chat"
    public var subject: String?
    public var thread: String?
    public var originID: String?
    public var claimedArchiveID: String?
    public var key: String?
    public var claimedTime: Int64?
    public var payloads: [UInt8] = []
    public var sender: Sender?
    public var place: UInt32?
    public var expires: Int64?
    public var heldUntil: Int64?
    public var details: MessageDetails?
    public var target: UInt64?
    public var step: ContentStep?

    var hasReply: Bool { details?.reply != nil }
  }
}

extension MessageRecord {
  /// The origin-id, stated or the same as the stanza's id (mine only).
  public var effectiveOriginID: String? { originID ?? (isMine ? stanzaID : nil) }

  /// The id that all copies of the message share: its sender chose it, and may have chosen the same for others.
  public var copyID: String? { originID ?? stanzaID }

  /// Bytes of all that it says, about.
  package var contentBytes: Int {
    let details = details.map { details in
      details.forwarded.reduce(details.plain.bytes) { $0 + $1.text.utf8.count + $1.attachments.bytes }
        + details.attachments.bytes
    }
    return text.utf8.count + payloads.count + subject.bytes + (details ?? 0)
  }

  /// True if another stanza may refer to the message by this id: its own, or that of an edit before it came here.
  package func isNamed(_ id: String) -> Bool {
    stanzaID == id || originID == id || details?.change?.editIDs.contains(id) == true
  }

  /// Its place among messages of the same time.
  public var archiveOrder: UInt32 { Self.archiveOrder(isStamped: archived || delayed, depth: depth) }

  /// The order among messages of the same time: those that came live, without a stamp, first; then those of greater
  /// depth.
  public static func archiveOrder(isStamped: Bool, depth: UInt32) -> UInt32 {
    isStamped ? newestOrder - min(depth, newestOrder - 1) : 0
  }

  /// The depth that gives a stamped message this place.
  public static func depth(forOrder order: UInt32) -> UInt32 { newestOrder - min(order, newestOrder) }

  /// The place of what has no depth.
  public static let newestOrder: UInt32 = 1 << 30
}

/// The process that asked for a message of mine, as the kernel reports it, and the socket that it used.
public struct Sender: Sendable, Equatable {
  public var uid: UInt32
  /// 0 where the kernel could not tell.
  public var pid: UInt32
  /// The name of the `[socket NAME]` section; nil: the main socket.
  public var socket: String?

  public init(uid: UInt32, pid: UInt32, socket: String? = nil) {
    (self.uid, self.pid, self.socket) = (uid, pid, socket)
  }
}

extension String? {
  fileprivate var bytes: Int { self?.utf8.count ?? 0 }
}

extension [Attachment] {
  fileprivate var bytes: Int { reduce(0) { $0 + $1.url.utf8.count + $1.name.bytes + $1.type.bytes } }
}
