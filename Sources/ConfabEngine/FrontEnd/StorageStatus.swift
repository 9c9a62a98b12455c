import Clocks
import JSON
import MessageLog

/// The state of the disk, as front ends see it while nothing can be stored.
struct StorageStatus {
  let trouble: StorageError
  let since: Timestamp

  /// `full`: the user has to make room; `failing`: the disk, or its mount, needs repair.
  private var state: String { trouble.cause == .noSpace ? "full" : "failing" }

  /// The members `state`, `reason` and `since`.
  func write(into writer: inout JSONWriter) {
    writer.member("state", state)
    writer.member("reason", "nothing can be stored: \(trouble)")
    writer.member("since", since.rfc3339)
  }
}

extension Desk {
  /// Why nothing can be stored; nil while the log can be written.
  var storageStatus: StorageStatus? {
    guard let trouble = storage.trouble, let since = storage.troubleSince else { return nil }
    return StorageStatus(trouble: trouble, since: since)
  }
}
