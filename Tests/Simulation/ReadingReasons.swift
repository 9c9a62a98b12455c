import Records

/// Why read positions may move: what front ends asked for, and what the users' other devices have displayed. No position
/// moves without a reason.
final class ReadingReasons {
  typealias Key = ReadingWitness.Key

  /// A front end asked to move a position to a message, or before it; 0: to the newest.
  struct Request {
    let key: Key
    let id: UInt64
    let isBack: Bool
    /// How much was durable then.
    let asked: UInt64
  }

  private let world: World
  private let reading: ReadingWitness
  private var requests: [Request] = []
  /// Messages that other devices have displayed, by the ids of their parcels.
  private var displayed: [Key: Set<String>] = [:]

  init(_ world: World, _ reading: ReadingWitness) { (self.world, self.reading) = (world, reading) }

  func note(_ request: Request) { requests.append(request) }

  func noteDisplayed(_ parcel: Parcel) { displayed[parcel.key, default: []].insert(parcel.id) }

  /// Checks a durable position: its message is the one that somebody named.
  ///
  /// - Parameters:
  ///   - message: the message as it came; nil: nothing is read.
  ///   - copies: further records of it. The daemon's own position names them all by the id of the archive.
  func check(_ read: ReadRecord, _ sequence: UInt64, _ message: MessageRecord?, copies: [UInt64]) {
    let key = Key(account: read.account, jid: read.jid)
    let isBack = read.movedBackAt != nil
    let isRequested = requests.contains {
      $0.key == key && $0.isBack == isBack && isMeant($0, read.id, sequence)
    }
    // What cannot be read here has its id alone.
    let name = message?.text.split(separator: " ").first.map(String.init) ?? message?.stanzaID ?? ""
    let isDisplayed = !isBack && displayed[key]?.contains(name) == true && reading.isNews(read, sequence)
    // What I write on another device says that I have read what arrived before it.
    let isMine =
      message.map { $0.author == .otherDevice || $0.isOfRoom && reading.isBeforeMine(read.id, in: key) } ?? false
    let isWritten = !isBack && isMine && reading.isNews(read, sequence)
    let isReadCopy = !isBack && copies.contains { reading.isRead($0, in: key, at: sequence - 1) }
    world.hold(
      isRequested || isDisplayed || isWritten || isReadCopy,
      "\(key.jid) is read up to \(read.id) (\(name)) as \(sequence), and nobody said so")
  }

  private func isMeant(_ request: Request, _ id: UInt64, _ sequence: UInt64) -> Bool {
    let (key, asked) = (request.key, request.asked)
    if request.isBack { return reading.isBefore(id, request.id, in: key, at: sequence, among: asked) }
    return id == request.id || request.id == 0 && reading.isLast(id, in: key, at: sequence, among: asked)
  }

  /// Checks what a front end is told: the position was where it wanted it to be, at some moment since.
  func checkAnswer(to request: Request, _ durable: UInt64) {
    guard request.id != 0 else { return }
    let isSo = (request.asked...durable).contains {
      reading.isRead(request.id, in: request.key, at: $0) != request.isBack
    }
    let wish = request.isBack ? "unread" : "read"
    world.hold(isSo, "\(request.key.jid) is said to be \(wish) from \(request.id), and the log says otherwise")
  }
}
