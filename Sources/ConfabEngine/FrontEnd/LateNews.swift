import Conversations
import LineProtocol

/// Ephemeral news that somebody who watches has not been told yet, once for all of them: only what it is about, for what is
/// told is how things stand then. A watch remembers the number of the piece up to which it was told, so that who does not
/// read costs nothing more. Bounded, since strangers make news too: the oldest are not told.
struct LateNews {
  static let maximum = 10_000
  /// Where sections changed is said of the newest only; of what is older, in which conversation.
  static let exact = 256

  struct Piece {
    /// Grows from each to the next.
    let number: UInt64
    let notice: Notice
  }

  /// Oldest first. Some are out of date: what they are about is said again further on.
  private var pieces: [Piece] = []
  /// The present piece about each thing.
  private var numbers: [Notice: UInt64] = [:]
  private var tidiesAt = 2 * exact
  /// The number of the newest piece there ever was.
  private(set) var newest: UInt64 = 0

  /// How many there are.
  var count: Int { numbers.count }

  /// Takes a piece; the one about the same thing is out of date.
  mutating func add(_ notice: Notice) {
    newest += 1
    numbers[notice] = newest
    pieces.append(Piece(number: newest, notice: notice))
    if pieces.count >= tidiesAt { tidy() }
  }

  /// The pieces behind that number, oldest first.
  func pieces(after number: UInt64) -> some Sequence<Piece> {
    let start = pieces.partitioningIndex { $0.number > number }
    return pieces[start...].lazy.filter { numbers[$0.notice] == $0.number }
  }

  /// Everybody has been told up to that number.
  mutating func forget(upTo number: UInt64) {
    guard number >= newest else { return }
    let isSmall = pieces.count <= Self.exact
    pieces.removeAll(keepingCapacity: isSmall)
    numbers.removeAll(keepingCapacity: isSmall)
    tidiesAt = 2 * Self.exact
  }

  /// Leaves out what is out of date, the details of what is old, and the oldest where there is too much. So seldom that each
  /// piece has its part in it only a few times.
  private mutating func tidy() {
    pieces = pieces.compactMap { piece in
      guard numbers[piece.notice] == piece.number else { return nil }
      guard newest - piece.number >= Self.exact, let coarse = piece.notice.coarse else { return piece }
      numbers[piece.notice] = nil
      guard numbers[coarse] ?? 0 < piece.number else { return nil }
      numbers[coarse] = piece.number
      return Piece(number: piece.number, notice: coarse)
    }
    if pieces.count > Self.maximum {
      for piece in pieces.dropLast(Self.maximum / 2) where numbers[piece.notice] == piece.number {
        numbers[piece.notice] = nil
      }
      pieces = Array(pieces.suffix(Self.maximum / 2))
    }
    tidiesAt = max(2 * Self.exact, min(2 * pieces.count, Self.maximum + 1))
  }
}

extension Notice {
  var kind: EventKind {
    switch self {
    case .connection: .connection
    case .presence: .presence
    case .resection: .resection
    case .storage: .storage
    }
  }

  /// The account that the event is about; 0: the whole daemon.
  var account: UInt32 {
    switch self {
    case .storage: 0
    case .connection(let account), .presence(let account, _), .resection(let account, _, _, _): account
    }
  }

  /// The contact or conversation; nil: the account as a whole.
  var jid: String? {
    switch self {
    case .connection, .storage: nil
    case .presence(_, let jid), .resection(_, let jid, _, _): jid
    }
  }

  /// The same without its details, where it has any.
  fileprivate var coarse: Notice? {
    guard case .resection(let account, let jid, let from, let to) = self, from != nil || to != nil else { return nil }
    return .resection(account: account, jid: jid, from: nil, to: nil)
  }
}
