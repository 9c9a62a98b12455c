import ConfabAccounts
import Syscalls

/// The descriptors that came from front ends, or are to go to them, which the engine knows by a number.
final class HeldDescriptors {
  private var all: [DescriptorID: PassedDescriptor] = [:]
  private var last: UInt64 = 0
  /// There is room for another.
  var onTaken: () -> Void = {}

  /// The most that are held for all front ends together; the daemon needs others.
  static let limit = min(64, ProcessEnvironment.descriptorLimit / 16)

  /// The most that all front ends may have been sent and not taken.
  static let mostUntakenOfAll = ProcessEnvironment.descriptorLimit / 4

  /// The most that are opened for front ends while so many are held; the others are for those that come from them.
  static let mostOpened = limit / 2

  var count: Int { all.count }

  /// Holds a descriptor until it is taken; nil if there are too many, and it is closed.
  func hold(_ descriptor: PassedDescriptor) -> DescriptorID? {
    guard all.count < Self.limit else { return nil }
    last += 1
    let id = DescriptorID(last)
    all[id] = descriptor
    return id
  }

  /// Gives a descriptor up: it is closed unless the caller keeps it.
  func take(_ id: DescriptorID) -> PassedDescriptor? {
    defer { onTaken() }
    return all.removeValue(forKey: id)
  }
}
