import Clocks
import Conversations
import JSON
import LineProtocol
import Records

/// One event as a line that still lacks its tag and its closing brace: made once for all who watch.
struct EventLine {
  let sequence: UInt64
  let kind: EventKind
  let account: UInt32
  /// The conversation or contact; nil: the account as a whole.
  let jid: String?
  private let open: [UInt8]

  init(
    _ kind: EventKind, sequence: UInt64 = 0, account: UInt32, jid: String?, _ members: (inout JSONWriter) -> Void
  ) {
    self.kind = kind
    self.sequence = sequence
    self.account = account
    self.jid = jid
    var writer = JSONWriter()
    Answer.event(kind, sequence: sequence == 0 ? nil : sequence, nil, into: &writer, members)
    open = Array(writer.bytes.dropLast(2))
  }

  var count: Int { open.count }

  /// The whole line for a watch, whose tag comes ready as `,"tag":…`.
  func line(_ tag: [UInt8]) -> [UInt8] { open + tag + [UInt8(ascii: "}"), UInt8(ascii: "\n")] }
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

extension Array {
  /// The first index at which a predicate that goes from false to true is true.
  fileprivate func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Desk {
  /// The event that a durable record is, told as things stand now; nil where it is none.
  func event(_ record: Record, sequence: UInt64) -> EventLine? {
    switch record {
    case .message(let message): return messageEvent(message, sequence: sequence)
    case .delivery(let delivery):
      return EventLine(.state, sequence: sequence, account: delivery.account, jid: delivery.jid) {
        address(delivery.account, delivery.jid, into: &$0)
        $0.member("id", delivery.id)
        $0.member("state", delivery.state.word)
        if delivery.inDoubt { $0.member("in_doubt", true) }
        if let failure = delivery.failure { Lines.write(failure, into: &$0) }
      }
    case .read(let read):
      return EventLine(.read, sequence: sequence, account: read.account, jid: read.jid) {
        address(read.account, read.jid, into: &$0)
        $0.member("id", read.id)
      }
    case .draft(let draft):
      return EventLine(.draft, sequence: sequence, account: draft.account, jid: draft.jid) {
        address(draft.account, draft.jid, into: &$0)
        $0.member("text", draft.text)
      }
    case .contact(let contact):
      return EventLine(.roster, sequence: sequence, account: contact.account, jid: contact.jid) { writer in
        writer.object("contact") { writeContact(contact, into: &$0) }
      }
    case .account, .wish, .transmission, .suspicion, .rosterVersion, .refused, .payload, .unknown: return nil
    }
  }

  private func messageEvent(_ message: MessageRecord, sequence: UInt64) -> EventLine? {
    guard let conversation = facts.existingConversation(message.account, message.jid),
      let row = conversation.timeline.row(ofTime: Timestamp(milliseconds: message.time), id: sequence)
    else { return nil }
    let placement = conversation.timeline.placements(of: row..<row + 1).first
    return EventLine(.message, sequence: sequence, account: message.account, jid: message.jid) {
      $0.key("message")
      object(message, conversation.timeline[row], placement: placement).write(into: &$0)
    }
  }

  /// The ephemeral event of a notice.
  func event(_ notice: Notice) -> EventLine? {
    switch notice {
    case .connection(let number):
      guard let account = accounts.numbered(number) else { return nil }
      return EventLine(.connection, account: number, jid: nil) {
        $0.member("account", account.name)
        $0.member("state", account.status.state.rawValue)
        $0.member("reason", account.status.reason)
      }
    case .presence(let number, let jid):
      let best = accounts.numbered(number)?.session?.presences.resources(of: jid).first
      return EventLine(.presence, account: number, jid: jid) {
        if let account = shownName(of: number) { $0.member("account", account) }
        $0.member("jid", jid)
        $0.member("show", best?.show ?? "unavailable")
        $0.member("status", best?.status ?? "")
      }
    case .resection(let number, let jid, let from, let to):
      return EventLine(.resection, account: number, jid: jid) {
        address(number, jid, into: &$0)
        if let from { $0.member("from", from) }
        if let to { $0.member("to", to) }
      }
    }
  }

  private func address(_ account: UInt32, _ jid: String, into writer: inout JSONWriter) {
    writer.member("conversation", jid)
    if let name = shownName(of: account) { writer.member("account", name) }
  }
}
