import JSON
import LineProtocol

/// A file of a message moves over the network.
struct TransferProgressed: EphemeralEvent {
  let account: UInt32
  let conversation: String
  let id: UInt64
  let index: Int
  let done: UInt64
  let total: UInt64?
  var kind: EventKind { .transfer }
  var jid: String? { conversation }

  func encode(_ context: RequestContext, into writer: inout JSONWriter) {
    context.writeAddress(account, conversation, into: &writer)
    writer.member("id", id)
    writer.member("index", index)
    writer.member("done", done)
    if let total { writer.member("total", total) }
  }

  /// Of one file only the newest counts.
  static func == (one: Self, other: Self) -> Bool {
    (one.account, one.id, one.index) == (other.account, other.id, other.index)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(index)
  }
}
