import ConfabAccounts
import LineProtocol
import ConfabConfiguration
/// One front end's connection: its requests, the answers that it is owed, in their order, and its watch.
final class Client {
  let id: ClientID
  let caller: Caller
  let socket: ServedSocket
  let output: ClientOutput
  var requests: RequestQueue
  var answers = AnswerQueue()
  /// The newest record that a request of this client appended: a query waits until it is durable.
  var lastAppended: UInt64 = 0
  var watch: Watch?
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
    (self.id, self.caller, self.socket) = (id, caller, socket)
    output = ClientOutput(to: id, budget, effects)
    requests = RequestQueue(rights: socket.rights)
  }

  /// There is room for another request.
  var takesRequests: Bool {
    !isClosing && !isCopying && output.space > answers.bytes && answers.count + waitCount < output.mostRequests
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

  /// Refuses the requests that wait for records after `durable`, which are given up.
  func refuseUnstored(_ failure: RequestFailure, durable: UInt64) {
    answers.refuseUnstored(failure, durable: durable)
    lastAppended = min(lastAppended, durable)
  }
}
