import Crypto
import Records
package import State

/// The secrets of one account. They are opened when they are needed, and sealed with the record that changes them.
///
/// A change is made in two steps: it is set, and then taken with the record that it becomes durable with, or rolled
/// back, if nothing is stored.
package final class Secrets: SecretStore {
  private let state: AccountState
  private let records: RecordReader
  private let storage: Storage
  private let effects: Effects
  /// Set, and in no record yet; nil: it is removed.
  private var changes: [String: [UInt8]?] = [:]
  /// In a record that is not durable yet.
  private var pending: [String: [UInt8]?] = [:]

  package init(_ state: AccountState, _ records: RecordReader, _ storage: Storage, _ effects: Effects) {
    (self.state, self.records, self.storage, self.effects) = (state, records, storage, effects)
  }

  /// True if secrets can be kept at all.
  var canKeep: Bool { storage.keyring.epoch > 0 }

  subscript(name: String) -> [UInt8]? {
    get {
      if let changed = changes[name] ?? pending[name] { return changed }
      return state.secrets[name].flatMap(whole).flatMap { storage.keyring.open($0, of: state.number) }
    }
    set { changes[name] = .some(newValue) }
  }

  /// True if there is one of this name; opens nothing.
  func has(_ name: String) -> Bool {
    (changes[name] ?? pending[name]).map { $0 != nil } ?? (state.secrets[name] != nil)
  }

  /// The secret with its box, which the log may have; nil: it cannot be read.
  private func whole(_ secret: SealedSecret) -> SealedSecret? {
    guard secret.record != 0 else { return secret }
    return records.record(secret.record)?.step?.secrets.last { $0.name == secret.name }
  }

  /// The names that begin so, sorted.
  func names(beginning prefix: String) -> [String] {
    var names = Set(state.secrets.names(beginning: prefix))
    for (name, value) in pending.merging(changes, uniquingKeysWith: { $1 }) where name.hasPrefix(prefix) {
      if value == nil { names.remove(name) } else { names.insert(name) }
    }
    return names.sorted()
  }

  /// True if something was set that is in no record.
  var hasChanges: Bool { !changes.isEmpty }

  /// The secrets that were set, for the record that is appended next.
  func takeStep() -> ContentStep? {
    guard hasChanges else { return nil }
    let secrets = changes.sorted { $0.key < $1.key }.compactMap { name, value in
      value.map { seal($0, as: name) } ?? SealedSecret(name: name, epoch: storage.keyring.epoch, box: [])
    }
    pending.merge(changes) { $1 }
    changes = [:]
    return ContentStep(secrets: secrets)
  }

  /// True if a crash takes none of them back.
  var areDurable: Bool { changes.isEmpty && pending.isEmpty }

  /// Drops what was set.
  func rollBack() { changes = [:] }

  /// Appends what was set as a record of its own; returns its number, 0 where nothing was set.
  @discardableResult
  func store() -> UInt64 {
    takeStep().map { storage.append(.step(StepRecord(account: state.number, $0))) } ?? 0
  }

  /// A sync came.
  func synced() { if storage.queue.isClean { pending = [:] } }

  /// Records were given up: only what is durable counts.
  func forgetUnstored() { (changes, pending) = ([:], [:]) }

  // MARK: - Epochs

  package var hasSecrets: Bool { !state.secrets.isEmpty }

  /// Seals everything anew by the key of the present epoch. All that the key before has sealed is durable. False: the
  /// disk has refused to give some of it.
  package func resealAll() -> Bool {
    let before = state.secrets.all.filter { $0.epoch != storage.keyring.epoch }
    var isWhole = true
    for secret in before {
      if let value = self[secret.name] {
        changes[secret.name] = value
      } else if secret.record != 0, records.failure != nil {
        isWhole = false
      }
      if changes.count >= Self.mostOfRecord { store() }
    }
    store()
    return isWhole
  }

  /// Secrets in one record of many: who needs one of them reads the record.
  private static let mostOfRecord = 16

  private func seal(_ bytes: [UInt8], as name: String) -> SealedSecret? {
    storage.keyring.seal(bytes, as: name, of: state.number, nonce: effects.random.bytes(AESGCM.nonceBytes))
  }
}

extension Record {
  /// The changes that it makes among the secrets.
  fileprivate var step: ContentStep? {
    switch self {
    case .message(let message), .change(let message): message.step
    case .step(let record): record.step
    case .erased(let erased): erased.step
    default: nil
    }
  }
}
