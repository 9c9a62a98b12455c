import Clocks
import ConfabConfiguration
import Ratchet
import Records
import State
import XML
import XMPPCore
import XMPPExtensions
import XMPPStream

/// The encryption of an account end to end (XEP-0384): the stage through which each message passes between what people
/// read and what is sent. Secrets that a message changes become durable in its own record (decision 0192).
package final class Encryption: StreamPart {
  private let own: JID
  private let stream: ReliableStream
  private let features: ServerFeatures
  package let secrets: Secrets
  package let devices: KnownDevices
  package let policies: EncryptionPolicies
  let keys: OwnKeys
  let sessions: Sessions
  let lists: DeviceLists
  let bundles: BundleFetcher
  let publisher: KeyPublisher
  let recipients: Recipients
  let opener: MessageOpener
  private let sealer: MessageSealer
  let healer: SessionHealer
  private var isNever = false
  private var rotation = RateLimiter(of: 1, each: .hours(1))
  /// Clients that wait for lists, by the owner.
  var waiting: [String: [Ticket]] = [:]
  let unreadable: UnreadableMessages
  /// True while the archive is read: used pre-keys are kept, and nothing is answered.
  var isCatchingUp: () -> Bool = { false }
  /// Is called when messages that wait for keys may leave, or fail.
  var keysMayBeKnown: () -> Void = {}

  init(of own: JID, _ core: CoreParts, _ records: RecordReader) {
    let (stream, nodes) = (core.stream, core.nodes)
    let (state, storage, effects) = (stream.state, stream.storage, stream.effects)
    let jid = own.bare.description
    (self.own, self.stream, features) = (own.bare, stream, core.features)
    secrets = Secrets(state, records, storage, effects)
    devices = KnownDevices(of: jid, state, storage, effects)
    policies = EncryptionPolicies(state, storage)
    keys = OwnKeys(secrets, devices, state, storage, effects)
    sessions = Sessions(secrets, keys)
    lists = DeviceLists(of: own.bare, nodes, devices, effects)
    bundles = BundleFetcher(of: own.bare, nodes, sessions, secrets, devices, effects)
    publisher = KeyPublisher(of: jid, nodes, features, keys, lists, devices, secrets, effects)
    recipients = Recipients(of: jid, devices, keys, sessions, lists, bundles, policies, features, effects)
    opener = MessageOpener(of: own.bare, state, records, secrets, keys, sessions, devices)
    sealer = MessageSealer(own: own.bare, keys: keys, sessions: sessions, effects: effects)
    healer = SessionHealer(devices, sessions, bundles, effects)
    unreadable = UnreadableMessages(state, records, opener, devices, policies)
    publisher.holdBack = { [stream] in
      stream.holdBack(until: max(stream.queue.barrier, stream.storage.queue.last))
      stream.storage.queue.hurry()
    }
    recipients.makeKeys = { [unowned self] in makeKeys() }
    lists.changed = { [unowned self] in listChanged($0, $1) }
    bundles.completed = { [unowned self] in
      for peer in healer.begun(of: $0) { sendEmpty(to: peer) }
      keysMayBeKnown()
    }
  }

  var effects: Effects { stream.effects }
  private var storage: Storage { stream.storage }
  private var state: AccountState { stream.state }
  private var account: UInt32 { state.number }

  // MARK: - The stream

  func configure(_ settings: AccountSettings) {
    let wasNever = isNever
    (policies.setting, devices.trust) = (settings.encryption, settings.trust)
    isNever = settings.encryption == .never
    if wasNever, !isNever, features.isKnown { featuresAreKnown() }
  }

  func answersAreLost() {
    lists.answersAreLost()
    bundles.reset()
  }

  func streamBegins(_: NegotiatedStream) {
    recipients.restart()
    publisher.reset()
  }

  /// This device makes its keys, and publishes them where others look.
  func featuresAreKnown() {
    if !isNever { makeKeys() }
    keysMayBeKnown()
  }

  /// Makes the keys of this device, and publishes them; also where the account does without encryption, and one message
  /// has to have it.
  private func makeKeys() {
    guard features.hasNodes, secrets.canKeep, storage.mayAppend else { return }
    do throws(RatchetError) {
      try keys.make()
      _ = try keys.rotateIfDue()
    } catch {
      secrets.rollBack()
      return stream.effects.journal(.error, "the keys of this device could not be made: \(error)")
    }
    lists.ask(own.description)
    for (jid, peers) in Dictionary(grouping: sessions.retired, by: \.jid) { healer.renew(peers, of: jid) }
  }

  func receive(_ event: PersonalEvent, _ version: RatchetVersion, of owner: JID) {
    lists.receive(event, version, of: owner)
  }

  private func listChanged(_ jid: String, _ version: RatchetVersion) {
    if jid == own.description { publisher.listIsKnown(version) }
    if !lists.isAsking(jid) {
      for ticket in waiting.removeValue(forKey: jid) ?? [] {
        effects.answer(ticket, .devices(account: account, of: jid))
      }
    }
    if unreadable.listChanged(of: jid) { reopenUnreadable() }
    keysMayBeKnown()
  }

  /// A room is open, or it is known by now who belongs to it: their devices tell who wrote a message.
  func peopleMayBeKnown(in room: String) {
    if unreadable.roomsWithoutAuthors.contains(room) { recipients.askLists(ofPeopleIn: room) }
    keysMayBeKnown()
  }

  func synced() {
    reopenUnreadable()
    secrets.synced()
    if storage.queue.isClean { opener.synced() }
    guard storage.mayAppend, !isCatchingUp() else { return }
    answer()
    healer.heal()
    rotate()
  }

  var deadline: Instant? { recipients.deadline.orEarlier(publisher.retryAt) }

  func tick() {
    if recipients.isDue() { keysMayBeKnown() }
    publisher.retryIfDue()
  }

  func linkLost() {
    recipients.restart()
    for ticket in waiting.values.joined() { effects.answer(ticket, .disconnected) }
    waiting = [:]
  }

  /// Records were given up: only what is durable counts.
  func forgetUnstored() {
    secrets.forgetUnstored()
    sessions.forgetOpen()
    opener.forgetOpened()
    opener.synced()
  }

  // MARK: - In

  /// Looks at a message; see `MessageOpener`.
  func open(
    _ message: Element, from sender: JID?, isCertain: Bool, to recipient: JID, isInRoom: Bool
  ) -> OpenedMessage? {
    guard message.children.contains(where: { OMEMO.version(of: $0) != nil }) else { return nil }
    let opened = opener.open(
      message, from: sender?.bare, isCertain: isCertain, to: recipient.bare, isInRoom: isInRoom)
    guard let unlisted = opener.takeUnlisted(), !opener.isReopening else { return opened }
    // Somebody's word is looked up, and then the message tried again.
    if isCertain, lists.answeredAt(unlisted) != nil {
      lists.disprove(unlisted)
    } else if !lists.isCurrent(unlisted) {
      lists.ask(unlisted)
    }
    return opened
  }

  /// Somebody has come, perhaps by a device that is new.
  func deviceMayBeNew(of jid: String) { lists.doubt(jid) }

  /// Gives a record what the message at hand changes among the secrets, before it is appended.
  func bind(_ record: inout MessageRecord) {
    markIfPlain(&record)
    noteEncrypted(record)
    guard secrets.hasChanges || record.details?.seal?.ciphertext != nil else { return }
    record.step = secrets.takeStep()
    opener.store(as: record)
  }

  /// The conversation of an encrypted message is an encrypted one, also if the message is here already.
  func noteEncrypted(_ record: MessageRecord) {
    guard let seal = record.details?.seal, seal.version != nil,
      seal.unreadable == nil || policies.countsUnreadable(in: record.jid)
    else { return }
    policies.noteEncrypted(record.jid)
  }

  /// A message was appended.
  func kept(_ record: MessageRecord, as id: UInt64) {
    guard let seal = record.details?.seal, let reason = seal.unreadable, reason != .notForThisDevice else { return }
    if reason == .noSession { unreadable.kept(id, in: record.jid, seal, from: opener.sender) }
    if let failed = opener.failed { healer.failed(failed) }
  }

  private func reopenUnreadable() {
    guard !isCatchingUp(), storage.mayAppend else { return }
    guard unreadable.tryAgain(isStart: features.isKnown, leave: leave) else { return }
    for room in unreadable.roomsWithoutAuthors.sorted() { recipients.askLists(ofPeopleIn: room) }
  }

  /// Marks a text that came in plain into a conversation that is encrypted.
  private func markIfPlain(_ record: inout MessageRecord) {
    guard record.kind != .occupant, !record.text.isEmpty,
      record.details?.seal == nil, record.details?.unreadable == nil, policies.isEncrypted(record.jid)
    else { return }
    var details = record.details ?? MessageDetails()
    details.seal = MessageSeal()
    details.seal?.isMissing = true
    record.details = details
  }

  /// The message at hand is dealt with. What no record has taken is stored by itself: behind what the message says of
  /// others, so that a crash between the two leaves it to come again.
  func settle() {
    guard secrets.hasChanges || opener.opened != nil else { return }
    var step = secrets.takeStep() ?? ContentStep()
    if let hash = opener.opened { step.ciphertexts = [hash] }
    opener.store(as: nil)
    storage.append(.step(StepRecord(account: account, step)))
  }

  /// The message at hand stays where it is, and comes again.
  func leave() {
    guard secrets.hasChanges || opener.opened != nil else { return }
    secrets.rollBack()
    sessions.forgetOpen()
    opener.forgetOpened()
  }

  // MARK: - Out

  /// Encrypts a message of mine for devices that were chosen. Nil: it failed, and nothing has changed.
  func seal(_ message: MessageRecord, for choice: DeviceChoice, _ content: OutgoingContent) -> MessageRecord? {
    guard let to = try? JID(message.jid), let sealed = sealer.step(of: content, to: to, choice) else {
      leave()
      return nil
    }
    policies.noteEncrypted(message.jid)
    devices.firstMessageWent(to: choice.theirs)
    var record = message
    var step = sealed.step
    step.secrets = secrets.takeStep()?.secrets ?? []
    record.step = step
    var details = record.details ?? MessageDetails()
    let wish = details.seal?.wish
    details.seal = sealed.seal
    details.seal?.wish = wish
    record.details = details
    return record
  }

  /// Sends the empty messages that are owed, once the archive is read.
  private func answer() {
    guard !opener.owed.isEmpty else { return }
    for peer in opener.takeOwed() { sendEmpty(to: peer) }
    fill()
  }

  private func sendEmpty(to peer: Sessions.Peer) {
    guard let device = devices.device(peer.id, of: peer.jid), devices.isUsed(device), device.log.isEmpty else { return }
    guard let stanza = sealer.emptyMessage(to: peer) else { return leave() }
    stream.send(stanza, after: secrets.store())
  }

  /// Draws a signed pre-key where that of before is too old, and forgets pre-keys that were used; looked at once an hour.
  private func rotate() {
    guard keys.device != nil, rotation.take(1, at: effects.now.instant) else { return }
    keys.forgetUsed(bundleAge: publisher.publishedAt.map { effects.now.instant - $0 } ?? .zero)
    do throws(RatchetError) {
      if try keys.rotateIfDue() { publisher.keysChanged() }
    } catch {
      secrets.rollBack()
    }
  }

  /// Sessions were begun with this device: its bundle is filled up, and published without the pre-keys that were used.
  private func fill() {
    do throws(RatchetError) {
      _ = try keys.fillIfFew()
      publisher.keysChanged()
    } catch {
      secrets.rollBack()
    }
  }
}
