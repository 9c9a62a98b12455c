import Clocks
import ConfabConfiguration
import MessageLog
import Ratchet
import Records
import State

/// What must hold of encryption, by the durable records and by what comes to the server: no key of a ratchet and no nonce
/// is used twice, nothing goes in plain text that was to be encrypted, and nothing waits for keys for ever.
final class CipherWitness {
  private let world: World
  /// The ciphertexts by the keys of ratchets that were used: ratchet key and counter.
  private var used: [[UInt8]: (ciphertext: [UInt8], payload: String, message: String)] = [:]
  /// Digests of the boxes that were sealed, by epoch and nonce: of those that never became durable, too.
  private var nonces: [[UInt8]: [UInt8]] = [:]
  /// The record since which a conversation is encrypted.
  private var encryptedSince: [NodeWitness.Key: UInt64] = [:]
  /// Messages of mine as they left encrypted, by their numbers.
  private(set) var steps: [UInt64: ContentStep] = [:]
  /// Messages of mine that wait for keys, since when.
  private(set) var waiting: [UInt64: Instant] = [:]
  /// Messages that left in plain text, by the record that said so first.
  private var plain: [UInt64: UInt64] = [:]
  /// Records that nobody is notified of.
  private(set) var silent: Set<UInt64> = []
  /// Why messages failed.
  private(set) var failures: [UInt64: String] = [:]
  /// The keys of epochs that were stored.
  private var epochs: [UInt32: [UInt8]] = [:]

  init(_ world: World) { self.world = world }

  // MARK: - On the way

  /// A key of a ratchet was used for a message.
  func noteKey(_ message: RatchetMessage, _ payload: String, of id: String) {
    let name = message.ratchetKey.bytes + (0..<4).map { UInt8(truncatingIfNeeded: message.counter >> ($0 * 8)) }
    if let before = used[name] {
      world.hold(
        before.ciphertext == message.bytes && before.payload == payload,
        "the key \(message.counter) of a ratchet encrypts \(before.message), and then another text, \(id)")
    } else {
      used[name] = (message.bytes, payload, id)
    }
  }

  /// A batch is about to be written; it may never be.
  func note(_ batch: LogBatch) {
    batch.forEachRecord { frame in
      guard let record = Record(reading: frame) else { return }
      for secret in Self.step(of: record)?.secrets ?? [] where secret.box.count > 12 {
        let name = (0..<4).map { UInt8(truncatingIfNeeded: secret.epoch >> ($0 * 8)) } + secret.box.prefix(12)
        let box = Array(secret.box.dropFirst(12))
        world.hold(nonces[name] == nil || nonces[name] == box, "a nonce seals one secret, and then \(secret.name)")
        nonces[name] = box
      }
    }
  }

  private static func step(of record: Record) -> ContentStep? {
    switch record {
    case .message(let message), .change(let message): message.step
    case .step(let step): step.step
    default: nil
    }
  }

  // MARK: - Durable records

  func note(_ record: Record, _ sequence: UInt64, _ messages: [UInt64: MessageRecord]) {
    switch record {
    case .encryption(let encryption) where encryption.isEncrypted: noteEncrypted(.init(encryption), sequence)
    case .message(let message): note(message, sequence, sequence)
    case .change(let message):
      if message.isSealed { silent.insert(sequence) }
      note(message, message.isSealed ? message.target ?? sequence : sequence, sequence)
    case .delivery(let delivery): note(delivery)
    case .release(let release): waiting[release.id] = nil
    case .transmission(let transmission):
      for id in transmission.ids { if let message = messages[id] { checkPlain(message, id, sequence) } }
    default: break
    }
  }

  private func note(_ message: MessageRecord, _ id: UInt64, _ sequence: UInt64) {
    if let seal = message.details?.seal {
      if seal.version != nil, seal.unreadable == nil { noteEncrypted(.init(message), sequence) }
      if seal.isWaiting, message.author == .thisDevice { waiting[id] = world.now.instant }
    }
    guard message.author == .thisDevice, message.transmitted else { return }
    waiting[id] = nil
    if let step = message.step, !step.stanza.isEmpty {
      world.hold(steps[id] == nil || steps[id]?.stanza == step.stanza, "number \(id) is encrypted once")
      steps[id] = step
    } else {
      checkPlain(message, id, sequence)
    }
  }

  private func note(_ delivery: DeliveryRecord) {
    if delivery.awaitsKeys, delivery.isHeld { waiting[delivery.id] = waiting[delivery.id] ?? world.now.instant }
    guard delivery.state != .queued else { return }
    waiting[delivery.id] = nil
    if let failure = delivery.failure { failures[delivery.id] = failure.condition }
  }

  private func noteEncrypted(_ key: NodeWitness.Key, _ sequence: UInt64) {
    encryptedSince[key] = min(encryptedSince[key] ?? .max, sequence)
  }

  /// A message leaves in plain text.
  private func checkPlain(_ message: MessageRecord, _ id: UInt64, _ sequence: UInt64) {
    guard let climate = world.encryption, message.kind == .person, message.details?.seal?.wish != MessageSeal.Wish.none,
      steps[id] == nil
    else { return }
    let first = plain[id] ?? sequence
    plain[id] = first
    world.hold(climate.policy != .always, "\(message.text) leaves in plain text, and all has to be encrypted")
    world.hold(
      message.details?.seal?.wish != .required, "\(message.text) leaves in plain text, and was to be encrypted")
    let since = encryptedSince[.init(message)] ?? .max
    world.hold(first <= since, "\(message.text) leaves in plain text, and \(message.jid) is encrypted since \(since)")
  }

  // MARK: - Waiting

  /// How long keys may be waited for while all works.
  private static let patience = Interval.minutes(3)

  /// Checks that nothing waits too long.
  ///
  /// - Parameter whole: since when each account's stream works, by its number; absent: it does not.
  func checkWaiting(_ messages: [UInt64: MessageRecord], whole: [UInt32: Instant]) {
    for (id, since) in waiting.sorted(by: { $0.key < $1.key }) {
      guard let message = messages[id], let start = whole[message.account] else { continue }
      let waited = world.now.instant - max(since, start)
      world.hold(waited <= Self.patience, "\(message.text), number \(id), waits for keys since \(waited)")
    }
  }

  // MARK: - Epochs

  /// The file of keys was changed.
  func note(_ order: EpochKeyOrder, in files: [[UInt8]]) {
    switch order {
    case .store(let key): epochs[key.epoch] = key.bytes
    case .destroy(let epoch):
      for (old, key) in epochs where old < epoch {
        let isThere = files.contains { $0.firstRange(of: key) != nil }
        world.hold(!isThere, "the key of epoch \(old) is in a file, and epoch \(epoch) has begun")
      }
      epochs = epochs.filter { $0.key >= epoch }
      world.see(.epoch)
    }
  }
}

extension NodeWitness.Key {
  init(_ record: EncryptionRecord) { self.init(account: record.account, jid: record.jid) }
}

extension CipherWitness {
  /// True if a message has failed because its recipient's keys were not to be had.
  func failedForKeys(_ id: UInt64) -> Bool { failures[id].map(Self.ofKeys.contains) ?? false }

  private static let ofKeys: Set = ["no-devices", "untrusted", "keys-unavailable", "encryption-unavailable"]
}
