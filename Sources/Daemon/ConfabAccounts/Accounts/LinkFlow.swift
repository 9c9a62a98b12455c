/// Decides when reading from a link is paused: bytes wait for the disk, or for the server to take them.
package struct LinkFlow {
  /// Bytes that wait at which reading is paused, and at which it continues. More than messages of mine fill
  /// (`StreamOutput.mostOutstanding`): they must not keep the server from being heard.
  static let pauseAt = 1 << 20
  private static let resumeAt = 256 << 10
  /// A link that has received less than this lately is not to blame for the backlog of the disk, and is read on.
  private static let smallShare = 64 << 10

  package private(set) var isPaused = false
  /// About how many received bytes are in the batch that is being synced, and in the one that follows it.
  private var inFlight = 0
  private var gathering = 0

  mutating func received(_ count: Int) { gathering += count }

  /// A batch is durable, and the next one is on its way.
  mutating func synced() { (inFlight, gathering) = (gathering, 0) }

  mutating func linkLost() { isPaused = false }

  /// Pauses or continues reading; true if that is a change.
  ///
  /// - Parameters:
  ///   - backlog: bytes of all links that wait for the disk.
  ///   - unsent: bytes that wait for the server.
  mutating func changes(backlog: Int, unsent: Int, mustPause: Bool) -> Bool {
    let share = inFlight + gathering < Self.smallShare ? 0 : backlog
    let isFull = max(share, unsent) > (isPaused ? Self.resumeAt : Self.pauseAt)
    guard isPaused != (mustPause || isFull) else { return false }
    isPaused.toggle()
    return true
  }
}
