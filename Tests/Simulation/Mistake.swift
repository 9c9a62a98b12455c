import State
import MessageLog
import Records

/// A mistake made on purpose, at a seam between the engine and the world: never in what ships. The promises must find
/// each of them.
package enum Mistake: String, CaseIterable, Sendable {
  // The thread that writes the log.
  case earlyCompletion = "a batch counts as synced before it is written"
  case ignoredFailure = "the failure of a write or sync is ignored"
  // The disk under it.
  case lyingSync = "a sync does nothing"
  case forgottenDirectory = "the directory is not synced when a segment is made"
  case retriedSync = "a failed sync is tried again on the same file"
  // Recovery, and applying what is behind it.
  case shortTail = "the last sound record is cut off with the torn tail"
  case doubleFold = "a record is folded twice at a start"
  case keptReading = "a reading of the log that an error interrupted is repeated on top of what it had applied"
  case forgottenKey = "idempotency keys are forgotten at a restart"
  case forgottenTransmission = "it is forgotten at a restart which messages may have left"
  case forgottenHold = "it is forgotten at a restart that messages are kept back"
  case forgottenExpiry = "it is forgotten at a restart when messages expire"
  case forgottenMoment = "it is forgotten at a restart when messages were last taken as they came"
  case forgottenReads = "read positions are forgotten at a restart"
  case forgottenForgetting = "it is forgotten at a restart which histories were forgotten"
  case forgottenReferences = "it is forgotten at a restart what waits for its message"
  case forgottenCancel = "it is forgotten at a restart which messages were taken back"
  // The way to the server.
  case earlyAcknowledgement = "stanzas are acknowledged before they are stored"
  case newID = "a message is sent again under another id"
  case lostOrder = "the outbox is sent in another order"
  case ignoredStamp = "the stamp on a carbon that waited is not heard"
  case unmarkedCopy = "what the server delivers again is taken for new"
  case lostResult = "some results of the archive have no text"
  case otherArchiveID = "what the archive has comes under other ids"
  case swappedCarbon = "what came to another device is taken for something sent from there"
  case forgedCarbon = "a stranger's carbon is taken for one of the account's"
  case lostRequest = "a friend's request for presence is lost among those of strangers"
  case wrongReceipt = "a receipt names another message"
  // What people say of messages.
  case lostBareSignal = "receipts and markers to the bare address are not heard"
  case lostOldMarker = "markers of before XEP-0333 1.0 are not heard"
  case lostBounce = "errors that come to another device are not heard"
  case unknownOrigin = "what names a message by its origin-id names none"
  // Behaviour of servers, archives and senders in the field.
  case lostIDs =
    "what comes before the server has said what it can has no ids of the archive, and nothing else tells it"
  case twoNotes = "the two copies of a note do not look alike"
  case believedEmptyPage = "an empty page of the archive proves that nothing came"
  case forgottenContent = "sender, id and text do not tell what an archive has under new ids"
  case forgottenUnnamed = "sender, id and text do not tell what an archive has whose ids nobody vouches for"
  case believedSilence = "the silence of an archive proves something, whatever it keeps"
  case hastyClose = "a stream is closed without the server's last word"
  case unheardCount = "the count in <failed/> is not heard"
  case forgottenPages = "it is forgotten at a restart which pages of the archive were fetched"
  case latePresence = "the archive is asked before the presence is sent"
  case forgottenDeadline = "a deadline that is minutes away is forgotten"
  // People.
  case lostNickname = "nicknames on nodes are not heard of"
  case otherAvatar = "an avatar is taken for another picture"
  case lostDisplayed = "what another device has displayed is not heard of"
  case lostMarker = "markers of other devices are not heard of"
  case otherDisplayed = "another device is taken to have displayed a later message than it says"
  // Rooms.
  case believedPing = "each answer to a ping to oneself in a room says that one is in it"
  case lostReflection = "some messages that a room shows are not known as the user's"
  case believedAbsence = "what a room without an archive does not have did not arrive"
  case lostRoomResult = "some results of a room's archive are not heard"
  case believedRoomIDs = "ids of a room are believed that an occupant may have written"
  case believedOccupantIDs = "ids of occupants are believed that an occupant may have written"
  case unheardSubject = "it is not heard where the history of a room ends"
  case unheardLeaving = "it is not heard that somebody has left a room"
  case unheardMaking = "it is not heard that a join made the room anew"
  case unheardExpulsion = "it is not heard that a room takes the user out for good"
  case forgottenRefusal = "it is forgotten at a restart which rooms have taken the user out"
  case forgottenPassword = "it is forgotten at a restart which password a room wants"
  case hastyFence = "a room is given too little time to show what the user says"
  case forgottenRepeat = "it is forgotten at a restart which messages went to a room again"
  case forgottenReflection = "it is forgotten at a restart which messages a room has shown"
  case unheardRefusal = "it is not heard that a room refuses a message"
  case unheardHistory = "some of what a room says of its history is not heard"
  case lostRoomOrder = "what a room's archive has comes in another order"
  case forgottenRoomPages = "it is forgotten at a restart how far the archives of rooms are here"
  case forgottenFirstJoin = "it is forgotten at a restart when the user came to a room first"
  case lostOccupantIDs = "ids of occupants are not heard"
  case believedNicks = "whoever has a nick is taken for who had it before"
  case unheardModeration = "it is not heard that a moderator takes a message back"
  case forgedModeration = "an occupant is believed who says that a moderator takes a message back"
  case forgottenIgnoring = "it is forgotten at a restart whom the user ignores"
  case forgottenRoom = "it is forgotten at a restart in which rooms the user wants to be"
  case forgottenLeaving = "it is forgotten at a restart which rooms the user has left"
  // Encryption.
  case ratchetFirst = "the step of a ratchet is stored before its message"
  case encryptedAnew = "a message that goes again is encrypted anew"
  case countedNonce = "the nonce of a secret is made of the number of its record"
  case keptEpoch = "the key of an epoch that is over is kept"
  case plainFallback = "it is forgotten at a restart which conversations are encrypted"
  // The way to the front ends.
  case readTooFar = "who reads up to a message reads all"
  case unheardRead = "a wish to read is not heard"
  case unheardWait = "a wish to wait is not heard"
  case skippedEvent = "a watcher's cursor skips an event"
  case countedByPlace = "what stands before the message that was read last counts as read"
  case repeatedEvent = "a watcher that comes back hears an event twice"

  static let ofTheFold: Set<Mistake> = [
    .doubleFold, .keptReading, .forgottenKey, .forgottenTransmission, .forgottenHold, .forgottenExpiry,
    .forgottenCancel,
    .forgottenPages, .forgottenMoment, .forgottenReads,
    .forgottenForgetting, .forgottenReferences, .forgottenRoom, .forgottenLeaving, .forgottenRefusal,
    .forgottenPassword, .forgottenRepeat, .forgottenReflection, .forgottenRoomPages, .forgottenFirstJoin,
    .forgottenIgnoring, .plainFallback, .ratchetFirst,
  ]

  /// Mistakes that only a world with encryption shows.
  private static let ofEncryption: Set<Mistake> = [
    .ratchetFirst, .encryptedAnew, .countedNonce, .keptEpoch, .plainFallback,
  ]

  /// Mistakes that only a world with rooms shows.
  private static let ofRooms: Set<Mistake> = [
    .believedPing, .lostReflection, .believedAbsence, .lostRoomResult, .believedRoomIDs, .believedOccupantIDs,
    .unheardSubject, .unheardLeaving, .forgottenRoom, .forgottenLeaving, .unheardMaking, .unheardExpulsion,
    .forgottenRefusal, .forgottenPassword, .hastyFence, .forgottenRepeat, .forgottenReflection, .unheardRefusal,
    .unheardHistory, .lostRoomOrder, .forgottenRoomPages, .forgottenFirstJoin, .lostOccupantIDs, .believedNicks,
    .unheardModeration, .forgedModeration, .forgottenIgnoring,
  ]

  /// True if the world of a seed may show it. The other two kinds of worlds would only keep it waiting.
  package func mayShow(seed: UInt64) -> Bool {
    Simulation.hasRooms(seed: seed) == Self.ofRooms.contains(self)
      && Simulation.isEncrypted(seed: seed) == Self.ofEncryption.contains(self)
  }

  /// Applies a record of the log at a start.
  func apply(_ frame: borrowing LogFrame, into state: State) {
    if self == .doubleFold { state.apply(frame) }
    guard let record = Record(reading: frame), let changed = changed(record) else { return }
    state.apply(changed, sequence: frame.sequence, location: frame.location.packed)
  }

  /// What is applied in place of a record; nil: nothing.
  private func changed(_ record: Record) -> Record? {
    switch record {
    case .transmission where self == .forgottenTransmission: return nil
    case .read where self == .forgottenReads: return nil
    case .payload(let payload) where self == .forgottenReferences && payload.waitsFor != nil: return nil
    case .room(let room): return .room(changed(room))
    case .ignore where self == .forgottenIgnoring: return nil
    case .encryption(var encryption) where self == .plainFallback:
      encryption.isEncrypted = false
      return .encryption(encryption)
    case .release(var release) where self == .forgottenRepeat:
      release.isRepeat = false
      return .release(release)
    case .delivery(let delivery) where self == .forgottenReflection && delivery.state == .delivered: return nil
    case .archive(let archive) where self == .forgottenRoomPages && archive.address != nil: return nil
    case .forgetting where self == .forgottenForgetting: return nil
    case .archive(let archive) where self == .forgottenPages && archive.anchor != nil: return nil
    case .stream(var stream) where self == .forgottenMoment:
      stream.lastLive = nil
      return .stream(stream)
    case .delivery(let delivery) where self == .forgottenCancel && delivery.state == .cancelled: return nil
    case .message(var message):
      switch self {
      case .forgottenKey: message.key = nil
      case .forgottenTransmission: message.transmitted = false
      case .forgottenHold: message.heldUntil = nil
      case .forgottenExpiry: message.expires = nil
      default: break
      }
      return .message(message)
    default: return record
    }
  }

  private func changed(_ room: RoomRecord) -> RoomRecord {
    var room = room
    switch self {
    case .forgottenRoom: room.isWanted = false
    case .forgottenLeaving: room.isWanted = true
    case .forgottenRefusal: room.refusal = nil
    case .forgottenPassword: room.password = nil
    case .forgottenFirstJoin: room.firstJoined = nil
    default: break
    }
    return room
  }
}
