package import Clocks
import Timelines
/// Selects the `limit` newest conversations of those offered, or of those after a given place.
package struct NewestConversations {
  private let limit: Int
  private let now: Timestamp
  /// Only conversations after this place in the order are wanted.
  private let bound: Conversation.Place?
  private let isWanted: (Conversation) -> Bool
  private var list: [(newest: Conversation.Place, conversation: Conversation)] = []
  /// The last of `limit` conversations selected: older ones are not wanted; nil: there are fewer yet.
  private var oldest: Conversation.Place?

  /// - Parameters:
  ///   - now: messages dated later are not counted.
  ///   - bound: the place of another conversation; only conversations after it are wanted.
  ///   - isWanted: leaves others out.
  package init(
    _ limit: Int, now: Timestamp, behind bound: Conversation.Place? = nil,
    isWanted: @escaping (Conversation) -> Bool = { _ in true }
  ) {
    (self.limit, self.now, self.bound, self.isWanted) = (limit, now, bound, isWanted)
  }

  /// Nothing as old as that is wanted.
  func isBeyond(_ time: Timestamp) -> Bool { limit == 0 || oldest.map { time < $0.time } ?? false }

  /// True if a conversation whose newest message has this time may be wanted.
  func mayWant(_ time: Timestamp) -> Bool {
    !isBeyond(time) && (time > now || bound.map { time <= $0.time } ?? true)
  }

  package mutating func insert(_ conversation: Conversation) {
    guard let place = conversation.place(asOf: now), bound.map({ Conversation.precedes(place, $0) }) ?? true,
      oldest.map({ Conversation.precedes($0, place) }) ?? (limit > 0), isWanted(conversation)
    else { return }
    list.append((place, conversation))
    guard list.count >= 2 * limit else { return }
    sort()
    list.removeSubrange(limit...)
    oldest = list.last?.newest
  }

  /// The newest first.
  package mutating func sorted() -> [Conversation] {
    sort()
    return list.prefix(limit).map(\.conversation)
  }

  private mutating func sort() { list.sort { Conversation.precedes($1.newest, $0.newest) } }
}
