package import Syscalls

/// One run of `confab-transfer`, which moves a file over HTTP and ends; killed where this object goes before. It may have
/// been taken over by a server: all that is taken from it is events, and the file's bytes.
///
/// The owner is one thread.
package final class TransferProcess {
  /// Watch it for reading; valid as long as this object.
  package var descriptor: CInt { channel.descriptor }
  private let channel: HelperChannel
  /// The report once the process is gone.
  private var end: TransferEvent?

  /// Starts it.
  ///
  /// - Parameters:
  ///   - file: lent for this call: open for writing and empty (get), or for reading (put). The bytes are at offsets from
  ///     0, wherever its position is.
  ///   - program: its path; nil: beside this program, or where it is installed.
  package init(_ request: TransferRequest, file: CInt, program path: String? = nil) throws(Errno) {
    channel = try HelperChannel(
      "confab-transfer", path: path, request: request.encoded, file: file, limit: Frame.limit)
  }

  /// The events that have come; call it when `descriptor` is readable. The last one of all is `done` or `failed`, once,
  /// when the process is gone: nothing is to be watched any more then.
  package func receive() -> [TransferEvent] {
    channel.receive().compactMap { report in
      switch report {
      case .message(let message): take(try? TransferEvent(decoding: message))
      case .nonsense: take(nil)
      case .ended(let words):
        end ?? .failed(TransferFailure(.program, "confab-transfer ended early (\(words))"))
      }
    }
  }

  /// The event, unless it is for later; nil stands for what is none.
  private func take(_ event: TransferEvent?) -> TransferEvent? {
    guard end == nil else { return nil }
    if let event, !event.isEnd { return event }
    end = event ?? .failed(TransferFailure(.program, "confab-transfer sent something else than events"))
    channel.stop()
    return nil
  }
}
