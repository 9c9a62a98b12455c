import ConfabAccounts
import Clocks
import LineProtocol
import State

/// Moving one client forward.
extension Clients {
  /// Writes what is ready, takes up what can be taken up, until nothing moves.
  func advance(_ client: Client) {
    guard self[client.id] === client else { return }
    var moved = true
    while moved {
      moved = flush(client)
      moved = takeUp(client) || moved
    }
    watchers.advance(client)
    pace(client)
    if client.isOver {
      context.effects.act(.client(client.id, .close))
      forget(client)
    }
  }

  /// Advances a client of which perhaps only the watch moves: of a thousand watchers, few do anything else.
  func attend(_ client: Client) {
    // Nothing moves before it reads what was written to it.
    guard !client.output.isCongested || !client.isPaused else { return }
    guard client.isQuiet else { return advance(client) }
    watchers.advance(client)
    if client.output.isCongested { pace(client) }
  }

  /// Writes the answers whose turn has come; true if any.
  private func flush(_ client: Client) -> Bool {
    var bytes: [UInt8] = []
    var count = 0
    while count < client.answers.count, bytes.count < client.output.space {
      if case .passing(let line, let descriptor, let sequence) = client.answers[count] {
        guard sequence <= context.storage.queue.durable else { break }
        client.output.write(bytes)
        client.output.write(line, passing: descriptor)
        bytes = []
        count += 1
        continue
      }
      guard let answer = answer(client.answers[count], client, space: client.output.space - bytes.count) else { break }
      if bytes.isEmpty { bytes = answer.bytes } else { bytes += answer.bytes }
      if let rest = answer.rest {
        client.answers.replace(count, .paging(rest))
        break
      }
      count += 1
    }
    client.answers.removeFirst(count)
    client.output.write(bytes)
    return !bytes.isEmpty || count > 0
  }

  /// The bytes of an answer, and what is left of a long one; nil if its time has not come.
  private func answer(
    _ slot: AnswerQueue.Slot, _ client: Client, space: Int
  ) -> (bytes: [UInt8], rest: PagedAnswer?)? {
    switch slot {
    case .done(let bytes): return (bytes, nil)
    case .ticket, .refused, .passing: return nil
    case .paging where client.output.hasFailed: return ([], nil)
    case .paging(var page):
      return ifWhole { (page.next(context, space: space), page.isDone ? nil : page) }
    case .page(let sequence, let request):
      guard sequence <= context.storage.queue.durable else { return nil }
      return ifWhole { command(request, client).page(space) }
    case .stored(let sequence, let request, let completion):
      guard sequence <= context.storage.queue.durable else { return nil }
      return ifWhole { (command(request, client).complete(sequence, completion), nil) }
    }
  }

  /// The result of `make`; nil if the state is not whole before or after it.
  private func ifWhole<Made>(_ make: () -> Made) -> Made? {
    guard context.storage.isWhole else { return nil }
    let made = make()
    return context.storage.isWhole ? made : nil
  }

  private func command(_ request: Request, _ client: Client) -> Command {
    Command(request: request, client: client, clients: self, context: context)
  }

  /// Takes up requests as long as that is allowed; true if any.
  private func takeUp(_ client: Client) -> Bool {
    var any = false
    while takesRequests(client) {
      guard let item = client.requests.next() else { break }
      guard mayStart(item, client) else {
        client.requests.deferItem(item)
        break
      }
      any = true
      start(item, client)
    }
    return any
  }

  /// Bytes that wait for the disk at which no request is taken up: it goes on with the next sync.
  static let backlogLimit = 4 << 20

  private func takesRequests(_ client: Client) -> Bool {
    client.takesRequests && context.storage.queue.backlog < Self.backlogLimit
  }

  /// A query waits until everything asked before it is answered, and so sees its effect, and so does what depends on
  /// the contacts, or on conversations, as they are; a repeat of a key waits for the first one's fate.
  private func mayStart(_ item: LineItem, _ client: Client) -> Bool {
    guard case .request(var request) = item, client.socket.rights.allow(request) else { return true }
    request = (try? client.socket.confined(request, to: context.accounts)) ?? request
    // Its answer reaches nobody: it is passed over.
    if client.output.hasFailed, request.kind == .query { return true }
    guard context.storage.isWhole || Self.needsNoState(request) else { return false }
    guard !request.needsEmoticons || context.emoticons.areRead(context.effects) else { return false }
    if request.row.givesDescriptor, !client.output.mayOweDescriptor { return false }
    if request.verb == .search, !searches.hasSpace(for: client.id) { return false }
    if request.kind == .query || [.remove, .accept, .deny, .forgetHistory].contains(request.verb) || request.isSet(.all)
    {
      return client.answers.isEmpty && client.lastAppended <= context.storage.queue.durable
    }
    if let key = request.string(.key), let account = try? context.account(of: request) {
      return !context.storage.pending.hasKey(key, of: account.number, client.socket.name)
        && !reservedKeys.has(request, of: client, context)
    }
    return true
  }

  private static func needsNoState(_ request: Request) -> Bool {
    request.verb == .status ? request.string(.for) == nil : [.ping, .help, .version, .quit].contains(request.verb)
  }

  private func start(_ item: LineItem, _ client: Client) {
    attendance.noteRequest(at: context.effects.now.instant)
    defer { if !client.requests.isDeferred { close(client.requests.takeDescriptors()) } }
    switch item {
    case .failure(let failure): client.answers.append(failure.line())
    case .request(let request) where client.output.hasFailed && request.kind == .query: break
    case .request(let request):
      let (wasWhole, answers, appended) = (context.storage.isWhole, client.answers.count, client.lastAppended)
      perform(request, client)
      guard wasWhole, !context.storage.isWhole else { break }
      // It met damage of the index: nothing was appended, and it is taken up again once the index is made anew.
      client.answers.removeLast(client.answers.count - answers)
      client.lastAppended = appended
      client.requests.deferItem(item)
    }
  }

  private func perform(_ request: Request, _ client: Client) {
    let rights = client.socket.rights
    do throws(RequestFailure) {
      guard rights.allow(request) else { throw rights.refusal(of: request) }
      let request = try client.socket.confined(request, to: context.accounts)
      try checkDescriptors(of: request, client)
      if request.mayOvertake, !shares.hasSpace(for: request, of: client) {
        throw RequestFailure(.limit, "too many requests of this user wait for their answers")
      }
      try command(request, client).perform()
    } catch {
      client.answers.append(refusal(of: request, error))
    }
  }

  private func checkDescriptors(of request: Request, _ client: Client) throws(RequestFailure) {
    let wanted = request.row.descriptors
    guard wanted.upperBound > 0 else { return }
    let count = client.requests.descriptorCount
    guard !wanted.contains(count) else { return }
    let most = wanted.count == 1 ? "\(wanted.upperBound)" : "\(wanted.lowerBound) to \(wanted.upperBound)"
    throw RequestFailure(
      .badArgument, "\(request.verb.rawValue) takes \(most) descriptors with its line, and \(count) came",
      argument: "descriptor")
  }

  /// Stops reading a client that has asked more than it takes the answers of.
  private func pace(_ client: Client) {
    let shouldPause = client.requests.isDeferred || !takesRequests(client)
    guard shouldPause != client.isPaused else { return }
    client.isPaused = shouldPause
    context.effects.act(.client(client.id, shouldPause ? .pause : .resume))
  }
}
