import Clocks
import LineProtocol
import Settings

/// One front end's connection: what it asked, what it is still owed, in their order, and its watch.
final class Client {
  /// A place in the order of the answers.
  enum Slot {
    /// Answered: to be written when everything before it is.
    case done([UInt8])
    /// Waits for a record to be durable.
    case stored(sequence: UInt64, Request, then: Completion)
    /// Could not be stored: told once no crash can bring it back.
    case refused(RequestFailure, Request)
    /// Waits for somebody else's answer.
    case ticket(UInt64, Request)
    /// A long answer, made piece by piece as the client reads it.
    case paging(PagedAnswer)
  }

  /// What the answer is made of once the record is durable.
  enum Completion {
    case plain
    case send(MessagePlace)
    /// How far this message is.
    case standing(UInt64, MessagePlace)
    case read
    case watch(since: UInt64)
  }

  let id: ClientID
  let caller: Caller
  let socket: ServedSocket
  private var reader: LineReader
  var slots: [Slot] = []
  /// Bytes of the answers in the slots.
  private(set) var owed = 0
  /// The next item, which could not be taken up yet.
  private var blocked: LineItem?
  /// There may be something to be taken up, or a part of it. Kept beside what it is about, which is copied when it is
  /// looked at: of a thousand who watch that is a tenth of what an event costs.
  private var hasInput = false
  /// The newest record that a request of this client appended: a query waits until it is durable.
  var lastAppended: UInt64 = 0
  var watch: Watch?
  /// Bytes handed to the driver since it last reported that all had gone.
  private(set) var outstanding = 0
  private let budget: OutputBudget
  private let effects: Effects
  private(set) var inputEnded = false
  /// Nobody reads what is written to it: long answers and events are not made, and queries not taken up.
  var isDeaf = false
  /// `quit`, or a client that may not: nothing more is taken up.
  var isClosing = false
  var isPaused = false
  /// Answers still owed out of the order: `wait` and its like.
  var waits = 0

  init(_ id: ClientID, _ caller: Caller, _ socket: ServedSocket, _ budget: OutputBudget, _ effects: Effects) {
    (self.id, self.caller, self.socket, self.budget, self.effects) = (id, caller, socket, budget, effects)
    reader = LineReader(rights: socket.rights)
  }

  /// How many bytes may still be made for it.
  var room: Int { budget.allowance - outstanding }

  var isCongested: Bool { room <= 0 }

  /// The most bytes of events that wait for a watcher, not counting the line that passes the limit. A slow watcher's
  /// further events are read from the log later, so that a thousand stalled watchers cost 32 MiB. (Answers are stored
  /// nowhere else and are not limited by this.)
  static let mostEvents = 32 << 10

  /// How many more bytes of events may be buffered for the watcher.
  var eventRoom: Int { min(room, Self.mostEvents - outstanding) }

  /// There is room for another request.
  var takesRequests: Bool { !isClosing && room > owed && slots.count + waits < budget.limits.requests }

  /// Everything owed has been written, and nothing more will be asked: time to close. A watch goes on until the client
  /// closes altogether, or says `quit`.
  var isOver: Bool {
    if isClosing { return slots.isEmpty && waits == 0 }
    return inputEnded && watch == nil && slots.isEmpty && waits == 0 && blocked == nil && reader.isEmpty
  }

  /// Nothing that it asked waits to be taken up or answered, and it is neither held up nor about to go.
  var isQuiet: Bool { !hasInput && !isPaused && !isClosing && !inputEnded && slots.isEmpty }

  /// An item waits until it can be taken up.
  var isBlocked: Bool { blocked != nil }

  func received(_ bytes: [UInt8]) {
    reader.append(bytes)
    hasInput = true
  }

  func endInput() {
    reader.end()
    (hasInput, inputEnded) = (true, true)
  }

  /// The next item to be taken up; nil until more comes.
  func nextItem() -> LineItem? {
    if let item = blocked.take() ?? reader.next() { return item }
    hasInput = !reader.isEmpty
    return nil
  }

  /// It could not be taken up.
  func block(_ item: LineItem) { blocked = item }

  /// Its watch has something durable to tell.
  func isBehind(_ durable: UInt64) -> Bool {
    guard let told = watch?.told else { return false }
    return told < durable || watch?.catchingUpTo != nil
  }

  /// A request of its waits for a record behind this one.
  func waitsForRecord(after durable: UInt64) -> Bool {
    lastAppended > durable
      || slots.contains { if case .stored(let sequence, _, _) = $0 { sequence > durable } else { false } }
  }

  /// What is not durable is given up: the requests that wait for it are refused.
  func refuseUnstored(_ failure: RequestFailure, durable: UInt64) {
    for index in slots.indices {
      guard case .stored(let sequence, let request, _) = slots[index], sequence > durable else { continue }
      slots[index] = .refused(failure, request)
    }
    lastAppended = min(lastAppended, durable)
  }

  /// What was refused may be told; true where anything was.
  func settleRefusals() -> Bool {
    var any = false
    for index in slots.indices {
      guard case .refused(let failure, let request) = slots[index] else { continue }
      replace(index, .done(Lines.failure(failure, request.tag)))
      any = true
    }
    return any
  }

  /// An answer that is there already, in its turn.
  func answer(_ bytes: [UInt8]) {
    slots.append(.done(bytes))
    owed += bytes.count
  }

  /// One that stands behind the first slot, which is being written piece by piece.
  func answerNext(_ bytes: [UInt8]) {
    slots.insert(.done(bytes), at: 1)
    owed += bytes.count
  }

  /// What a slot waited for has come.
  func replace(_ index: Int, _ slot: Slot) {
    slots[index] = slot
    if case .done(let bytes) = slot { owed += bytes.count }
  }

  /// The first slots are dealt with.
  func removeSlots(_ count: Int) {
    for case .done(let bytes) in slots[..<count] { owed -= bytes.count }
    slots.removeFirst(count)
  }

  /// Everything written has gone, or nobody will read it.
  func drained() {
    budget.remove(outstanding)
    outstanding = 0
  }

  /// So much of what it was told with others has not gone.
  func kept(_ count: Int) {
    outstanding += count
    budget.add(count)
  }

  func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    outstanding += bytes.count
    budget.add(bytes.count)
    effects.act(.client(id, .write(bytes)))
  }
}

/// Where a message of mine stands, for those who know its id: found without reading it.
struct MessagePlace {
  let account: UInt32
  /// The conversation's bare JID.
  let jid: String
  let time: Timestamp
}
