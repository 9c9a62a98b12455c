import LineProtocol
import MessageLog

/// Requests that could not be stored. Who is told so takes it that nothing was done: no crash may bring it back then.
extension FrontEnd {
  /// What waited for the disk is refused: at once, or once it is certain that it was not done.
  func storageFailed(_ error: StorageError, isWithdrawn: Bool, _ desk: Desk) {
    let failure = RequestFailure(error.cause == .noSpace ? .noSpace : .storage, "nothing could be stored: \(error)")
    if waitsForStorage(desk) {
      underWay = UnderWay()
      endUnstoredWatches(durable: desk.storage.queue.durable)
      for client in clients { client.refuseUnstored(failure, durable: desk.storage.queue.durable) }
      isInDoubt = true
    }
    if isWithdrawn { settleRefusals(desk) }
  }

  /// Something that a front end asked for has not been stored, or something that one waits for.
  func waitsForStorage(_ desk: Desk) -> Bool {
    let durable = desk.storage.queue.durable
    return !underWay.isEmpty || clients.contains { $0.waitsForRecord(after: durable) }
  }

  /// What was refused can not come back: those who asked are told.
  func settleRefusals(_ desk: Desk) {
    guard isInDoubt else { return }
    isInDoubt = false
    for client in clients where client.settleRefusals() { advance(client, desk) }
  }

  /// The answer to a request that cannot be done now. Where it is not certain what becomes of those before it, one that
  /// may be a repeat of them is not told either that nothing was done.
  func refuse(_ request: Request, _ failure: RequestFailure, _ client: Client) {
    if isInDoubt, [.storage, .noSpace].contains(failure.code) {
      client.slots.append(.refused(failure, request.withoutText))
    } else {
      client.answer(Lines.failure(failure, request.tag))
    }
  }
}
