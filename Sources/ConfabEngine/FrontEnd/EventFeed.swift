import Clocks
import Conversations
import JSON
import LineProtocol
import Records

/// One event as a line: made once for all who watch, and shared by those who want no tag in it.
struct EventLine {
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
    self.kind = kind
    self.sequence = sequence
    self.account = account
    self.jid = jid
    var writer = JSONWriter()
    Answer.event(kind, sequence: sequence == 0 ? nil : sequence, nil, into: &writer, members)
    whole = writer.bytes
  }

  /// `caught-up`: everything up to that number has been told.
  init(caughtUp sequence: UInt64) {
    self.init(.caughtUp, account: 0, jid: nil) { $0.member("seq", sequence) }
  }

  var count: Int { whole.count }

  /// The line for a watch, whose tag comes ready as `,"tag":…`.
  func line(_ tag: [UInt8]) -> [UInt8] { tag.isEmpty ? whole : whole.dropLast(2) + tag + whole.suffix(2) }
}

/// The newest durable events, ready to be written, so that live watchers read nothing from the disk. Bounded.
struct EventFeed {
  static let maximumBytes = 512 << 10

  /// Gaps in the numbers are records that are no events.
  private var lines: [EventLine] = []
  private var bytes = 0
  /// Everything after this number is in `lines`.
  private(set) var completeAfter: UInt64 = .max

  /// Takes the event of a record that became durable, if it is one.
  mutating func append(_ line: EventLine?, sequence: UInt64) {
    if completeAfter == .max { completeAfter = sequence - 1 }
    guard let line else { return }
    lines.append(line)
    bytes += line.count
    guard bytes > Self.maximumBytes else { return }
    trim()
  }

  /// The events after a number, where all of them are here.
  func lines(after sequence: UInt64) -> ArraySlice<EventLine>? {
    guard sequence >= completeAfter else { return nil }
    let start = lines.partitioningIndex { $0.sequence > sequence }
    return lines[start...]
  }

  /// Nobody watches: nothing is kept.
  mutating func clear() { self = EventFeed() }

  private mutating func trim() {
    var dropped = 0
    while bytes > Self.maximumBytes / 2, dropped < lines.count {
      bytes -= lines[dropped].count
      completeAfter = lines[dropped].sequence
      dropped += 1
    }
    lines.removeFirst(dropped)
  }
}
