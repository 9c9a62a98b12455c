import ConfabClient
import Clocks
import State
import MessageLog

/// `confab log export`: all messages, as front ends see them, or as text for people. There are two passes, because a later
/// record may decide a message's state, and whether it opens a section. Between the passes most conversations are on pages of
/// a temporary file without a name.
struct Export {
  private static let gap = Interval.hours(24)

  private let form: LogRequest.Form
  /// The bare JID of the only conversation that is exported; nil: all are.
  private let conversation: String?
  private let output: LineOutput
  private let complaints: LineOutput
  private let offset: (Timestamp) -> Int

  /// - Parameter offset: seconds east of UTC at a time, for people.
  init(
    _ form: LogRequest.Form, in conversation: String?, _ output: LineOutput, _ complaints: LineOutput,
    offset: @escaping (Timestamp) -> Int
  ) {
    self.conversation = conversation
    (self.form, self.output, self.complaints, self.offset) = (form, output, complaints, offset)
  }

  /// Exports; the exit status.
  func run(_ storage: any LogStorage) throws(LogCommandFailure) -> Int32 {
    do throws(RecoveryError) {
      let state = State(gap: Self.gap, pages: IndexPages(of: LogUUID.nobody, in: storage))
      var bound = BoundResources()
      var recovery = try Recovery(readingAllOf: storage)
      let log = try recovery.run { frame in
        state.apply(frame)
        state.eviction?.evictExcess()
        bound.note(frame)
      }
      let status = complaints.report(log.report)
      for account in state.accounts.unknown {
        complaints.line("confab log: the owner of account \(account.label) is unknown; its messages are exported")
      }
      if let conversation, !state.accounts.all.contains(where: { $0.conversations[conversation] != nil }) {
        complaints.line("confab log: no conversation with \(TerminalText.clean(conversation))")
        return LogCommand.broken
      }
      switch form {
      case .jsonLines: try ExportedLines(state, log.index, storage, output, of: conversation).write(bound)
      case .text: ExportedText(state, log.index, storage, output, offset: offset).write(conversation)
      }
      try state.checkPages()
      return status
    } catch {
      throw .log(error)
    }
  }
}
