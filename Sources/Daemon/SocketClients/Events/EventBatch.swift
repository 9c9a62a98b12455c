import ConfabAccounts

/// The events that came together, made ready once for all watchers that have had what came before and wait for nothing
/// else: of a thousand, nearly all. Every other client is left to `Clients.attend`.
struct EventBatch {
  /// The positions of a watch before and behind the batch.
  private let start: EventFeed.Position
  fileprivate let end: EventFeed.Position
  private let lines: [EventLine]
  /// All lines.
  let bytes: [UInt8]
  /// So much may be written to one client.
  private let space: Int
  /// The clients that want all of it.
  private(set) var audience: [ClientID] = []

  init(_ lines: [EventLine], from start: EventFeed.Position, to end: EventFeed.Position, space: Int) {
    (self.start, self.end, self.lines, self.space) = (start, end, lines, space)
    bytes = lines.count == 1 ? lines[0].line([]) : lines.flatMap { $0.line([]) }
  }

  /// True if the batch is all that there is to be done for this client.
  mutating func deliver(to client: Client) -> Bool {
    guard client.isQuiet, client.output.pendingBytes == 0, bytes.count <= space, let share = client.watch?.take(self)
    else {
      return false
    }
    if share == .all { audience.append(client.id) }
    return true
  }

  /// True if a watch may take part, by its position.
  fileprivate func suits(_ watch: borrowing Watch) -> Bool {
    watch.position == start && watch.catchingUpTo == nil && watch.tag.isEmpty
  }

  /// How much of it a watch wants; nil: some lines of many.
  fileprivate func share(of watch: borrowing Watch) -> Share? {
    let wanted = lines.count { watch.wants($0) }
    return wanted == 0 ? .nothing : wanted == lines.count ? .all : nil
  }

  enum Share { case nothing, all }
}

extension Watch {
  /// Takes its share, if that is all or nothing; nil if the watch has to be looked at by itself.
  fileprivate mutating func take(_ batch: borrowing EventBatch) -> EventBatch.Share? {
    guard batch.suits(self), let share = batch.share(of: self) else { return nil }
    (position, cursor) = (batch.end, nil)
    return share
  }
}
