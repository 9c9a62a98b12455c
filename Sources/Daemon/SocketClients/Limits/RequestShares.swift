import ConfabAccounts
import LineProtocol
import Records
import State

/// The bytes of requests that clients have here, each user a fair share: of requests that wait for their answers, and
/// of input that is no whole request. And who may queue how many messages.
struct RequestShares {
  private static let most = 16 << 20

  /// Requests that are answered out of order.
  private var waiting: FairShares
  /// Bytes that came and are no whole request, or none that could be taken up.
  private var input: FairShares

  init(owner: UInt32) {
    (waiting, input) = (FairShares(owner: owner, total: Self.most), FairShares(owner: owner, total: Self.most))
  }

  /// True if a request may be answered out of order.
  func hasSpace(for request: Request, of client: Client) -> Bool {
    waiting.space(for: client.caller.user) >= request.heldBytes
  }

  /// The most of an account's queue for other users' messages, in units of `QueueShare`: the owner's next message is
  /// not far behind.
  private static let mostQueued = 1000

  /// True if a client may add a message to the queue of an account. The owner and root always may.
  ///
  /// - Parameter shares: those of users in the queue, in units of `QueueShare`.
  func hasQueueSpace(for message: MessageRecord, of client: Client, in shares: @autoclosure () -> [UInt32: Int]) -> Bool
  {
    var queue = FairShares(owner: waiting.owner, total: Self.mostQueued)
    if queue.isOwn(client.caller.user) { return true }
    for (user, units) in shares() where !queue.isOwn(user) { queue.take(units, user) }
    return queue.space(for: client.caller.user) >= QueueShare.units(of: message)
  }

  /// A request is answered out of order.
  mutating func beginWaiting(_ request: Request, _ client: Client) {
    client.waitCount += 1
    waiting.take(request.heldBytes, client.caller.user)
  }

  /// It has been answered, or need not be any more.
  mutating func endWaiting(_ request: Request, _ client: Client) {
    client.waitCount -= 1
    waiting.giveBack(request.heldBytes, client.caller.user)
  }

  /// Counts what a client has sent and could not be taken up. False if that is too much of an unfinished request; what
  /// only waits for its turn is bounded by not being read.
  mutating func countInput(of client: Client) -> Bool {
    let (held, user) = (client.requests.heldBytes, client.caller.user)
    let more = held - client.countedInput
    if more > 0, !client.isPaused, !client.isClosing, input.space(for: user) < more { return false }
    more > 0 ? input.take(more, user) : input.giveBack(-more, user)
    client.countedInput = held
    return true
  }

  /// Nothing is to come of the input of a client any more.
  mutating func dropInput(of client: Client) {
    input.giveBack(client.countedInput, client.caller.user)
    client.countedInput = 0
  }
}
