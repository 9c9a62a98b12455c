/// About how many received bytes are in the batch that is being synced and in the one that follows it.
struct UnsyncedBytes {
  private var inFlight = 0
  private var gathering = 0

  var sum: Int { inFlight + gathering }

  mutating func receive(_ count: Int) { gathering += count }

  /// A batch is durable, and the next one is on its way.
  mutating func commit() {
    inFlight = gathering
    gathering = 0
  }
}
