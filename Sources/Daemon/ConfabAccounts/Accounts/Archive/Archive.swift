import Records
import State
import XMPPCore

/// An archive (XEP-0313) that an account reads: whose it is, how far it is here, how far its ids are trusted.
package final class Archive {
  /// How far an id in the archive's name is trusted (XEP-0359, section 6).
  enum Trust {
    /// The archive's owner drops forged ids.
    case trusted
    /// It is unknown whether forged ids are dropped: sender and text are compared, too.
    case claimed
    /// There is no archive.
    case ignored
  }

  /// The words of docs/PROTOCOL.md, `status`.
  package enum Phase: String {
    /// It is not known yet whether there is an archive.
    case unknown
    case none
    case catchingUp = "catching-up"
    /// The first time, backwards from the newest.
    case filling
    case complete
    /// It could not continue, and tries again later.
    case failed
  }

  /// The bare JID that has the archive.
  let address: JID
  /// The archive's name in records; nil: the account's own.
  private let key: String?
  private let account: AccountState
  private let storage: Storage
  /// The room that has the archive; nil: the account itself.
  var room: JID? { key == nil ? nil : address }
  /// How far an id in the archive's name is trusted.
  var ids = Trust.claimed
  var phase = Phase.unknown
  /// Why it failed.
  package var reason: String?
  /// The pages that are being fetched; one run at a time.
  var run: ArchiveRun?
  /// Messages taken from it on this stream.
  package var taken = 0
  /// Texts of strangers behind the anchor that were left in it, since there was no room for them: the anchor stays.
  package var leftCount = 0
  /// The last run has ended, with records up to this one; before, it was in this phase.
  private var ended: (phase: Phase, last: UInt64)?
  /// In records before this one, ids of our archive may be out of date. See `ArchiveRecord.idsSince`.
  private(set) var idsSince: UInt64 = 0

  /// - Parameter key: nil for the account's own.
  init(of address: JID, key: String? = nil, _ account: AccountState, _ storage: Storage) {
    (self.address, self.key, self.account, self.storage) = (address, key, account, storage)
  }

  /// Reads since when archive ids are valid, also if that is not durable: the next run goes on behind what is not.
  func readIDsSince() { idsSince = record?.idsSince ?? 0 }

  func reset() { (phase, reason, run, taken, leftCount, ended) = (.unknown, nil, nil, 0, 0, nil) }

  /// There is nothing more to fetch for now.
  func rest(_ phase: Phase) {
    if !isAtRest { ended = (self.phase, storage.queue.last) }
    (run, self.phase) = (nil, phase)
  }

  /// The phase for `status`: the archive is complete when history shows all that came out of it.
  package var reported: Phase {
    if leftCount > 0, phase == .complete { return .catchingUp }
    guard let ended, phase == .complete, storage.queue.durable < ended.last else { return phase }
    return ended.phase
  }

  /// The position in the archive, as the log has it or will.
  var record: ArchiveRecord? { storage.pending.archive(of: account.number, at: key) ?? durable }

  private var durable: ArchiveRecord? { account.server.archives[key] }

  /// A position to be set, where there is none yet.
  var newRecord: ArchiveRecord { ArchiveRecord(account: account.number, address: key) }

  /// Appends a position, behind the messages that it covers.
  func write(_ record: ArchiveRecord) {
    idsSince = record.idsSince
    storage.append(.archive(record))
  }

  /// True if copies of stored messages may come out of the archive, or out of the history that a room says.
  var bringsCopies: Bool { phase != .none || room != nil }

  /// True if there is nothing more to fetch, and the anchor follows new messages.
  var isAnchored: Bool { phase == .complete && run == nil }

  /// True if the archive's end from before anything of ours left is known: unacknowledged messages are looked for
  /// behind that, by the archive's own time. With our time a wrong clock would hide them.
  var isPlaced: Bool {
    if record != nil || run?.isStable == false { return true }
    return run == nil && [.none, .complete, .failed].contains(phase)
  }

  /// True if there is nothing more to fetch for now.
  var isAtRest: Bool { run == nil && (phase == .none || phase == .complete) }

  /// The last record of what was fetched, if there is nothing more to fetch for now; nil: there is.
  var fetchedUpTo: UInt64? { isAtRest || phase == .failed ? ended?.last ?? 0 : nil }

  /// A sentence for `status` while fetching takes long or has failed.
  var sentence: String? {
    switch phase {
    case .failed: "fetching the archive failed: \(reason ?? "")"
    case .catchingUp where run?.isLong == true: "catching up from the archive"
    case .filling where run?.isLong == true: "fetching older messages from the archive"
    default: nil
    }
  }
}
