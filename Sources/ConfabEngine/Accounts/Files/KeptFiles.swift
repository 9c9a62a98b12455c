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

  /// Removes kept files of messages that are forgotten, retracted or erased.
  func sweepFetched() {
    effects.order(.listFetched) { [weak self] outcome in
      guard let self, case .messages(let ids) = outcome, storage.isWhole else { return }
      let gone = ids.filter { !self.hasFiles($0) }
      if !gone.isEmpty { effects.order(.forgetFetched(gone)) }
    }
  }

  private func hasFiles(_ id: UInt64) -> Bool {
    guard let first = clients.context.message(id) else { return false }
    guard let account = accounts.numbered(first.account) else { return true }
    return account.parts.messaging.inbox.finder.present(id, first)?.message.details?.attachments.isEmpty == false
  }
}
