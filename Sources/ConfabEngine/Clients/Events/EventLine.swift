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

  init(
    _ kind: EventKind, sequence: UInt64 = 0, account: UInt32, jid: String?, _ members: (inout JSONWriter) -> Void
  ) {
    (self.kind, self.sequence, self.account, self.jid) = (kind, sequence, account, jid)
    var writer = JSONWriter()
    Answer.event(kind, sequence: sequence == 0 ? nil : sequence, nil, into: &writer, members)
    whole = writer.bytes
  }

  init(_ event: any EphemeralEvent, _ context: RequestContext) {
    self.init(event.kind, account: event.account, jid: event.jid) { event.encode(context, into: &$0) }
  }

  /// `caught-up`: everything up to that number has been delivered.
  init(caughtUp sequence: UInt64) {
    self.init(.caughtUp, account: 0, jid: nil) { $0.member("seq", sequence) }
  }

  var count: Int { whole.count }

  /// The line for a watch, whose tag comes ready as `,"tag":…`.
  func line(_ tag: [UInt8]) -> [UInt8] { tag.isEmpty ? whole : whole.dropLast(2) + tag + whole.suffix(2) }
}
