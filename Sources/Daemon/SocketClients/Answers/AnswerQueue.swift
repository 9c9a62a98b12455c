import ConfabAccounts
import Clocks
import LineProtocol
import Records

/// The answers that a client is owed, in the order of its requests.
struct AnswerQueue {
  enum Slot {
    /// Answered: to be written when everything before it is.
    case done([UInt8])
    /// A line that passes a descriptor, to be written once this record is durable; 0: at once.
    case passing([UInt8], DescriptorID, after: UInt64)
    /// Waits for a record to be durable.
    case stored(sequence: UInt64, Request, then: Completion)
    /// A page of history, to be made once this record is durable.
    case page(after: UInt64, Request)
    /// Could not be stored: reported once no crash can bring it back.
    case refused(RequestFailure, Request)
    /// Waits for the server, or for the configuration to be read.
    case ticket(UInt64, Request)
    /// A long answer, made piece by piece as the client reads it.
    case paging(PagedAnswer)
  }

  /// The content of the answer once the record is durable.
  enum Completion {
    case plain
    case send(MessagePlace)
    /// How far this message is.
    case status(UInt64, MessagePlace)
    case room(RoomRecord)
    /// The room has retracted this message of somebody else.
    case moderated(UInt64)
    /// This message was cancelled.
    case cancelled(UInt64)
    case read
    case encryption(account: UInt32, String)
    case watch(since: UInt64)
    /// How many conversations were forgotten, and how many of the same domain were not.
    case forgotten(Int, kept: Int)
  }

  private var slots: [Slot] = []
  /// Bytes of the answers that are done.
  private(set) var bytes = 0

  var isEmpty: Bool { slots.isEmpty }
  var count: Int { slots.count }

  /// The descriptors of all of them.
  var descriptors: [DescriptorID] {
    slots.compactMap { if case .passing(_, let descriptor, _) = $0 { descriptor } else { nil } }
  }

  subscript(index: Int) -> Slot { slots[index] }

  mutating func append(_ slot: Slot) {
    slots.append(slot)
    count(slot)
  }

  /// An answer that is ready, in its effects.
  mutating func append(_ bytes: [UInt8]) { append(.done(bytes)) }

  /// An answer out of the order; true where the first slot is being written piece by piece, and this one stands behind
  /// it.
  mutating func appendBehindPage(_ bytes: [UInt8]) -> Bool {
    guard case .paging(let page) = slots.first, page.hasBegun else { return false }
    slots.insert(.done(bytes), at: 1)
    self.bytes += bytes.count
    return true
  }

  /// Fills a slot whose answer has come.
  mutating func replace(_ index: Int, _ slot: Slot) {
    slots[index] = slot
    count(slot)
  }

  /// The first slots have been written.
  mutating func removeFirst(_ count: Int) {
    for case .done(let bytes) in slots[..<count] { self.bytes -= bytes.count }
    slots.removeFirst(count)
  }

  /// The last slots were made in vain.
  mutating func removeLast(_ count: Int) {
    for case .done(let bytes) in slots.suffix(count) { self.bytes -= bytes.count }
    slots.removeLast(count)
  }

  /// Another state is the one to read from.
  mutating func renewPages(_ context: RequestContext) {
    for index in slots.indices {
      guard case .paging(var page) = slots[index] else { continue }
      page.renew(context)
      slots[index] = .paging(page)
    }
  }

  /// The slot of a ticket, and its request.
  func ticket(_ number: UInt64) -> (index: Int, request: Request)? {
    for (index, slot) in slots.enumerated() {
      if case .ticket(number, let request) = slot { return (index, request) }
    }
    return nil
  }

  /// An answer waits for a record behind this one.
  func wait(after durable: UInt64) -> Bool {
    slots.contains {
      switch $0 {
      case .stored(let sequence, _, _), .page(let sequence, _), .passing(_, _, let sequence): sequence > durable
      default: false
      }
    }
  }

  /// Refuses the requests that wait for records after `durable`, which are given up.
  mutating func refuseUnstored(_ failure: RequestFailure, durable: UInt64) {
    for index in slots.indices {
      switch slots[index] {
      case .stored(let sequence, let request, _) where sequence > durable: slots[index] = .refused(failure, request)
      case .page(let sequence, let request) where sequence > durable: slots[index] = .page(after: 0, request)
      case .passing(let line, let descriptor, let sequence) where sequence > durable:
        slots[index] = .passing(line, descriptor, after: 0)
      default: break
      }
    }
  }

  /// Releases the answers of refused requests; true if there were any.
  mutating func answerRefused() -> Bool {
    var any = false
    for index in slots.indices {
      switch slots[index] {
      case .refused(let failure, let request): replace(index, .done(request.error(failure)))
      // A file is given without what its bytes say.
      case .passing(_, _, after: 0), .page(after: 0, _): break
      default: continue
      }
      any = true
    }
    return any
  }

  private mutating func count(_ slot: Slot) {
    if case .done(let bytes) = slot { self.bytes += bytes.count }
  }
}

/// The position of a message of mine, for clients that know its id: found without reading the message.
struct MessagePlace {
  let account: UInt32
  /// The conversation's bare JID.
  let jid: String
  let time: Timestamp
  /// The message that a change changes; nil for a message.
  var target: UInt64?
  /// The encryption that was wanted when it was stored; nil: the answer does not say.
  var encryption: MessageSeal.Wish?

  var isChange: Bool { target != nil }
}

extension MessagePlace {
  init(_ message: MessageRecord) {
    self.init(
      account: message.account, jid: message.jid, time: Timestamp(milliseconds: message.time), target: message.target)
  }
}
