package import Clocks
import ConfabConfiguration
package import MessageLog

/// Changes the key under which secrets are sealed, so that what sealed the secrets of before is gone for good: a new key
/// is stored, everything that lives is sealed by it, and the old key is destroyed, each once the step before it is
/// durable. A start finishes what an earlier process began (docs/decisions/0192-secrets-in-the-log.md).
package final class EpochChange {
  private enum Stage: Equatable {
    case none
    case storing(EpochKey)
    /// The new key is stored; what the old one sealed becomes durable by this record.
    case waiting(after: UInt64)
    /// Everything is sealed by the new key once this record is durable.
    case sealing(after: UInt64)
    case destroying
  }

  /// How long an epoch lasts that sealed anything, and how many secrets it may seal.
  private static let longest = Interval.hours(24)
  private static let mostSealed = 10_000
  /// How long to wait after an error of the disk.
  private static let pause = Interval.minutes(10)

  private let storage: Storage
  private let effects: Effects
  private var stage = Stage.none
  private var began: Instant?
  private var retry: Instant?
  /// The secrets of all accounts.
  package var accounts: () -> [any SecretStore] = { [] }

  package init(_ storage: Storage, _ effects: Effects) { (self.storage, self.effects) = (storage, effects) }

  private var keyring: Keyring { storage.keyring }

  /// True while a change is under way.
  package var isUnderWay: Bool { stage != .none }

  /// State is whole: what an earlier process began is finished.
  package func finishEarlier() {
    began = began ?? effects.now.instant
    if accounts().contains(where: \.hasSecrets) { keyring.noteEarlier() }
    guard stage == .none, let oldest = keyring.oldest, oldest < keyring.epoch else { return }
    stage = .waiting(after: storage.queue.last)
    storage.queue.hurry()
    goOn()
  }

  /// Begins a change, if the present key has sealed anything.
  package func begin() {
    guard stage == .none, keyring.epoch > 0, keyring.sealedCount > 0, storage.mayAppend, storage.isWhole else { return }
    let key = EpochKey(epoch: keyring.epoch + 1, bytes: effects.random.bytes(EpochKey.size))
    stage = .storing(key)
    effects.act(.changeKeys(.store(key)))
  }

  /// When a change is due.
  package var deadline: Instant? {
    switch stage {
    case .none: keyring.sealedCount > 0 ? retry ?? began?.advanced(by: Self.longest) : nil
    case .waiting: retry
    default: nil
    }
  }

  package func tick() {
    guard let due = deadline, due <= effects.now.instant else { return }
    retry = nil
    if stage == .none { begin() } else { goOn() }
  }

  /// The file of keys was changed, or could not be.
  package func changed(_ error: StorageError?) {
    if let error {
      effects.journal(.error, "the keys of the secrets in the log could not be changed: \(error)")
      (stage, retry) = (.none, effects.now.instant.advanced(by: Self.pause))
      return
    }
    switch stage {
    case .storing(let key):
      keyring.add(key)
      (began, retry) = (effects.now.instant, nil)
      stage = .waiting(after: storage.queue.last)
      storage.queue.hurry()
      goOn()
    case .destroying:
      keyring.remove(before: keyring.epoch)
      stage = .none
    case .none, .waiting, .sealing: break
    }
  }

  /// A sync came.
  package func synced() {
    if stage == .none, keyring.sealedCount >= Self.mostSealed, retry == nil { begin() }
    goOn()
  }

  private func goOn() {
    let durable = storage.queue.durable
    switch stage {
    case .waiting(let after) where durable >= after && storage.mayAppend && storage.isWhole && retry == nil:
      guard accounts().allSatisfy({ $0.resealAll() }) else {
        // The old key stays, or what the disk does not give now would be lost.
        effects.journal(.error, "some secrets in the log cannot be read now, and are sealed anew later")
        return retry = effects.now.instant.advanced(by: Self.pause)
      }
      stage = .sealing(after: storage.queue.last)
      storage.queue.hurry()
      goOn()
    case .sealing(let after) where durable >= after:
      stage = .destroying
      effects.act(.changeKeys(.destroy(before: keyring.epoch)))
    default: break
    }
  }
}

/// The secrets of an account, as far as a change of the epoch concerns them.
package protocol SecretStore: AnyObject {
  /// True if the log has any of them.
  var hasSecrets: Bool { get }

  /// Seals everything anew by the key of the present epoch. False: the disk has refused to give some of it.
  func resealAll() -> Bool
}
