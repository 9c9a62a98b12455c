import Crypto
package import MessageLog
import Records

/// The keys under which secrets are sealed in the log, that of the present epoch and, during a change, the one before.
package final class Keyring {
  private var keys: [UInt32: [UInt8]] = [:]
  /// The present epoch; 0: there is no key, and nothing is encrypted.
  package private(set) var epoch: UInt32 = 0

  /// How many secrets the present key has sealed, as far as this process knows.
  private(set) var sealedCount = 0

  package init(_ keys: [EpochKey]) { for key in keys { add(key) } }

  /// A key is durable: what is sealed from now on is sealed by it.
  func add(_ key: EpochKey) {
    keys[key.epoch] = key.bytes
    sealedCount = 0
    epoch = max(epoch, key.epoch)
  }

  /// An earlier process has sealed secrets by the present key, nobody knows how many.
  func noteEarlier() { sealedCount = max(sealedCount, 1) }

  /// The keys of the epochs before this one are destroyed.
  func remove(before epoch: UInt32) { keys = keys.filter { $0.key >= epoch } }

  /// The oldest epoch whose key is there.
  var oldest: UInt32? { keys.keys.min() }

  /// - Parameter nonce: random, 12 bytes. A sequence number would be used again after a failed write.
  func seal(_ bytes: [UInt8], as name: String, of account: UInt32, nonce: [UInt8]) -> SealedSecret? {
    guard let key = keys[epoch],
      let box = try? SealedBox.seal(bytes, key: key, context: Self.context(name, account), nonce: nonce)
    else { return nil }
    sealedCount += 1
    return SealedSecret(name: name, epoch: epoch, box: box)
  }

  /// Nil: its key is destroyed, or it is damaged.
  func open(_ secret: SealedSecret, of account: UInt32) -> [UInt8]? {
    guard let key = keys[secret.epoch] else { return nil }
    return (try? SealedBox.open(secret.box, key: key, context: Self.context(secret.name, account))) ?? nil
  }

  private static func context(_ name: String, _ account: UInt32) -> [UInt8] { Array("\(account)/\(name)".utf8) }
}
