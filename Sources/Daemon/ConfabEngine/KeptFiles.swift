import ConfabAccounts
import SocketClients
import Records
import State

/// Removes files that no message has any more: those to be uploaded, and those that were fetched.
struct KeptFiles {
  let context: RequestContext

  /// Removes both.
  func sweep() {
    sweepSpool()
    sweepFetched()
  }

  /// Removes copies of files that no message waits for: a crash may have left them.
  private func sweepSpool() {
    var kept: [String] = []
    for account in context.state.accounts.all {
      for entry in account.outbox.held.values where entry.fileCount > 0 {
        guard let message = context.records.written(entry) else { continue }
        kept += (0..<entry.fileCount).map { Uploads.copyName(of: message, $0) }
      }
    }
    context.effects.order(.sweepSpool(keeping: kept.sorted()))
  }

  /// Removes kept files of messages that are forgotten, retracted or erased.
  func sweepFetched() {
    context.effects.order(.listFetched) { outcome in
      guard case .messages(let ids) = outcome, context.storage.isWhole else { return }
      let gone = ids.filter { !hasFiles($0) }
      if !gone.isEmpty { context.effects.order(.forgetFetched(gone)) }
    }
  }

  private func hasFiles(_ id: UInt64) -> Bool {
    guard let first = context.message(id) else { return false }
    guard let account = context.accounts.numbered(first.account) else { return true }
    return account.parts.messaging.inbox.finder.present(id, first)?.message.details?.files.isEmpty == false
  }
}
