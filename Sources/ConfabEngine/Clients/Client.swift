import Clocks
import LineProtocol
import Settings

/// One front end's connection: its requests, the answers that it is owed, in their order, and its watch.
final class Client {
  let id: ClientID
  let caller: Caller
  let socket: ServedSocket
  var requests: RequestQueue
  var answers = AnswerQueue()
  /// Answers with descriptors that are owed, or not yet handed to the kernel.
  var descriptorDebt = 0
  /// How many of them were written since it was last reported that all had gone.
  private var passedCount = 0
  private let budget: OutputBudget
  private let effects: Effects
  /// Bytes handed to the driver since it last reported that all had gone.
  private(set) var pendingOutput = 0
  /// The newest record that a request of this client appended: a query waits until it is durable.
  var lastAppended: UInt64 = 0
  var watch: Watch?
  /// Nobody reads what is written to it: long answers and events are not made, and queries are not taken up.
  var writeFailed = false
  /// After `quit`, or for a client that lost its rights: no further request is taken up.
  var isClosing = false
  var isPaused = false
  /// Files of a request are being read: what it asked behind that comes after it.
  var isCopying = false
  /// Answers out of the order of the requests that are still owed: `wait`, `search` and the like.
  var waitCount = 0
  /// How many bytes of its input are counted as not taken up.
  var countedInput = 0

  init(_ id: ClientID, _ caller: Caller, _ socket: ServedSocket, _ budget: OutputBudget, _ effects: Effects) {
    (self.id, self.caller, self.socket, self.budget, self.effects) = (id, caller, socket, budget, effects)
    requests = RequestQueue(rights: socket.rights)
  }

  /// How many bytes may still be made for it.
  var room: Int { budget.allowance - pendingOutput }

  var isCongested: Bool { room <= 0 }

  /// The most bytes of events that wait for a watcher, not counting the line that passes the limit. A slow watcher's
  /// further events are read from the log later, so that a thousand stalled watchers cost 32 MiB. (Answers are stored
  /// nowhere else and are not limited by this.)
  static let mostEvents = 32 << 10

  /// How many more bytes of events may be buffered for the watcher.
  var eventRoom: Int { min(room, Self.mostEvents - pendingOutput) }

  /// The most answers with descriptors that one client may be owed; its next request for one waits.
  static let mostDescriptors = 16

  /// There is room for another request.
  var takesRequests: Bool {
    !isClosing && !isCopying && room > answers.bytes && answers.count + waitCount < budget.limits.requests
  }

  /// Everything owed has been written, and no request will follow: the connection can be closed. A watch goes on until
  /// the client closes altogether, or says `quit`.
  var isOver: Bool {
    guard answers.isEmpty, waitCount == 0 else { return false }
    return isClosing || requests.hasEnded && watch == nil && requests.isEmpty
  }

  /// No request waits to be taken up or answered, and the client is neither paused nor closing.
  var isQuiet: Bool { !requests.mayHaveMore && !isPaused && !isClosing && !requests.hasEnded && answers.isEmpty }

  /// One of its requests waits for a record behind this one.
  func waitsForRecord(after durable: UInt64) -> Bool { lastAppended > durable || answers.wait(after: durable) }

  /// What is not durable is given up: the requests that wait for it are refused.
  func refuseUnstored(_ failure: RequestFailure, durable: UInt64) {
    answers.refuseUnstored(failure, durable: durable)
    lastAppended = min(lastAppended, durable)
  }

  /// Everything written has gone, or the connection has.
  func drained() {
    budget.remove(pendingOutput)
    pendingOutput = 0
    descriptorDebt -= passedCount
    passedCount = 0
  }

  /// So many bytes wait to be handed to the kernel.
  func addPendingOutput(_ count: Int) {
    pendingOutput += count
    budget.add(count)
  }

  func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    addPendingOutput(bytes.count)
    effects.act(.client(id, .write(bytes)))
  }

  /// Writes a line with which a descriptor goes.
  func write(_ line: [UInt8], passing descriptor: DescriptorID) {
    addPendingOutput(line.count)
    passedCount += 1
    effects.act(.client(id, .writePassing(line, descriptor)))
  }
}

/// The requests of a client that have not been taken up.
struct RequestQueue {
  private var reader: LineReader
  /// The next item, which could not be taken up yet.
  private var deferred: LineItem?
  /// There may be an item, or a part of one. Kept beside `reader`, which is copied when it is asked: for a thousand
  /// watchers that is a tenth of what an event costs.
  private(set) var mayHaveMore = false
  /// The client closed its writing side.
  private(set) var hasEnded = false
  /// How many items were taken from the reader.
  private var takenCount = 0
  private var descriptors = DescriptorQueue()

  init(rights: Rights) { reader = LineReader(rights: rights) }

  var isEmpty: Bool { deferred == nil && reader.isEmpty }

  /// Bytes that are not taken up.
  var heldBytes: Int { reader.heldBytes }

  /// An item waits until it can be taken up.
  var isDeferred: Bool { deferred != nil }

  mutating func append(_ bytes: [UInt8]) {
    reader.append(bytes)
    mayHaveMore = true
  }

  /// The same for bytes that came with descriptors.
  ///
  /// - Returns: the descriptors that belong to no request, or are too many.
  mutating func append(_ bytes: [UInt8], _ descriptors: [DescriptorID]) -> [DescriptorID] {
    mayHaveMore = true
    guard let place = reader.appendWithDescriptors(bytes) else { return descriptors }
    return self.descriptors.append(descriptors, for: takenCount + place)
  }

  /// How many descriptors the item has that was taken last.
  var descriptorCount: Int { descriptors.count(for: takenCount - 1) }

  /// Takes the descriptors of the item that was taken last.
  mutating func takeDescriptors() -> [DescriptorID] {
    descriptors.isEmpty ? [] : descriptors.take(for: takenCount - 1)
  }

  /// Takes the descriptors of all items.
  mutating func takeAllDescriptors() -> [DescriptorID] { descriptors.takeAll() }

  mutating func end() {
    reader.end()
    (mayHaveMore, hasEnded) = (true, true)
  }

  /// The next item to be taken up; nil until more comes.
  mutating func next() -> LineItem? {
    if let item = deferred.take() { return item }
    guard let item = reader.next() else {
      mayHaveMore = !reader.isEmpty
      return nil
    }
    takenCount += 1
    return item
  }

  /// The item could not be taken up; it is the next one again.
  mutating func deferItem(_ item: LineItem) { deferred = item }
}
