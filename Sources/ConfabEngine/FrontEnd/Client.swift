import Clocks
import LineProtocol

/// One front end's connection: what it asked, what it is still owed, in their order, and its watch.
final class Client {
  /// A place in the order of the answers.
  enum Slot {
    /// Answered: to be written when everything before it is.
    case done([UInt8])
    /// Waits for a record to be durable.
    case stored(sequence: UInt64, Request, then: Completion)
    /// Waits for somebody else's answer.
    case ticket(UInt64, Request)
    /// A long answer, made piece by piece as the client reads it.
    case paging(PagedAnswer)
  }

  /// What the answer is made of once the record is durable.
  enum Completion {
    case plain
    case send(MessagePlace)
    case read
  }

  /// Bytes written and not yet drained at which nothing more is made for this client.
  static let congestion = 256 << 10
  /// Requests waiting for their turn, and out of turn (`wait` and its like), at which its socket is not read any more.
  static let maximumWaiting = 256
  static let maximumWaits = 1024

  let id: ClientID
  var reader = LineReader()
  var slots: [Slot] = []
  /// The next item, which could not be taken up yet.
  var blocked: LineItem?
  /// The newest record that a request of this client appended: a query waits until it is durable.
  var lastAppended: UInt64 = 0
  var watch: Watch?
  /// Bytes handed to the driver since it last reported that all had gone.
  var outstanding = 0
  var inputEnded = false
  /// `quit`, or a client that may not: nothing more is taken up.
  var isClosing = false
  var isPaused = false
  /// Answers still owed out of the order: `wait` and its like.
  var waits = 0

  init(_ id: ClientID) { self.id = id }

  var isCongested: Bool { outstanding >= Self.congestion }

  /// There is room for another request.
  var takesRequests: Bool {
    !isClosing && !isCongested && slots.count < Self.maximumWaiting && waits < Self.maximumWaits
  }

  /// Everything owed has been written, and nothing more will be asked: time to close. A watch goes on until the client
  /// closes altogether, or says `quit`.
  var isOver: Bool {
    if isClosing { return slots.isEmpty && waits == 0 }
    return inputEnded && watch == nil && slots.isEmpty && waits == 0 && blocked == nil && reader.isEmpty
  }

  /// What is not durable will never be: the requests that wait for it are refused.
  func refuseUnstored(_ failure: RequestFailure, durable: UInt64) {
    for index in slots.indices {
      guard case .stored(let sequence, let request, _) = slots[index], sequence > durable else { continue }
      slots[index] = .done(Lines.failure(failure, request.tag))
    }
    lastAppended = min(lastAppended, durable)
  }

  func write(_ bytes: [UInt8], _ turn: Turn) {
    guard !bytes.isEmpty else { return }
    outstanding += bytes.count
    turn.act(.client(id, .write(bytes)))
  }
}

/// Where a message of mine stands, for those who know its id: found without reading it.
struct MessagePlace {
  let account: UInt32
  /// The conversation's bare JID.
  let jid: String
  let time: Timestamp
}
