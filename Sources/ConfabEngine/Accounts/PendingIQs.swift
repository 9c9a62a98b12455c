import Clocks
import XML
import XMPPCore

/// The requests (iq get and set) that wait for an answer, each under its own id (HARDENING 29).
struct PendingIQs {
  /// What to do with the answer.
  enum Purpose {
    case roster
    case rosterChange(Ticket)
    /// A ping that went out behind messages, without stream management: its answer says that they arrived.
    case ping(upTo: UInt64)
  }

  /// How long an answer may take.
  static let patience = Interval.seconds(30)

  private var byID: [String: (purpose: Purpose, deadline: Instant)] = [:]
  private let prefix: String
  private var count: UInt64 = 0

  /// `prefix` is random, so that no stranger can guess an id.
  init(prefix: String) { self.prefix = prefix }

  var deadline: Instant? { byID.values.map(\.deadline).min() }

  /// Registers a request and gives it its id.
  mutating func register(_ purpose: Purpose, at now: Instant) -> String {
    count += 1
    let id = "\(prefix)-\(count)"
    byID[id] = (purpose, now.advanced(by: Self.patience))
    return id
  }

  /// Takes the request that an answer belongs to: the id is ours and the sender is who was asked, our own account or
  /// its server (RFC 6120, 8.1.2.1: an absent `from` is our account).
  mutating func take(_ header: StanzaHeader, own: JID) -> Purpose? {
    guard let id = header.id, let entry = byID[id], isOwn(header, own) else { return nil }
    byID[id] = nil
    return entry.purpose
  }

  /// Takes those whose time ran out.
  mutating func takeOverdue(at now: Instant) -> [Purpose] {
    let overdue = byID.filter { $0.value.deadline <= now }
    for id in overdue.keys { byID[id] = nil }
    return overdue.values.map(\.purpose)
  }

  /// Takes all: the stream ended.
  mutating func takeAll() -> [Purpose] {
    defer { byID.removeAll() }
    return byID.values.map(\.purpose)
  }

  private func isOwn(_ header: StanzaHeader, _ own: JID) -> Bool {
    guard header.from != nil else { return true }
    guard let from = header.fromJID else { return false }
    return from == own || from == own.bare || from.description == own.domain
  }
}
