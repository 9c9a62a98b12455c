package import HelperProtocol

/// Names one transfer over HTTP.
package struct TransferTicket: Hashable, Sendable {
  package let number: UInt64
  package init(_ number: UInt64) { self.number = number }
}

extension Effects {
  /// Moves a file over HTTP; `report` is called for each event, and not any more once the transfer is cancelled.
  ///
  /// - Parameter file: open for reading or writing; it is closed afterwards.
  func transfer(
    _ request: TransferRequest, _ file: DescriptorID, report: @escaping (TransferEvent) -> Void
  ) -> TransferTicket {
    let ticket = TransferTicket(freshNumber())
    transfers[ticket] = report
    act(.transfer(ticket, request, file))
    return ticket
  }

  package func reported(_ ticket: TransferTicket, _ event: TransferEvent) {
    guard let report = transfers[ticket] else { return }
    if event.isEnd { transfers[ticket] = nil }
    report(event)
  }

  func cancel(_ ticket: TransferTicket) {
    if transfers.removeValue(forKey: ticket) != nil { act(.cancelTransfer(ticket)) }
  }
}
