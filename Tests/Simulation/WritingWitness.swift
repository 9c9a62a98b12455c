import Clocks
import Records

/// Messages in the log, beside what was written, by whom and when.
final class WritingWitness {
  private let world: World
  /// When the server got each message, and the other side, by the message's id.
  private var written: [String: (time: Timestamp, otherSide: String)] = [:]
  /// When each account last took messages as they came.
  private var lastLive: [UInt32: Int64] = [:]
  private var beginnings: [UInt32: UInt64] = [:]
  /// Clocks may differ by two minutes, and servers stamp whole seconds.
  private static let margin: Int64 = 121_000

  init(_ world: World) { self.world = world }

  /// The server got a message.
  func note(_ parcel: Parcel) { written[parcel.id] = (parcel.time, parcel.otherSide) }

  func note(_ stream: StreamRecord, _ sequence: UInt64) {
    if let time = stream.lastLive { lastLive[stream.account] = time }
    if stream.beginning != nil { beginnings[stream.account] = sequence }
  }

  /// The record with which an account's present stream began; 0: none did.
  func streamBegan(_ account: UInt32) -> UInt64 { beginnings[account] ?? 0 }

  /// When the server got a message, in milliseconds since 1970.
  func time(of message: MessageRecord) -> Int64? {
    message.text.split(separator: " ").first.flatMap { written[String($0)]?.time.milliseconds }
  }

  /// A message stands under the address of who wrote it, and at no time before it was written, unless no earlier session is
  /// known to have taken messages as they came then (decision 0095).
  func check(_ message: MessageRecord, _ id: String) {
    world.hold(!message.text.hasPrefix(Strangers.forgery), "a forged message is in the log: \(message.text)")
    guard let (time, otherSide) = written[id] else { return }
    world.hold(message.jid == otherSide, "\(id) of \(otherSide) is in the log as one of \(message.jid)")
    guard world.faults[.clockJump] == nil, let live = lastLive[message.account] else { return }
    let oldest = min(time.milliseconds, live) - Self.margin
    world.hold(message.time >= oldest, "\(id), written at \(time), is in the log at \(message.time)")
  }
}
