/// Facts that tell one place of a data directory from another: those of its file `instance`, and the machine.
///
/// A copy, or a directory put back from a backup, has another inode or birth time. The device number is not compared:
/// it changes when a machine starts anew. A snapshot of a virtual machine has all the same facts and cannot be told
/// from the original.
package struct InstanceFacts: Equatable, Sendable {
  package var inode: UInt64
  /// The birth time in nanoseconds since 1970; nil where the file system knows none.
  package var birth: Int64?
  /// The content of /etc/machine-id; nil where there is none.
  package var machine: String?

  package init(inode: UInt64, birth: Int64?, machine: String?) {
    (self.inode, self.birth, self.machine) = (inode, birth, machine)
  }

  /// True if both may be the same place: facts that one of them lacks are not compared.
  func matches(_ other: InstanceFacts) -> Bool {
    func agree<T: Equatable>(_ left: T?, _ right: T?) -> Bool { left == nil || right == nil || left == right }
    return inode == other.inode && agree(birth, other.birth) && agree(machine, other.machine)
  }
}

/// The UUID of a log together with the place where it got it: the file `identity` of the data directory.
package struct LogIdentity: Equatable, Sendable {
  package var uuid: LogUUID
  package var instance: InstanceFacts
  /// The UUIDs that it had where it was copied from, the oldest first: what their checkpoints state holds here too.
  package var ancestors: [LogUUID]

  package init(uuid: LogUUID, instance: InstanceFacts, ancestors: [LogUUID] = []) {
    (self.uuid, self.instance, self.ancestors) = (uuid, instance, ancestors)
  }

  package static let fileName = "identity"
  /// No file is larger.
  package static let limit = 4096
  /// More of them are not remembered.
  private static let mostAncestors = 50

  /// The identity that a log has; nil where there is none that can be read.
  package static func read(from storage: any LogStorage) -> LogIdentity? {
    (try? storage.readFile(fileName, limit: limit)).flatMap { LogIdentity(decoding: $0) }
  }

  /// The identity of a copy of this log.
  package func copied(as uuid: LogUUID, to instance: InstanceFacts) -> LogIdentity {
    LogIdentity(uuid: uuid, instance: instance, ancestors: (ancestors + [self.uuid]).suffix(Self.mostAncestors))
  }

  /// True if this is the identity of the log found at `observed`.
  package func isAt(_ observed: InstanceFacts) -> Bool { instance.matches(observed) }

  /// The verdict about a log that is opened at a place.
  package enum Decision: Equatable, Sendable {
    /// It is where it was, and keeps its UUID.
    case same(LogUUID)
    /// There is no identity yet: it needs a UUID.
    case new
    /// It was copied, moved or put back, or its identity cannot be read: it needs another UUID. For people: why.
    case moved(String)
  }

  /// Decides about a log whose file `identity` holds `stored` (nil: there is none) and which was found at `observed`.
  package static func decide(stored: [UInt8]?, observed: InstanceFacts) -> Decision {
    guard let stored else { return .new }
    guard let identity = LogIdentity(decoding: stored) else { return .moved("the file \(fileName) cannot be read") }
    guard identity.instance.matches(observed) else {
      return .moved("the log \(identity.uuid) was copied, moved or put back here")
    }
    return .same(identity.uuid)
  }

  /// The file: one fact a line, to be read by people too.
  package var encoded: [UInt8] {
    var lines = ["confab-log 1", "uuid \(uuid)", "inode \(instance.inode)"]
    if let birth = instance.birth { lines.append("birth \(birth)") }
    if let machine = instance.machine { lines.append("machine \(machine)") }
    lines += ancestors.map { "was \($0)" }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// The identity that `bytes`, the content of the file, states. Lines that it does not know are passed over.
  package init?(decoding bytes: [UInt8]) {
    guard bytes.count <= Self.limit, let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let lines = text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
    guard lines.first == ["confab-log", "1"] else { return nil }
    func value(_ name: String) -> String? { lines.first { $0.count == 2 && $0[0] == name }?[1] }
    guard let uuid = value("uuid").flatMap(LogUUID.init), let inode = value("inode").flatMap({ UInt64($0) }) else {
      return nil
    }
    let birth = value("birth").map { Int64($0) }
    if case .some(.none) = birth { return nil }
    let ancestors = lines.compactMap { $0.count == 2 && $0[0] == "was" ? LogUUID($0[1]) : nil }
    self.init(
      uuid: uuid, instance: InstanceFacts(inode: inode, birth: birth ?? nil, machine: value("machine")),
      ancestors: ancestors)
  }
}
