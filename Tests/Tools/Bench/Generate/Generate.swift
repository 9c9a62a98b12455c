import LogTool
import Records
import TestSupport

/// `confab-bench generate --count N [--seed S] DIR`: a data directory with a history of N messages, as `confabd` would
/// have left it.
struct Generate {
  /// What came of it.
  struct Outcome {
    var messages = 0
    var records = 0
    /// Bytes of the messages' texts, names and ids.
    var content = 0
  }

  let count: Int
  let seed: UInt64
  let folder: String

  init(_ arguments: ArraySlice<String>) throws {
    var (count, seed, folder): (Int?, UInt64, String?) = (nil, 1, nil)
    var arguments = arguments
    while let argument = arguments.popFirst() {
      switch argument {
      case "--count": count = arguments.popFirst().flatMap { Int($0) }
      case "--seed": seed = arguments.popFirst().flatMap { UInt64($0) } ?? seed
      default: folder = argument
      }
    }
    guard let count, let folder else { throw TestFailure("usage: confab-bench generate --count N [--seed S] DIR") }
    self.init(count: count, seed: seed, folder: folder)
  }

  init(count: Int, seed: UInt64 = 1, folder: String) {
    (self.count, self.seed, self.folder) = (count, seed, folder)
  }

  func run() throws -> Outcome {
    let log = try WritableLog(folder)
    var history = GeneratedHistory(messages: count, seed: seed, first: log.nextSequence)
    var outcome = Outcome()
    while outcome.messages < count {
      // The log has records of its own behind the beginning of a segment.
      history.sequence = log.nextSequence
      let record = history.next()
      try log.append(record)
      outcome.records += 1
      guard case .message(let message) = record else { continue }
      outcome.messages += 1
      outcome.content += Self.content(of: message)
    }
    try log.close()
    return outcome
  }

  /// Bytes of a message's own text, names and ids.
  static func content(of message: MessageRecord) -> Int {
    [message.text, message.peer, message.stanzaID ?? "", message.archiveID ?? ""].reduce(0) { $0 + $1.utf8.count }
  }
}
