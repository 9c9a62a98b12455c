import LineProtocol

/// Moving one client forward.
extension FrontEnd {
  /// Writes what is ready, takes up what can be taken up, until nothing moves.
  func advance(_ client: Client, _ desk: Desk) {
    guard self.client(client.id) === client else { return }
    var moved = true
    while moved {
      moved = flush(client, desk)
      moved = takeUp(client, desk) || moved
    }
    pumpWatch(client, desk)
    pace(client, desk)
    if client.isOver {
      desk.effects.act(.client(client.id, .close))
      forget(client)
    }
  }

  /// The same where perhaps nothing but its watch moves: of a thousand who watch, few do anything else.
  func attend(_ client: Client, _ desk: Desk) {
    // Before somebody reads what it was told nothing moves.
    guard !client.isCongested || !client.isPaused else { return }
    guard client.isQuiet else { return advance(client, desk) }
    pumpWatch(client, desk)
    if client.isCongested { pace(client, desk) }
  }

  /// Writes the answers whose turn has come; true if any.
  private func flush(_ client: Client, _ desk: Desk) -> Bool {
    var bytes: [UInt8] = []
    var count = 0
    while count < client.slots.count, bytes.count < client.room {
      guard let line = answer(client.slots[count], client, room: client.room - bytes.count, desk) else { break }
      if bytes.isEmpty { bytes = line.bytes } else { bytes += line.bytes }
      if let rest = line.rest {
        client.replace(count, .paging(rest))
        break
      }
      count += 1
    }
    client.removeSlots(count)
    client.write(bytes)
    return !bytes.isEmpty || count > 0
  }

  /// The bytes of an answer, and what is left of a long one; nil where its time has not come.
  private func answer(
    _ slot: Client.Slot, _ client: Client, room: Int, _ desk: Desk
  ) -> (bytes: [UInt8], rest: PagedAnswer?)? {
    switch slot {
    case .done(let bytes): return (bytes, nil)
    case .ticket, .refused: return nil
    case .paging where client.isDeaf: return ([], nil)
    case .paging(var page):
      let bytes = page.next(desk, room: room)
      return (bytes, page.isDone ? nil : page)
    case .stored(let sequence, let request, let completion):
      guard sequence <= desk.storage.queue.durable else { return nil }
      return (complete(request, sequence, completion, client, desk), nil)
    }
  }

  /// Takes up requests as long as they may be; true if any.
  private func takeUp(_ client: Client, _ desk: Desk) -> Bool {
    var any = false
    while takesRequests(client, desk) {
      guard let item = client.nextItem() else { break }
      guard mayStart(item, client, desk) else {
        client.block(item)
        break
      }
      any = true
      start(item, client, desk)
    }
    return any
  }

  /// Bytes that wait for the disk at which no request is taken up: it goes on with the next sync.
  static let backlogLimit = 4 << 20

  private func takesRequests(_ client: Client, _ desk: Desk) -> Bool {
    client.takesRequests && desk.storage.queue.backlog < Self.backlogLimit
  }

  /// A query waits until everything asked before it is answered, and so sees its effect, and so does what depends on
  /// the contacts as they are; a repeat of a key waits for the first one's fate.
  private func mayStart(_ item: LineItem, _ client: Client, _ desk: Desk) -> Bool {
    guard case .request(let request) = item, client.socket.rights.allow(request) else { return true }
    guard desk.storage.replayed == nil || Self.needsNoFacts(request) else { return false }
    if request.verb == .search, !searches.hasRoom(for: client.id) { return false }
    if request.kind == .query || [.remove, .accept, .deny].contains(request.verb) {
      return client.slots.isEmpty && client.lastAppended <= desk.storage.queue.durable
    }
    if let key = request.string(.key), let account = try? desk.account(of: request) {
      return !underWay.hasKey(key, of: account.number, client.socket.name)
    }
    return true
  }

  private static func needsNoFacts(_ request: Request) -> Bool {
    request.verb == .status ? request.string(.for) == nil : [.ping, .help, .version, .quit].contains(request.verb)
  }

  private func start(_ item: LineItem, _ client: Client, _ desk: Desk) {
    switch item {
    case .failure(let failure): client.answer(Lines.failure(failure, failure.tag))
    case .request(let request) where client.isDeaf && request.kind == .query: break
    case .request(let request):
      let rights = client.socket.rights
      do throws(RequestFailure) {
        guard rights.allow(request) else { throw rights.refusal(of: request) }
        try perform(request, client, desk)
      } catch {
        refuse(request, error, client)
      }
    }
  }

  /// Stops reading a client that has asked more than it takes the answers of.
  private func pace(_ client: Client, _ desk: Desk) {
    let shouldPause = client.isBlocked || !takesRequests(client, desk)
    guard shouldPause != client.isPaused else { return }
    client.isPaused = shouldPause
    desk.effects.act(.client(client.id, shouldPause ? .pause : .resume))
  }
}
