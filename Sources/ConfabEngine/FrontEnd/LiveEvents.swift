import LineProtocol

/// The events that became durable together, made ready once for all who heard what was before them and wait for nothing
/// else: of a thousand who watch, nearly all. Whoever is no such client is left to `attend`.
struct LiveEvents {
  /// They have heard everything up to this number, and with this everything that is durable.
  let (after, durable): (UInt64, UInt64)
  /// They have heard the ephemeral news up to this number.
  private let news: UInt64
  private let lines: ArraySlice<EventLine>
  /// All lines.
  let bytes: [UInt8]
  /// So much may be written to one of them.
  private let room: Int
  /// Those who want to hear all of it.
  private(set) var audience: [ClientID] = []

  init?(_ feed: EventFeed, after: UInt64, durable: UInt64, news: UInt64, room: Int) {
    guard let lines = feed.lines(after: after) else { return nil }
    (self.after, self.durable, self.news, self.lines, self.room) = (after, durable, news, lines, room)
    bytes = lines.count == 1 ? lines[lines.startIndex].line([]) : lines.flatMap { $0.line([]) }
  }

  /// True where this client has had its turn.
  mutating func tell(_ client: Client) -> Bool {
    guard client.isQuiet, client.outstanding == 0, bytes.count <= room, let share = client.watch?.take(self) else {
      return false
    }
    if share == .all { audience.append(client.id) }
    return true
  }

  /// Whether a watch may take part, by how far it is.
  fileprivate func suits(_ watch: borrowing Watch) -> Bool {
    watch.told == after && watch.heard == news && watch.catchingUpTo == nil && watch.tag.isEmpty
  }

  /// How much of it a watch wants to hear; nil: some lines of many.
  fileprivate func share(of watch: borrowing Watch) -> Share? {
    let wanted = lines.count { watch.wants($0) }
    return wanted == 0 ? .nothing : wanted == lines.count ? .all : nil
  }

  enum Share { case nothing, all }
}

extension Watch {
  /// Takes its share, if that is all or nothing; nil where it has to be looked at by itself.
  fileprivate mutating func take(_ events: borrowing LiveEvents) -> LiveEvents.Share? {
    guard events.suits(self), let share = events.share(of: self) else { return nil }
    (told, cursor) = (events.durable, nil)
    return share
  }
}
