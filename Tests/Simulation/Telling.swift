import Bytes
import Clocks
import ConfabAccounts
import State
import MessageLog
import Records

/// What goes into the engine and what comes out of it: into the digest, and in words into the trace.
enum Telling {
  static func note(_ event: Event, _ world: World) {
    let trace = world.trace
    trace.mix(UInt64(bitPattern: world.now.instant.milliseconds))
    switch event {
    case .client(let id, .received(let bytes, _)):
      trace.mix(id.number)
      trace.mix(bytes)
    case .link(let id, .received(let bytes)):
      trace.mix(id.number)
      trace.mix(bytes)
    case .client(let id, let event):
      trace.mix(id.number)
      trace.mix(code(event))
    case .link(let id, _): trace.mix(id.number)
    case .tick: trace.mix(2)
    case .committed: trace.mix(3)
    case .stop(let signal): trace.mix("\(signal)".utf8)
    default: trace.mix(1)
    }
    trace.line(world.now, "> \(words(event))")
  }

  static func note(_ action: Action, _ world: World) {
    let trace = world.trace
    switch action {
    case .client(let id, .write(let bytes)):
      trace.mix(id.number)
      trace.mix(bytes)
    case .broadcast(let ids, let bytes):
      for id in ids { trace.mix(id.number) }
      trace.mix(bytes)
    case .link(let id, .write(let bytes)):
      trace.mix(id.number)
      trace.mix(bytes)
    case .commit(let batch):
      trace.mix(batch.sequences.lowerBound)
      batch.forEachRecord { trace.mix($0.copyPayload()) }
    case .checkpoint(let checkpoint): trace.mix(checkpoint.checkpoint.sequence)
    case .journal(_, let line, _): trace.mix(line.utf8)
    case .client(let id, _): trace.mix(id.number)
    case .link(let id, _): trace.mix(id.number)
    default: trace.mix(1)
    }
    trace.line(world.now, "    \(words(action))")
  }

  private static func code(_ event: ClientEvent) -> UInt64 {
    switch event {
    case .received: 1
    case .drained: 2
    case .pendingOutput(let count): UInt64(count) << 3
    case .closed: 3
    default: 4
    }
  }

  private static func words(_ event: Event) -> String {
    switch event {
    case .client(let id, .received(let bytes, _)): "front end \(id.number): \(text(bytes))"
    case .client(let id, let event): "front end \(id.number) \(event)"
    case .link(let id, .received(let bytes)): "link \(id.number): \(text(bytes))"
    case .link(let id, let event): "link \(id.number) \(event)"
    case .configuration: "configuration"
    default: "\(event)"
    }
  }

  private static func words(_ action: Action) -> String {
    switch action {
    case .client(let id, .write(let bytes)): "to front end \(id.number): \(text(bytes))"
    case .client(let id, let action): "front end \(id.number): \(action)"
    case .broadcast(let ids, let bytes): "to front ends \(ids.map(\.number)): \(text(bytes))"
    case .link(let id, .write(let bytes)): "to link \(id.number): \(text(bytes))"
    case .link(let id, let action): "link \(id.number): \(action)"
    case .commit(let batch): "write and sync the records \(batch.sequences): \(kinds(of: batch))"
    case .checkpoint(let checkpoint): "checkpoint of \(checkpoint.checkpoint.sequence)"
    case .journal(let level, let line, _): "journal, \(level): \(line)"
    default: "\(action)"
    }
  }

  private static func kinds(of batch: LogBatch) -> String {
    var kinds: [String] = []
    batch.forEachRecord { frame in
      let kind = RecordKind(rawValue: frame.kind).map { "\($0)" } ?? "kind \(frame.kind)"
      kinds.append(kind + (Record(reading: frame).flatMap(details) ?? ""))
    }
    return kinds.joined(separator: ", ")
  }

  private static func details(_ record: Record) -> String? {
    switch record {
    case .stream(let stream): stream.handled.map { " (handled \($0))" }
    case .message(let message):
      " (\(message.jid), \(message.author.isMe ? "mine, " : "")\(message.time) \(message.archiveOrder)\(seal(message)))"
    case .change(let message): message.details?.seal.map { _ in " (\(message.target ?? 0)\(seal(message)))" }
    case .step(let step): " (\(step.step.secrets.map(\.name).filter { !$0.hasPrefix("prekey/") }))"
    case .payload(let payload): " (\(String(decoding: payload.xml, as: UTF8.self)))"
    case .referencesFound(let found): " (\(found.records))"
    case .delivery(let delivery): " (\(delivery.id) \(delivery.state.word))"
    case .read(let read): " (\(read.jid) up to \(read.id))"
    default: nil
    }
  }

  /// How a message is encrypted, and what that changed.
  private static func seal(_ message: MessageRecord) -> String {
    guard let seal = message.details?.seal else { return "" }
    let state = seal.unreadable.map { ", unreadable: \($0)" } ?? (seal.isWaiting ? ", waits for keys" : "")
    return state + (message.step.map { ", \($0.secrets.map(\.name))" } ?? "")
  }

  /// One line, whatever it holds.
  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: true)
      .joined(separator: "⏎")
  }
}
