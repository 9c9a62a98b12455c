import Clocks
import Records
import State
import XMPPCore

/// A message of mine that leaves now.
struct Departure {
  let entry: Outbox.Entry
  let stanza: OutgoingStanza
  /// Its stanza says when it was written (XEP-0203).
  let isLate: Bool
  /// The message, encrypted just now: its record says that it leaves; nil: a transmission record does.
  var sealed: MessageRecord?
  /// The message that is shown: of a change the one that it changes.
  var shown: UInt64?
}

/// The stage between the outbox and the stream: a message leaves as it is, or encrypted for the devices that there are
/// now, or waits until these and their keys are known.
struct Departures {
  enum Outcome {
    case leaves(Departure)
    case waits
    case refused(Failure)
    /// No stanza can be made of it.
    case none
  }

  /// The age of a message from which on its stanza says when it was written.
  private static let late = Interval.seconds(60)

  private let state: AccountState
  private let encryption: Encryption
  private let effects: Effects

  init(_ state: AccountState, _ encryption: Encryption, _ effects: Effects) {
    (self.state, self.encryption, self.effects) = (state, encryption, effects)
  }

  /// How a message may leave.
  func readiness(of message: MessageRecord) -> Recipients.Readiness { encryption.readiness(withFilesOf: message) }

  /// Lets a new message leave with its own record, or holds it until keys of its recipient are known.
  ///
  /// - Parameter isBehindOthers: earlier messages of its conversation wait.
  func prepare(_ message: inout MessageRecord, isBehindOthers: Bool) {
    if isBehindOthers, message.details?.seal?.wish != MessageSeal.Wish.none { return message.waitForKeys() }
    switch readiness(of: message) {
    case .plain: message.transmitted = true
    case .encrypted(let choice):
      guard let sealed = sealed(message, for: choice) else { return message.waitForKeys() }
      message = sealed
      message.transmitted = true
    case .waits, .refused: message.waitForKeys()
    }
  }

  /// How a message of the outbox leaves: what was encrypted before goes again as it is, and what left in plain text, too.
  func outcome(of message: MessageRecord, _ entry: Outbox.Entry) -> Outcome {
    guard let stanza = stanza(message) else { return .none }
    let isLate = entry.inDoubt || effects.now.wall - stanza.written > Self.late
    let plain = Departure(entry: entry, stanza: stanza, isLate: isLate)
    if entry.transmitted || message.step != nil { return .leaves(plain) }
    if message.details?.seal?.wish != MessageSeal.Wish.none, state.outbox.isBehindOthers(entry) { return .waits }
    switch readiness(of: message) {
    case .plain: return .leaves(plain)
    case .waits: return .waits
    case .refused(let failure): return .refused(failure)
    case .encrypted(let choice):
      guard var sealed = sealed(message, for: choice), let stanza = self.stanza(sealed) else {
        return .refused(.keysUnavailable)
      }
      (sealed.target, sealed.isSealed, sealed.transmitted) = (entry.id, true, true)
      return .leaves(
        Departure(entry: entry, stanza: stanza, isLate: isLate, sealed: sealed, shown: message.target ?? entry.id))
    }
  }

  private func sealed(_ message: MessageRecord, for choice: DeviceChoice) -> MessageRecord? {
    stanza(message).flatMap { encryption.seal(message, for: choice, $0.content) }
  }

  /// The stanza of a message of mine; nil: none can be made of it.
  func stanza(_ message: MessageRecord) -> OutgoingStanza? { OutgoingStanza(message, own: state.record.jid) }
}

extension MessageRecord {
  /// It is kept back until keys of its recipient are known.
  fileprivate mutating func waitForKeys() {
    var details = details ?? MessageDetails()
    var seal = details.seal ?? MessageSeal()
    seal.isWaiting = true
    details.seal = seal
    self.details = details
  }
}
