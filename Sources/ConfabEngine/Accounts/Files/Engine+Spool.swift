import Records
import State

extension Engine {
  /// Removes copies of files that no message waits for: a crash may have left them.
  func sweepSpool() {
    var kept: [String] = []
    for account in state.accounts.values {
      for entry in account.outbox.held.values where entry.fileCount > 0 {
        guard let message = records.written(entry) else { continue }
        kept += (0..<entry.fileCount).map { Uploads.copyName(of: message, $0) }
      }
    }
    effects.order(.sweepSpool(keeping: kept.sorted()))
  }
}
