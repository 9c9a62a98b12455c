import Records

/// What the durable records say of changed messages.
final class ChangeWitness {
  /// The message that each change of a peer is about, by stanza ids.
  var targets: [String: String] = [:]
  /// The records of each changed message, oldest first.
  private var versions: [UInt64: [(sequence: UInt64, message: MessageRecord)]] = [:]
  /// Messages that turned out to be texts of other ones, and the records since which they are none.
  private var absorbed: [UInt64: UInt64] = [:]
  /// The messages that changes are about, by the numbers of these.
  private var changed: [UInt64: UInt64] = [:]
  private var named: [String: [UInt64]] = [:]
  /// The stanza ids of messages that are not here, by the corrections that stand for them.
  private var standIns: [UInt64: String] = [:]
  /// The stanza ids of changes that were applied, and of those that wait.
  private var applied: Set<String> = []
  private var waiting: Set<String> = []
  private(set) var retracted: Set<String> = []
  /// The ids of messages for which signals wait, or did.
  private(set) var awaited: Set<String> = []

  /// How often a change is here: it is once the message that it is about was retracted.
  func count(_ id: String) -> Int {
    applied.contains(id) || waiting.contains(id) || targets[id].map(retracted.contains) == true ? 1 : 0
  }

  func sequences(of stanzaID: String) -> [UInt64] { named[stanzaID] ?? [] }

  /// A message after its last change up to a record; nil: it was not changed.
  func present(_ id: UInt64, upTo sequence: UInt64) -> MessageRecord? {
    versions[id]?.last { $0.sequence <= sequence }?.message
  }

  /// True if a record is a message that is none any more, or a change of one.
  func isOfAbsorbed(_ sequence: UInt64) -> Bool { absorbed[changed[sequence] ?? sequence] != nil }

  /// The corrections that stand for the message with a stanza's id.
  func standIns(for stanzaID: String) -> [UInt64] { standIns.keys.filter { standIns[$0] == stanzaID } }

  func note(_ message: MessageRecord, _ sequence: UInt64) {
    if let id = message.stanzaID { named[id, default: []].append(sequence) }
    if let id = message.details?.replaces { standIns[sequence] = id }
  }

  /// A change or a signal that waits for its message; true if it is a signal.
  func note(_ payload: PayloadRecord) -> Bool {
    guard payload.waitsFor != nil else { return false }
    let xml = String(decoding: payload.xml, as: UTF8.self)
    let ids = Rewriter.values(of: "<message", "id=", in: xml)
    let isSignal = ["<received ", "<displayed ", "<error "].contains { xml.firstRange(of: $0) != nil }
    if isSignal { awaited.formUnion(ids) } else { waiting.formUnion(ids) }
    return isSignal
  }

  /// A change; false if it was here before.
  func noteChange(_ message: MessageRecord, _ sequence: UInt64) -> Bool {
    guard let target = message.target, let change = message.details?.change else { return true }
    versions[target, default: []].append((sequence, message))
    changed[sequence] = target
    for record in change.absorbed where record.time != nil { absorbed[record.record] = sequence }
    if change.retraction != nil { retracted.formUnion([message.stanzaID, standIns[target]].compactMap(\.self)) }
    return change.stanzaID.map { applied.insert($0).inserted } ?? true
  }
}
