import Clocks
import Records
import XMPPExtensions

/// Decides whose coming and going stands in the history of a room (docs/PROTOCOL.md, `noise`).
struct NoiseFilter {
  /// Somebody who spoke so long ago is worth an event.
  private static let before = Interval.minutes(5)
  /// So is somebody who speaks so soon.
  private static let after = Interval.minutes(30)
  /// Occupants, and events that wait for a word of theirs.
  private static let most = 1_000

  /// An event, and when it was.
  typealias Noise = (event: OccupantEvent, at: Timestamp)

  private var spoken: [String: Instant] = [:]
  private var waiting: [(noise: Noise, since: Instant)] = []

  /// Somebody speaks: the events that stand in the history after all, oldest first.
  mutating func spoke(_ nick: String, at now: Instant) -> [Noise] {
    if spoken.count >= Self.most { spoken = spoken.filter { now - $0.value <= Self.before } }
    if spoken.count < Self.most { spoken[nick] = now }
    guard !waiting.isEmpty else { return [] }
    waiting.removeAll { now - $0.since > Self.after }
    let found = waiting.filter { $0.noise.event.nick == nick }.map(\.noise)
    waiting.removeAll { $0.noise.event.nick == nick }
    return found
  }

  /// Somebody came or went; true if that stands in the history now.
  mutating func changed(_ noise: Noise, _ kind: RoomNoise?, at now: Instant) -> Bool {
    switch kind {
    case nil: return false
    case .always: return true
    case .smart:
      let names = [noise.event.nick] + (noise.event.was.map { [$0] } ?? [])
      if names.contains(where: { spoken[$0].map { now - $0 <= Self.before } ?? false }) {
        if noise.event.was != nil { spoken[noise.event.nick] = now }
        return true
      }
      if waiting.count == Self.most { waiting.removeFirst() }
      waiting.append((noise, now))
      return false
    }
  }
}

extension OccupantEvent {
  /// Nil for what is no coming or going.
  init?(_ change: OccupantChange) {
    guard [.joined, .left, .nick, .kicked, .banned].contains(change.kind) else { return nil }
    let member = change.member
    self.init(change.kind.rawValue, nick: member.nick)
    (was, by, reason) = (change.was, change.by, change.reason)
    (jid, occupantID) = (member.jid, member.occupantID)
    (affiliation, role) = (member.affiliation?.rawValue, member.role?.rawValue)
  }
}
