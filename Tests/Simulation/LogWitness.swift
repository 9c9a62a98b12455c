import Bytes
import Clocks
import Facts
import MessageLog
import Records

/// What the disk has said is durable: every record with its content, read by nobody but the promises. It may not change
/// and not go away, whatever happens.
final class LogWitness {
  let world: World
  /// Digests of the durable records, by their number from 1 on.
  private var digests: [UInt64] = []
  private var kinds: [UInt8] = []
  private(set) var messages: [UInt64: MessageRecord] = [:]
  private var mine: [String: UInt64] = [:]
  private var keys: [String: UInt64] = [:]
  private var incoming: [String: Int] = [:]
  /// Of each writer, by account and address, the last number seen.
  private var lastNumber: [String: Int] = [:]
  private var states: [UInt64: DeliveryState] = [:]
  private var doubts: Set<UInt64> = []

  init(_ world: World) { self.world = world }

  /// The newest durable record.
  var durable: UInt64 { UInt64(digests.count) }

  func sequence(ofMine stanzaID: String) -> UInt64? { mine[stanzaID] }
  func sequence(ofKey key: String) -> UInt64? { keys[key] }
  func count(ofIncoming id: String) -> Int { incoming[id] ?? 0 }
  func state(of sequence: UInt64) -> DeliveryState { states[sequence] ?? .queued }
  /// Nothing is left to be done for it.
  func isSettled(_ sequence: UInt64) -> Bool { messages[sequence]?.mine != true || state(of: sequence) != .queued }
  func isInDoubt(_ sequence: UInt64) -> Bool { doubts.contains(sequence) }

  /// A durable record, from a batch or read again at a start.
  func note(_ frame: borrowing LogFrame) {
    let payload = frame.copyPayload()
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(frame.kind)
    for byte in payload { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let sequence = frame.sequence
    guard sequence > durable else {
      world.hold(sequence >= 1 && digests[Int(sequence) - 1] == digest, "record \(sequence) stays what it was")
      return
    }
    world.hold(sequence == durable + 1, "record \(sequence) follows \(durable)")
    digests.append(digest)
    kinds.append(frame.kind)
    if let record = Record(reading: frame) { note(record, sequence) }
  }

  private func note(_ record: Record, _ sequence: UInt64) {
    switch record {
    case .message(let message): note(message, sequence)
    case .delivery(let delivery):
      if delivery.inDoubt { doubts.insert(delivery.id) }
      // A late word does not take back how it ended.
      if delivery.state != .queued { states[delivery.id] = delivery.state }
    default: break
    }
  }

  private func note(_ message: MessageRecord, _ sequence: UInt64) {
    messages[sequence] = message
    if let key = message.key {
      world.hold(keys[key] == nil, "key \(key) made two messages, \(keys[key] ?? 0) and \(sequence)")
      keys[key] = sequence
    }
    if message.mine {
      if let id = message.stanzaID { mine[id] = sequence }
    } else {
      noteIncoming(message, sequence)
    }
  }

  /// Once, and in the order in which it was written.
  private func noteIncoming(_ message: MessageRecord, _ sequence: UInt64) {
    guard let id = message.stanzaID else { return }
    incoming[id, default: 0] += 1
    world.hold(incoming[id] == 1, "\(id) is in the log twice, the second time as \(sequence)")
    guard let number = id.split(separator: "-").last.flatMap({ Int($0) }) else { return }
    let writer = "\(message.account) \(message.jid)"
    world.hold(number > lastNumber[writer] ?? 0, "\(id) is in the log behind number \(lastNumber[writer] ?? 0)")
    lastNumber[writer] = max(number, lastNumber[writer] ?? 0)
  }

  // MARK: - What follows from it

  private static let eventKinds: Set<UInt8> = Set(
    [RecordKind.message, .delivery, .read, .draft, .contact].map(\.rawValue))

  /// A watcher was told this event, and the one with that number before it, or nothing up to there.
  func checkNothingMissed(after earlier: UInt64, before later: UInt64, _ who: String) {
    guard earlier + 1 < later else { return }
    for sequence in earlier + 1..<later where sequence <= durable {
      world.hold(
        !Self.eventKinds.contains(kinds[Int(sequence) - 1]),
        "\(who) was not told of record \(sequence), but of \(later)")
    }
  }

  /// The messages of a conversation up to a record, in their order.
  func history(of jid: String, account: UInt32, upTo sequence: UInt64) -> [(id: UInt64, message: MessageRecord)] {
    messages.filter { $0.key <= sequence && $0.value.jid == jid && $0.value.account == account }
      .map { (id: $0.key, message: $0.value) }
      .sorted {
        ($0.message.time, $0.message.archiveOrder, $0.id) < ($1.message.time, $1.message.archiveOrder, $1.id)
      }
  }
}
