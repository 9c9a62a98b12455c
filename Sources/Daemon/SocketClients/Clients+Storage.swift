import ConfabAccounts
import LineProtocol
package import MessageLog
import State

/// Requests that could not be stored. A client that is told so takes it that nothing was done: no crash may bring it
/// back then.
extension Clients {
  /// Refuses the requests that wait for the disk: at once if they certainly were not done, or once that is certain.
  ///
  /// - Parameter hasUnstored: there is such a request, and its pending records have been discarded.
  package func storageFailed(_ error: StorageError, isWithdrawn: Bool, hasUnstored: Bool) {
    let durable = context.storage.queue.durable
    if hasUnstored {
      // The records that began these watches were not stored: there are no such names.
      for client in watchers.clients where client.watch?.record ?? 0 > durable { endWatch(of: client) }
      let failure = RequestFailure(error.cause == .noSpace ? .noSpace : .storage, "nothing could be stored: \(error)")
      for client in all { client.refuseUnstored(failure, durable: durable) }
      isInDoubt = true
    }
    if isWithdrawn { answerRefused() }
  }

  /// Something that a client asked for has not been stored, or something that one waits for.
  package var waitsForStorage: Bool {
    let durable = context.storage.queue.durable
    return context.storage.pending.isRequested || all.contains { $0.waitsForRecord(after: durable) }
  }

  /// Answers the refused requests: their records can not come back.
  package func answerRefused() {
    guard isInDoubt else { return }
    isInDoubt = false
    for client in all where client.answers.answerRefused() { advance(client) }
  }

  /// The answer to a request that cannot be done now. While it is not certain what becomes of those before it, one that
  /// may be a repeat of them is not answered either that nothing was done.
  func refusal(of request: Request, _ failure: RequestFailure) -> AnswerQueue.Slot {
    guard isInDoubt, [.storage, .noSpace].contains(failure.code) else { return .done(request.error(failure)) }
    return .refused(failure, request.withoutText)
  }

  // MARK: - A damaged index

  /// The index is damaged: events that came since are read from the log once the state is whole.
  package func stateLost() { watchers.feed.forgetLines() }

  /// The state is whole again: what waited goes on.
  package func stateRestored() {
    for client in all { client.answers.renewPages(context) }
    searches.start(context)
    durable()
  }
}
