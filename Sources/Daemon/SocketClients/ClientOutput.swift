import ConfabAccounts
import LineProtocol
import ConfabConfiguration
/// The output to one client: the bytes that it has not taken, within its budget, and the descriptors that go with
/// answers.
final class ClientOutput {
  /// The most bytes of events that wait for a watcher, not counting the line that passes the limit. A slow watcher's
  /// further events are read from the log later, so that a thousand stalled watchers cost 32 MiB. (Answers are stored
  /// nowhere else and are not limited by this.)
  static let mostEvents = 32 << 10
  /// The most answers with descriptors that one client may be owed; its next request for one waits.
  private static let mostDescriptors = 16

  private let id: ClientID
  private let budget: OutputBudget
  private let effects: Effects
  /// Bytes handed to the driver since it last reported that all had gone.
  private(set) var pendingBytes = 0
  /// Answers with descriptors that are owed, or that the client has not taken.
  private var descriptorDebt = 0
  /// Writing failed: long answers and events are not made, and queries are not taken up.
  private(set) var hasFailed = false

  init(to id: ClientID, _ budget: OutputBudget, _ effects: Effects) {
    (self.id, self.budget, self.effects) = (id, budget, effects)
  }

  // MARK: Writing

  func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    addPending(bytes.count)
    effects.act(.client(id, .write(bytes)))
  }

  /// Writes a line with which a descriptor goes.
  func write(_ line: [UInt8], passing descriptor: DescriptorID) {
    addPending(line.count)
    effects.act(.client(id, .writePassing(line, descriptor)))
  }

  /// Notes `count` bytes that wait to be handed to the kernel.
  func addPending(_ count: Int) {
    pendingBytes += count
    budget.add(count)
  }

  /// Everything written has gone, or the connection has.
  func drained() {
    budget.remove(pendingBytes)
    pendingBytes = 0
  }

  /// Writing failed for good.
  func fail() { hasFailed = true }

  // MARK: Bounds

  /// How many bytes may still be made for it.
  var space: Int { budget.allowance - pendingBytes }

  var isCongested: Bool { space <= 0 }

  /// How many more bytes of events may be buffered for the watcher.
  var eventSpace: Int { min(space, Self.mostEvents - pendingBytes) }

  /// How many requests may be open at once.
  var mostRequests: Int { budget.limits.requests }

  /// True if the client may be owed one more answer with a descriptor. A failed client is: nothing is passed to it any
  /// more.
  var mayOweDescriptor: Bool { hasFailed || descriptorDebt < Self.mostDescriptors }

  /// An answer with a descriptor is owed.
  func oweDescriptor() { descriptorDebt += 1 }

  /// It comes without one after all.
  func dropDescriptor() { descriptorDebt -= 1 }

  /// The client has taken so many.
  func descriptorsTaken(_ count: Int) { descriptorDebt -= count }
}
