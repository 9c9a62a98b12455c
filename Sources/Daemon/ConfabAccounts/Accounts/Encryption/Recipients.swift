import Clocks
import Ratchet
import Records
import State
import XMPPCore

/// Decides whether a message of mine is encrypted, and for which devices, when it is about to leave. It asks for lists
/// and bundles that are missing; until those are here the message waits, and others do not (docs/RUNNING.md, "Encryption").
final class Recipients {
  /// The most devices of one person that a message is encrypted to.
  static let most = 100
  /// How long an unanswered question keeps a first message, one to a room, or the account's own list any.
  private static let shortPatience = Interval.seconds(10)
  /// How long keys are waited for.
  private static let patience = Interval.seconds(60)

  enum Readiness {
    case plain
    case encrypted(DeviceChoice)
    case waits
    case refused(Failure)
  }

  private let own: String
  private let devices: KnownDevices
  private let keys: OwnKeys
  private let sessions: Sessions
  private let lists: DeviceLists
  private let bundles: BundleFetcher
  private let policies: EncryptionPolicies
  private let features: ServerFeatures
  private let effects: Effects
  /// The people in a room; nil: it has not told yet what it is.
  var audience: (_ room: String) -> RoomAudience? = { _ in nil }
  /// True of a room that is joined, and takes messages.
  var isOpen: (_ room: String) -> Bool = { _ in false }
  /// Makes the keys of this device.
  var makeKeys: () -> Void = {}
  /// Since when messages of a conversation wait on this stream.
  private var waitingSince: [String: Instant] = [:]
  /// When messages have waited long enough.
  private var dues: Set<Instant> = []

  init(
    of own: String, _ devices: KnownDevices, _ keys: OwnKeys, _ sessions: Sessions, _ lists: DeviceLists,
    _ bundles: BundleFetcher, _ policies: EncryptionPolicies, _ features: ServerFeatures, _ effects: Effects
  ) {
    (self.own, self.devices, self.keys, self.sessions) = (own, devices, keys, sessions)
    (self.lists, self.bundles, self.policies) = (lists, bundles, policies)
    (self.features, self.effects) = (features, effects)
  }

  /// A stream begins, or goes on.
  func restart() { (waitingSince, dues) = ([:], []) }

  /// When something that waits has waited long enough.
  var deadline: Instant? { dues.min() }

  /// True if something has waited long enough.
  func isDue() -> Bool {
    let now = effects.now.instant
    guard let due = deadline, due <= now else { return false }
    dues = dues.filter { $0 > now }
    return true
  }

  func readiness(of message: MessageRecord) -> Readiness {
    let policy = policies.decision(for: message)
    guard policy != .never, message.isSecret else { return .plain }
    // It waits for that, however long it takes.
    if message.isOfRoom, !isOpen(message.jid) { return .waits }
    let waited = waited(message)
    let readiness = readiness(of: message, policy, waited)
    switch readiness {
    case .waits: noteWaiting(in: message.jid, waited)
    case .refused: bundles.forgetFailures(of: message.jid)
    case .plain, .encrypted: if areListsKnown(message) { waitingSince[message.jid] = nil }
    }
    return readiness
  }

  /// False: another message may have to wait for lists as long as this one.
  private func areListsKnown(_ message: MessageRecord) -> Bool {
    guard message.isOfRoom else { return lists.isCurrent(message.jid) }
    return audience(message.jid)?.people?.allSatisfy { lists.isCurrent($0) || lists.haveFailed($0) } ?? true
  }

  /// How long a message has waited on this stream, as far as it was there.
  private func waited(_ message: MessageRecord) -> Interval {
    guard let since = waitingSince[message.jid] else { return .zero }
    let written = Timestamp(milliseconds: message.details?.change?.time ?? message.time)
    let (waited, age) = (effects.now.instant - since, effects.now.wall - written)
    // A clock that was put back says nothing of the age.
    return age < .zero ? waited : min(waited, age)
  }

  private func noteWaiting(in jid: String, _ waited: Interval) {
    waitingSince[jid] = waitingSince[jid] ?? effects.now.instant
    for patience in [Self.shortPatience, Self.patience] where waited < patience {
      dues.insert(effects.now.instant.advanced(by: .milliseconds(patience.milliseconds - waited.milliseconds)))
    }
  }

  private func readiness(
    of message: MessageRecord, _ policy: EncryptionPolicies.Decision, _ waited: Interval
  ) -> Readiness {
    if policy == .required, features.isKnown, keys.device == nil { makeKeys() }
    let hasKeys = keys.device != nil
    if !hasKeys, features.isKnown, !features.isAccountSilent {
      return policy == .required ? .refused(.encryptionUnavailable) : .plain
    }
    if !hasKeys, waited >= Self.patience { return .refused(.encryptionUnavailable) }
    return message.isOfRoom
      ? readiness(inRoom: message.jid, hasKeys, policy, waited) : readiness(of: message.jid, hasKeys, policy, waited)
  }

  private func readiness(
    of jid: String, _ hasKeys: Bool, _ policy: EncryptionPolicies.Decision, _ waited: Interval
  ) -> Readiness {
    if !hasKeys || !lists.isCurrent(jid) {
      if hasKeys { lists.ask(jid) }
      if waited >= Self.patience { return .refused(.keysUnavailable) }
      let isFirst = policy == .open && !devices.wereSeen(of: jid)
      return isFirst && waited >= Self.shortPatience ? .plain : .waits
    }
    if isAwaitingOwn(waited) { return .waits }
    if lists.areTooLong(jid) { return refusal(.tooManyDevices, jid, waited) }
    let active = devices.active(of: jid)
    if active.isEmpty, policy == .required { return refusal(.noDevices, jid, waited) }
    guard !active.isEmpty else { return .plain }
    let used = active.filter(devices.isUsed)
    guard !used.isEmpty else { return .refused(.untrusted) }
    guard used.count <= Self.most else { return refusal(.tooManyDevices, jid, waited) }
    return withSessions(
      DeviceChoice(used, own: ownOthers(jid), unused: active.filter { !devices.isUsed($0) }), jid, waited)
  }

  /// True while the account's own list is to be waited for.
  private func isAwaitingOwn(_ waited: Interval) -> Bool {
    guard !lists.isCurrent(own), !lists.haveFailed(own), waited < Self.shortPatience else { return false }
    lists.ask(own)
    return true
  }

  /// A message fails by what the lists say now: those from before it was there may be others since.
  private func refusal(_ failure: Failure, _ jid: String, _ waited: Interval) -> Readiness {
    if let answered = lists.answeredAt(jid), effects.now.instant - answered < waited { return .refused(failure) }
    lists.ask(jid)
    return .waits
  }

  /// My other devices; none beside a message to myself, which goes to them anyway.
  private func ownOthers(_ jid: String) -> [DeviceRecord] {
    jid == own ? [] : Array(devices.active(of: own).filter(devices.isUsed).prefix(Self.most))
  }

  /// Begins the sessions that are missing. A device that gives no keys is left out; if all are, the message waits.
  ///
  /// - Parameter jid: the conversation.
  private func withSessions(_ choice: DeviceChoice, _ jid: String, _ waited: Interval) -> Readiness {
    let choice = choice.withoutRepeatedNumbers(besides: keys.device)
    let byOwner = Dictionary(grouping: choice.peers, by: \.jid)
    for (owner, peers) in byOwner.sorted(by: { $0.key < $1.key }) {
      let missing = peers.filter { !sessions.has($0) && !bundles.failed.contains($0) }
      if !missing.isEmpty { bundles.fetch(missing, of: owner) }
    }
    let isFetching = byOwner.keys.contains {
      bundles.isFetching($0) && waited < ($0 == jid ? Self.patience : Self.shortPatience)
    }
    if isFetching { return .waits }
    guard choice.theirs.contains(where: { sessions.has($0.peer) }) else {
      return waited >= Self.patience ? .refused(.keysUnavailable) : .waits
    }
    return .encrypted(choice.filtered(sessions.has))
  }
}

// Messages to rooms (XEP-0384, section 6): for the devices of all who belong to one, in it or not.
extension Recipients {
  /// The most devices of all in a room: servers take stanzas of 256 KiB.
  static let mostOfRoom = 800
  /// People in a room whose lists are asked for at once.
  private static let mostAsked = 20

  private func readiness(
    inRoom room: String, _ hasKeys: Bool, _ policy: EncryptionPolicies.Decision, _ waited: Interval
  ) -> Readiness {
    let late = waited >= Self.shortPatience && policy == .open ? Readiness.plain : .waits
    guard let audience = audience(room) else { return waited >= Self.patience ? .refused(.keysUnavailable) : late }
    guard audience.showsAddresses else { return policy == .required ? .refused(.roomAnonymous) : .plain }
    guard hasKeys, let people = audience.people else {
      return waited >= Self.patience ? .refused(.keysUnavailable) : late
    }
    if waited < Self.shortPatience, isAwaitingLists(of: people) || isAwaitingOwn(waited) { return .waits }
    return withPeople(people, room, policy, waited)
  }

  /// Asks for the lists that are missing, of some people who belong to a room.
  func askLists(ofPeopleIn room: String) { _ = audience(room)?.people.map(isAwaitingLists) }

  /// Asks for the lists that are missing, of some people at once; true while some are.
  private func isAwaitingLists(of people: [String]) -> Bool {
    let missing = people.filter { !lists.isCurrent($0) && !lists.haveFailed($0) }
    let asked = missing.count(where: lists.isAsking)
    for person in missing.filter({ !lists.isAsking($0) }).prefix(max(0, Self.mostAsked - asked)) { lists.ask(person) }
    return !missing.isEmpty
  }

  private func withPeople(
    _ people: [String], _ room: String, _ policy: EncryptionPolicies.Decision, _ waited: Interval
  ) -> Readiness {
    var choice = DeviceChoice(own: ownOthers(room))
    for person in people {
      let active = devices.active(of: person)
      let used = active.filter(devices.isUsed)
      if used.isEmpty || used.count > Self.most || lists.areTooLong(person) {
        choice.leaveOut(person)
      } else {
        choice.add(used, of: active)
      }
    }
    guard !choice.theirs.isEmpty else {
      if people.contains(where: { !devices.active(of: $0).isEmpty }) { return .refused(.untrusted) }
      let isOpen = policy == .open && people.allSatisfy { lists.isCurrent($0) || !devices.wereSeen(of: $0) }
      return isOpen ? .plain : .refused(.noDevices)
    }
    let count = choice.peers.count
    return count > Self.mostOfRoom
      ? .refused(.tooManyDevicesInRoom(count)) : withSessions(choice, room, waited)
  }
}

extension MessageRecord {
  /// True if it says something that nobody else is to read. Retractions and reactions name a message, and go outside of
  /// the encryption as their readers expect it.
  var isSecret: Bool {
    guard kind != .occupant, let change = details?.change, target != nil else { return kind != .occupant }
    return [.edit, .files, .rescheduled].contains(change.kind)
  }
}

extension Failure {
  static let noDevices = Failure(condition: "no-devices", text: "the contact has no device that can read it encrypted")
  static let untrusted = Failure(condition: "untrusted", text: "no device of the contact is trusted")
  static let keysUnavailable = Failure(
    condition: "keys-unavailable", text: "the keys of the contact's devices could not be had in time")
  static let tooManyDevices = Failure(
    condition: "too-many-devices", text: "the contact has more than \(Recipients.most) devices")
  static let roomAnonymous = Failure(
    condition: "room-anonymous", text: "the room hides who is in it, so nobody knows whose devices a message is for")
  static let encryptionUnavailable = Failure(
    condition: "encryption-unavailable", text: "your server has no place for the keys (XEP-0163)")

  static func tooManyDevicesInRoom(_ count: Int) -> Failure {
    Failure(
      condition: "too-many-devices",
      text: "those who belong to the room have \(count) devices, more than \(Recipients.mostOfRoom)")
  }
}
