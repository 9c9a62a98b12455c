import Bytes

/// Where the parts of a stored session are (libomemo-c's LocalStorageProtocol.proto: RecordStructure, SessionStructure),
/// found by a reader that admits only what the library writes itself.
struct RecordLayout: Sendable {
  /// The present state, then the older ones.
  private(set) var states: [StateLayout] = []

  /// More than the library keeps (`ARCHIVED_STATES_MAX_LENGTH`).
  private static let mostStates = 41
  private static let mostBytes = 16 << 20

  var hasMessageKeys: Bool { states.contains { $0.receivers.contains { !$0.messageKeys.isEmpty } } }

  /// Nil unless the bytes are a record with a present state, all states of one version.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.mostBytes else { return nil }
    do throws(FieldError) {
      states = try FieldReader.read(bytes) { reader throws(FieldError) in
        var states: [StateLayout] = []
        while let number = try reader.next() {
          guard number == (states.isEmpty ? 1 : 2), states.count < Self.mostStates else { throw .malformed }
          states.append(try StateLayout(&reader))
        }
        return states
      }
    } catch {
      return nil
    }
    guard let version = states.first?.version, states.allSatisfy({ $0.version == version }) else { return nil }
  }
}

/// SessionStructure.
struct StateLayout: Sendable {
  let version: RatchetVersion
  let remoteIdentity: Range<Int>
  let baseKey: Range<Int>
  let sender: ChainLayout
  let receivers: [ChainLayout]
  let isUnanswered: Bool

  /// The chains that the library keeps.
  private static let mostReceivers = 5

  init(_ reader: inout FieldReader) throws(FieldError) {
    self = try reader.message { reader throws(FieldError) in try StateLayout(fieldsOf: &reader) }
  }

  private init(fieldsOf reader: inout FieldReader) throws(FieldError) {
    var parts: [UInt32: Range<Int>] = [:]
    var version: RatchetVersion?
    var sender: ChainLayout?
    var (receivers, seen, isUnanswered): ([ChainLayout], UInt32, Bool) = ([], 0, false)
    while let number = try reader.next() {
      guard number < 32, number == 7 || seen & 1 << number == 0 else { throw .malformed }
      seen |= 1 << number
      switch number {
      case 1: version = RatchetVersion(rawValue: try reader.uint(UInt8.self))
      case 2, 3, 4, 13: parts[number] = try reader.fieldRange()
      case 5, 10, 11: _ = try reader.uint(UInt32.self)
      case 6: sender = try ChainLayout(&reader, isSender: true)
      case 7: receivers.append(try ChainLayout(&reader, isSender: false))
      case 9:
        try Self.checkPending(&reader)
        isUnanswered = true
      case 12, 14: _ = try reader.bool()
      default: throw .malformed
      }
    }
    guard let version, let sender, receivers.count <= Self.mostReceivers else { throw .malformed }
    let identityBytes = version == .legacy ? 33 : 32
    guard let local = parts[2], let remote = parts[3], let root = parts[4], let base = parts[13], root.count == 32,
      local.count == identityBytes, remote.count == identityBytes, base.count == 33
    else { throw .malformed }
    (self.version, remoteIdentity, baseKey) = (version, remote, base.dropFirst())
    (self.sender, self.receivers, self.isUnanswered) = (sender, receivers, isUnanswered)
  }

  /// PendingPreKey: 1 pre-key id, 2 base key, 3 signed pre-key id.
  private static func checkPending(_ reader: inout FieldReader) throws(FieldError) {
    try reader.message { reader throws(FieldError) in
      var seen: Set<UInt32> = []
      while let number = try reader.next() {
        guard seen.insert(number).inserted else { throw .malformed }
        switch number {
        case 1, 3: _ = try reader.uint(UInt32.self)
        case 2: guard try reader.range().count == 33 else { throw .malformed }
        default: throw .malformed
        }
      }
      guard seen.isSuperset(of: [2, 3]) else { throw .malformed }
    }
  }
}

/// SessionStructure.Chain.
struct ChainLayout: Sendable {
  /// 32 bytes, without the type.
  let ratchetKey: Range<Int>
  /// The counter of the next message.
  let index: UInt32
  let chainKey: Range<Int>
  let messageKeys: [MessageKeyLayout]

  init(_ reader: inout FieldReader, isSender: Bool) throws(FieldError) {
    self = try reader.message { reader throws(FieldError) in try ChainLayout(fieldsOf: &reader, isSender) }
  }

  private init(fieldsOf reader: inout FieldReader, _ isSender: Bool) throws(FieldError) {
    var (ratchetKey, privateKey): (Range<Int>?, Range<Int>?)
    var chainKey: (index: UInt32, key: Range<Int>)?
    var messageKeys: [MessageKeyLayout] = []
    while let number = try reader.next() {
      switch number {
      case 1 where ratchetKey == nil: ratchetKey = try reader.fieldRange()
      case 2 where privateKey == nil && isSender: privateKey = try reader.fieldRange()
      case 3 where chainKey == nil: chainKey = try Self.chainKey(&reader)
      case 4 where !isSender: messageKeys.append(try MessageKeyLayout(&reader))
      default: throw .malformed
      }
    }
    guard let ratchetKey, ratchetKey.count == 33, let chainKey, (privateKey?.count ?? 0) == (isSender ? 32 : 0),
      messageKeys.count <= SkippedKey.most
    else { throw .malformed }
    (self.ratchetKey, self.messageKeys) = (ratchetKey.dropFirst(), messageKeys)
    (index, self.chainKey) = chainKey
  }

  /// ChainKey: 1 index, 2 key.
  private static func chainKey(_ reader: inout FieldReader) throws(FieldError) -> (index: UInt32, key: Range<Int>) {
    try reader.message { reader throws(FieldError) in
      var (index, key): (UInt32?, Range<Int>?)
      while let number = try reader.next() {
        switch number {
        case 1 where index == nil: index = try reader.uint(UInt32.self)
        case 2 where key == nil: key = try reader.fieldRange()
        default: throw .malformed
        }
      }
      guard let index, let key, key.count == 32 else { throw .malformed }
      return (index, key)
    }
  }
}

/// MessageKey: 1 index, 2 cipher key, 3 MAC key, 4 IV.
struct MessageKeyLayout: Sendable {
  let counter: UInt32
  /// 80 bytes of the three, which are apart in the record.
  let parts: [Range<Int>]

  init(_ reader: inout FieldReader) throws(FieldError) {
    self = try reader.message { reader throws(FieldError) in
      guard try reader.next() == 1 else { throw .malformed }
      let counter = try reader.uint(UInt32.self)
      var parts: [Range<Int>] = []
      for (number, count) in [(2, 32), (3, 32), (4, 16)] as [(UInt32, Int)] {
        guard try reader.next() == number, try reader.range().count == count else { throw .malformed }
        parts.append(try reader.fieldRange())
      }
      guard try reader.next() == nil else { throw .malformed }
      return MessageKeyLayout(counter, parts)
    }
  }

  private init(_ counter: UInt32, _ parts: [Range<Int>]) { (self.counter, self.parts) = (counter, parts) }
}

extension FieldReader {
  /// The range of the present field's bytes in the whole record.
  fileprivate func fieldRange() throws(FieldError) -> Range<Int> {
    let place = try place()
    return place..<place + (try range()).count
  }
}
