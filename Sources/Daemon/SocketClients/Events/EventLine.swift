import ConfabAccounts
import JSON
import LineProtocol

/// One event as a line: encoded once for all watchers, and shared by those that want no tag in it.
struct EventLine {
  /// The record's sequence number; 0: an ephemeral event.
  let sequence: UInt64
  let kind: EventKind
  let account: UInt32
  /// The conversation or contact; nil: the account as a whole.
  let jid: String?
  /// With its end, and without a tag.
  private let whole: [UInt8]
  /// True if `notice` is its last member.
  private let isNotice: Bool

  private static let end = Array("}\n".utf8)
  private static let notice = Array(#","notice":true"#.utf8)

  /// - Parameter isNotice: the user wants to be notified of it, as long as it is live.
  init(
    _ kind: EventKind, sequence: UInt64 = 0, account: UInt32, jid: String?, isNotice: Bool = false,
    _ members: (inout JSONWriter) -> Void
  ) {
    (self.kind, self.sequence, self.account, self.jid, self.isNotice) = (kind, sequence, account, jid, isNotice)
    var writer = JSONWriter()
    Answer.event(kind, sequence: sequence == 0 ? nil : sequence, nil, into: &writer, members)
    whole = isNotice ? writer.bytes.dropLast(Self.end.count) + Self.notice + Self.end : writer.bytes
  }

  init(_ event: EphemeralEvent, _ context: RequestContext) {
    self.init(event.kind, account: event.account, jid: event.jid) { event.encode(context, into: &$0) }
  }

  /// `caught-up`: everything up to that number has been delivered.
  init(caughtUp sequence: UInt64) {
    self.init(.caughtUp, account: 0, jid: nil) { $0.member("seq", sequence) }
  }

  var count: Int { whole.count }

  /// The line for a watch, whose tag comes ready as `,"tag":…`.
  ///
  /// - Parameter isLive: false if the event is delivered to a watch that began behind it.
  func line(_ tag: [UInt8], isLive: Bool = true) -> [UInt8] {
    if isNotice, !isLive { return whole.dropLast(Self.notice.count + Self.end.count) + tag + Self.end }
    return tag.isEmpty ? whole : whole.dropLast(Self.end.count) + tag + Self.end
  }
}
