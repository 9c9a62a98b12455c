package import Syscalls

/// One run of `confab-picture`, which draws a picture for a terminal and ends; killed where this object goes before. It may
/// have been taken over by the picture: all that is taken from it is a drawing that was judged.
///
/// The owner is one thread.
package final class DrawingProcess {
  package enum Outcome: Equatable, Sendable {
    case drawn(Drawing)
    /// No picture of the formats that are known, or a damaged or too large one.
    case failed
  }

  /// Watch it for reading; valid as long as this object.
  package var descriptor: CInt { channel.descriptor }
  private let channel: HelperChannel
  private let request: DrawingRequest
  private var drawing: Drawing?

  /// More than any drawing needs.
  private static let longestMessage = GraphicsCheck.limit + 4096

  /// Starts it.
  ///
  /// - Parameters:
  ///   - file: the picture, open for reading; lent for this call.
  ///   - program: its path; nil: beside this program, or where it is installed.
  package init(_ request: DrawingRequest, file: CInt, program path: String? = nil) throws(Errno) {
    self.request = request
    channel = try HelperChannel(
      "confab-picture", path: path, request: request.encoded, file: file, limit: Self.longestMessage)
  }

  /// The outcome, once the process is gone: nothing is to be watched any more then. Call it when `descriptor` is readable.
  package func receive() -> Outcome? {
    var outcome: Outcome?
    for report in channel.receive() {
      switch report {
      case .message(let message):
        drawing = try? Drawing(decoding: message, for: request)
        channel.stop()
      case .nonsense: break
      case .ended: outcome = drawing.map(Outcome.drawn) ?? .failed
      }
    }
    return outcome
  }
}
