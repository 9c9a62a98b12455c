import Clocks
import Timelines
import State
import Records

/// Finds the messages of a file that the log already has: messages with the same archive id, with the same sender and
/// origin-id, or, archived and live, with the same sender, id and text (as the daemon recognises copies); and, if one
/// of the two has no such id, with the same sender, time and text. By those a message that the log had before is that of
/// one line, and never a line that of another: a file with two of them has two messages. Besides the state, the messages of
/// some moments, the ids of one batch and what lines were found last are in memory.
struct Doubles {
  /// A conversation and a time, to the millisecond.
  private struct Moment: Hashable {
    let account: UInt32
    let jid: String
    let time: Int64
  }

  /// The author and the words of a message. The author is I, the contact of the conversation with any resource, or an
  /// occupant of a room.
  private struct Saying: Hashable {
    let isMine: Bool
    let nick: String?
    let text: String

    init(_ message: MessageRecord) {
      let author = message.author
      (isMine, text) = (author.isMe, message.text)
      nick = if case .occupant(let occupant) = author { occupant.nick } else { nil }
    }
  }

  private struct Named: Hashable {
    let saying: Saying
    let name: String
  }

  /// The texts of one moment, and the records that hold them.
  private struct Texts {
    private var all: [Saying: [UInt64]] = [:]
    /// The messages without a name.
    private var unnamed: [Saying: [UInt64]] = [:]
    /// The messages with a name.
    private var named: [Named: UInt64] = [:]
    /// The approximate size in memory, in bytes.
    private(set) var bytes = 0

    mutating func insert(_ message: MessageRecord, _ id: UInt64) {
      bytes += 300 + message.text.utf8.count
      let saying = Saying(message)
      all[saying, default: []].append(id)
      guard let name = message.name else { return unnamed[saying, default: []].append(id) }
      named[Named(saying: saying, name: name)] = id
    }

    /// The message of the same name.
    func namesake(of message: MessageRecord) -> UInt64? {
      message.name.flatMap { named[Named(saying: Saying(message), name: $0)] }
    }

    /// Candidates by text, as one of the two has no name; those without a name come first.
    func alike(_ message: MessageRecord) -> [UInt64] {
      let saying = Saying(message)
      return (unnamed[saying] ?? []) + (message.name == nil ? all[saying] ?? [] : [])
    }
  }

  /// Bytes of texts in memory, about, at which those are forgotten that the log has.
  private static let mostBytes = 8 << 20
  /// Bytes of one number in a set, about.
  private static let takenBytes = 32
  /// So many of one hash are looked at, as in the state.
  private static let most = 16
  /// How far apart the daemon takes two for copies of one message.
  private static let copyMargin = Interval.days(1)

  private let log: WritableLog
  /// The texts of some moments, stored or about to be: files have many neighbours of one time, and each moment is read
  /// once.
  private var moments: [Moment: Texts] = [:]
  private var bytes = 0
  private var limit = mostBytes
  /// Moments with messages that are not durable yet.
  private var waitingMoments: Set<Moment> = []
  /// Messages that are not durable, so that the state do not know them, by the hashes of their ids.
  private var waiting: [UInt64: [(message: MessageRecord, id: UInt64)]] = [:]
  /// Messages of the log that lines were found to be: no other line is one of them by what it says.
  private var taken: Set<UInt64> = []

  /// The number of the log's last record before this import.
  private let last: UInt64
  /// Copies by time, for histories of other clients.
  private var near: NearDoubles?

  /// - Parameter isForeign: true: clocks and ids differ from the log's.
  init(_ log: WritableLog, isForeign: Bool) {
    (self.log, last) = (log, log.nextSequence - 1)
    near = isForeign ? NearDoubles(log, last: last) : nil
  }

  /// The message that is here already, in the log or on its way; nil: none is.
  mutating func find(_ message: MessageRecord) -> UInt64? {
    if near != nil { return foreign(message) }
    let id = waitingOne(message) ?? stored(message) ?? said(message)
    if let id { taken.insert(id) }
    return id
  }

  private mutating func foreign(_ message: MessageRecord) -> UInt64? {
    guard let id = waitingOne(message) ?? stored(message) else { return near?.find(message) }
    near?.noteFound(id, message)
    return id
  }

  /// One of the same moment, by its name or by what it says.
  private mutating func said(_ message: MessageRecord) -> UInt64? {
    let moment = Self.moment(of: message)
    if moments[moment] == nil { look(at: moment) }
    guard let texts = moments[moment] else { return nil }
    return texts.namesake(of: message) ?? texts.alike(message).first { $0 <= last && !taken.contains($0) }
  }

  /// It is appended under this number, and was looked for.
  mutating func insert(_ message: MessageRecord, _ id: UInt64) {
    if near == nil {
      let moment = Self.moment(of: message)
      note(message, id, at: moment)
      waitingMoments.insert(moment)
    }
    for hash in message.hashes { waiting[hash, default: []].append((message, id)) }
  }

  private func waitingOne(_ message: MessageRecord) -> UInt64? {
    let candidates = message.hashes.flatMap { (waiting[$0] ?? []).suffix(Self.most) }
    return candidates.first { message.isSame(as: $0.message, within: Self.copyMargin) }?.id
  }

  /// All that was appended is durable, and known to the state.
  mutating func forgetWaiting() { (waiting, waitingMoments) = ([:], []) }

  private mutating func note(_ message: MessageRecord, _ id: UInt64, at moment: Moment) {
    let before = moments[moment]?.bytes ?? 0
    // A new message means that all earlier ones were found.
    if id > last, let texts = moments[moment] { taken.formUnion(texts.alike(message)) }
    moments[moment, default: Texts()].insert(message, id)
    bytes += (moments[moment]?.bytes ?? 0) - before
  }

  /// Drops moments once they take too much. Messages that wait for the disk stay.
  private mutating func dropMoments() {
    guard bytes + taken.count * Self.takenBytes > limit else { return }
    taken = []
    moments = moments.filter { waitingMoments.contains($0.key) }
    bytes = moments.values.reduce(0) { $0 + $1.bytes }
    limit = Self.mostBytes + bytes
  }

  private static func moment(of message: MessageRecord) -> Moment {
    Moment(account: message.account, jid: message.jid, time: message.time)
  }

  /// One in the log with an id of this one's; those that were forgotten are none.
  private func stored(_ message: MessageRecord) -> UInt64? {
    guard let tokens = log.state.accounts[message.account]?.messageIDs else { return nil }
    var ids = message.archiveHash.map { tokens.ids(.archiveID, $0) } ?? []
    if message.author.isMe, let id = message.copyID { ids += tokens.ids(.stanzaID, MessageIDHash.of(id)) }
    ids += (message.contentHashes + [message.copyHash].compactMap(\.self)).flatMap { tokens.ids(.copy, $0) }
    return ids.first { id in
      guard let known = log.message(id), !log.state.isForgotten(known, id: id) else { return false }
      return message.isSame(as: known, within: Self.copyMargin)
    }
  }

  private mutating func look(at moment: Moment) {
    dropMoments()
    moments[moment] = Texts()
    guard let timeline = log.state.existingConversation(moment.account, moment.jid)?.timeline else { return }
    let time = Timestamp(milliseconds: moment.time)
    var row = timeline.firstRow(notBefore: time)
    while row < timeline.count, timeline[row].time == time {
      let entry = timeline[row]
      for message in log.forms(of: entry) { note(message, entry.id, at: moment) }
      row += 1
    }
  }
}

extension MessageRecord {
  fileprivate var archiveHash: UInt64? { archiveID.map { MessageIDHash.of($0) } }

  /// The hashes by which the state finds a message with the same id and text, with or without an archive id.
  fileprivate var contentHashes: [UInt64] {
    guard copyID != nil else { return [] }
    return ContentHash.all(self).flatMap { [$0, ContentHash.ofNamed($0)] }
  }

  fileprivate var hashes: [UInt64] { [archiveHash, copyHash].compactMap(\.self) }

  /// The id that distinguishes the message from another one of the same moment and words.
  fileprivate var name: String? { archiveID ?? copyID }

  /// True if ids prove that both are one message. An id that its sender chose for the stanza alone, and may choose
  /// again, does so only for what came as it was sent and out of an archive.
  fileprivate func isSame(as other: MessageRecord, within margin: Interval) -> Bool {
    guard isByAuthor(of: other) else { return false }
    if let archiveID, let id = other.archiveID { return archiveID == id }
    guard let copyID, copyID == other.copyID, author.isMe || peer == other.peer else { return false }
    if effectiveOriginID == other.effectiveOriginID, effectiveOriginID != nil { return true }
    let distance = Timestamp(milliseconds: time) - Timestamp(milliseconds: other.time)
    return text == other.text && (delayed || other.delayed) && distance.milliseconds.magnitude <= margin.milliseconds
  }
}
