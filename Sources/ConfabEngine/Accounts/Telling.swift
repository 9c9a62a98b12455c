import Clocks
import Facts
import Records

/// Receipts and markers on their way to the server: what is owed is a fact until the server has it.
struct Telling {
  /// The record that owes the last one handed to the stream.
  var upTo: UInt64 = 0
  /// Handed to the stream and not acknowledged, by their places.
  private(set) var sent: ArraySlice<StreamRecord.Told> = []
  /// The server has them, and no record says so yet.
  private(set) var done: [UInt64] = []
  /// The server had them when the stream was resumed: they do not go again.
  private(set) var settled: Set<UInt64> = []
  /// When the server is to be asked, and the log to be told, at the latest.
  var due: Instant?

  init() {}

  /// Of a stream that was left in order by an earlier process.
  init(leftWith told: [StreamRecord.Told]) { sent = told[...] }

  mutating func wrote(_ sequence: UInt64, at place: UInt32?) {
    if let place { sent.append(StreamRecord.Told(place: place, sequence: sequence)) } else { done.append(sequence) }
  }

  /// The server has so many of our stanzas.
  mutating func acknowledged(_ count: UInt32) {
    while let first = sent.first, !first.place.isBeyond(count) {
      sent.removeFirst()
      done.append(first.sequence)
    }
    if sent.isEmpty { sent = [] }
  }

  /// The stream is resumed: what the server has not had goes again, under another place.
  mutating func resumed(_ count: UInt32) {
    acknowledged(count)
    settled = Set(done)
    (sent, upTo) = ([], 0)
  }

  mutating func takeDone() -> [UInt64] {
    defer { done = [] }
    return done
  }
}
