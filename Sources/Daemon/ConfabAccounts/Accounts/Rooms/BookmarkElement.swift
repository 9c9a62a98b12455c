import XML
import XMPPCore
import XMPPExtensions

/// The bookmarks of an account that has them in one element (XEP-0048, in XEP-0049). Clients change all of it at once, so
/// it is read right before a change and again behind it: a change that another client has overwritten is made again.
final class BookmarkElement {
  /// Changes in a row until it is left as it is.
  private static let mostRounds = 3
  /// The length of an element that is still written.
  private static let mostBytes = 200_000

  private let requests: Requests
  /// Takes all that is there.
  var taken: ([RoomBookmark]) -> Void = { _ in }
  /// The bookmarks that are to be there, and are not.
  var missing: () -> [RoomBookmark] = { [] }
  private var isUnderway = false
  /// Something changed meanwhile.
  private var isWanted = false

  init(_ requests: Requests) { self.requests = requests }

  func answersAreLost() { (isUnderway, isWanted) = (false, false) }

  /// Makes the element and the rooms equal.
  func synchronise() {
    guard !isUnderway else { return isWanted = true }
    (isUnderway, isWanted) = (true, false)
    read(round: 0)
  }

  private func read(round: Int) {
    requests.ask {
      PrivateStorage.request(id: $0)
    } then: { [weak self] answer in
      // An element that cannot be read as a whole is not written.
      guard case .result(let iq) = answer, let stored = PrivateStorage.bookmarks(in: iq) else {
        return self?.end() ?? ()
      }
      self?.take(stored, round: round)
    }
  }

  private func take(_ stored: BookmarkStorage, round: Int) {
    taken(stored.rooms)
    let missing = missing()
    guard !missing.isEmpty, round < Self.mostRounds else { return end() }
    var changed = stored
    for bookmark in missing { changed.set(bookmark) }
    guard changed != stored, changed.byteCount <= Self.mostBytes else { return end() }
    requests.ask {
      PrivateStorage.store(changed, id: $0)
    } then: { [weak self] answer in
      if case .result = answer { self?.read(round: round + 1) } else { self?.end() }
    }
  }

  private func end() {
    isUnderway = false
    if isWanted { synchronise() }
  }
}
