import ConfabAccounts
import HelperProtocol
import Reactor
import Syscalls

/// The transfers that run, each in a program of its own.
final class RunningTransfers {
  private let loop: EventLoop
  private let onEvent: (TransferTicket, TransferEvent) -> Void
  private var running: [TransferTicket: (process: TransferProcess, watch: Watch)] = [:]

  init(loop: EventLoop, onEvent: @escaping (TransferTicket, TransferEvent) -> Void) {
    (self.loop, self.onEvent) = (loop, onEvent)
  }

  /// - Parameter file: nil: too many descriptors are open.
  func start(_ ticket: TransferTicket, _ request: TransferRequest, _ file: PassedDescriptor?) {
    guard let file else { return fail(ticket, "too many descriptors are open") }
    do throws(Errno) {
      let process = try TransferProcess(request, file: file.raw)
      let watch = try loop.watch(process.descriptor, for: .read) { [unowned self] _ in receive(ticket) }
      running[ticket] = (process, watch)
    } catch {
      fail(ticket, "\(error)")
    }
  }

  func cancel(_ ticket: TransferTicket) {
    guard let transfer = running.removeValue(forKey: ticket) else { return }
    loop.unwatch(transfer.watch)
  }

  private func receive(_ ticket: TransferTicket) {
    guard let process = running[ticket]?.process else { return }
    for event in process.receive() {
      if event.isEnd { cancel(ticket) }
      onEvent(ticket, event)
    }
  }

  /// The engine hears of it once this turn is over.
  private func fail(_ ticket: TransferTicket, _ reason: String) {
    loop.deferWork { [onEvent] in onEvent(ticket, .failed(TransferFailure(.program, reason))) }
  }
}
