import ConfabClient
package import Clocks
import LogFiles
import MessageLog
import Syscalls

/// `confab log verify|dump|export`: reads the log itself, beside a running daemon or without one, and changes nothing.
/// `import` and `scrub` write to it, without a daemon.
package enum LogCommand {
  package static let usage = """
    usage: confab log verify [--config FILE | --data DIR]
           confab log dump [FIRST[-[LAST]]] [--config FILE | --data DIR]
           confab log export [--jsonl | --text] [--in=JID] [--config FILE | --data DIR]
           confab log import --jsonl FILE [--account NAME [--jid JID]] [--read] [--config FILE | --data DIR]
           confab log scrub [--config FILE | --data DIR]
           confab import CLIENT [PATH] [OPTION ...]; see confab import --help

    The log is in DIR; else where the configuration says (data =), which is FILE or the one that confabd would take; else
    where confabd keeps it without that.

    verify   checks every record; 0 if all are sound, 1 if not, naming each that is broken
    dump     prints one line for each record, whatever it is; or for those with these numbers
    export   prints the messages in the order of their ids, one JSON object a line; with --text conversation by
             conversation, as irssi keeps its logs, in local time; with --in those of one conversation. Each line names the
             account's owner (account_jid). 1 if something is lost, which is then named; the same for dump
    import   takes messages as export prints them from FILE (-: standard input), but those that are here already; the
             daemon must not run. Nothing is taken if a line is of another owner than its account's: by account_jid, or
             by the author (from) of one's own messages (mine). 0 if all is here then, 1 if a line was wrong or the import
             failed, 64 if the log has no such account or the history is another owner's, 75 if a daemon runs. A
             conversation counts as read up to one's own last message in it, with --read up to its end
    scrub    erases forgotten messages, and statuses and unknown stanzas of forgotten people; the daemon must not run. 0 if done, 1 if something of the log
             cannot be read, and stays, 75 if a daemon runs

    74 if standard output cannot be written, but not where its reader has gone.

    """

  /// Done; for `verify`: everything is sound.
  package static let done: Int32 = 0
  /// Something is broken, or the log cannot be read.
  package static let broken: Int32 = 1
  /// Standard output could not be written.
  package static let outputFailed: Int32 = 74
  /// A daemon has the log.
  package static let locked: Int32 = 75
  /// The command line is wrong.
  package static let misused: Int32 = 64

  /// Runs the words after `confab log` over standard output and standard error; the exit status.
  package static func run(
    _ arguments: [String], environment: [String: String], prepare: @escaping PrepareAddress
  ) -> Int32 {
    var failure: Errno?
    let output = LineOutput { bytes in
      do throws(Errno) { try Descriptors.writeAll(1, bytes) } catch {
        // A reader that has read enough closes the pipe; a full disk is an error.
        if !error.isDisconnected { failure = error }
        return false
      }
      return true
    }
    let complaints = LineOutput { bytes in (try? Descriptors.writeAll(2, bytes)) != nil }
    defer { complaints.flush() }
    let status = run(
      arguments, environment: environment, output: output, complaints: complaints, prepare: prepare)
    output.flush()
    guard let failure else { return status }
    complaints.line("confab log: standard output: \(failure.text)")
    return status == done ? outputFailed : status
  }

  /// Runs the command over any outputs.
  ///
  /// - Parameter offset: seconds east of UTC at a time, where people live who read `export --text`.
  package static func run(
    _ arguments: [String], environment: [String: String], output: LineOutput, complaints: LineOutput,
    prepare: @escaping PrepareAddress = { _, _ in .unknown("nobody can") },
    offset: @escaping (Timestamp) -> Int = { LocalTime.offset(atSecondsSince1970: $0.milliseconds / 1000) }
  ) -> Int32 {
    let scratch = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/var/tmp"
    do throws(LogCommandFailure) {
      let request = try LogRequest(arguments, environment: environment)
      switch request.task {
      case .help: output.write(usage)
      case .verify: return try Verification(output).run(open(request.data))
      case .dump(nil): return try Dump(output, complaints).run(open(request.data))
      case .dump(.some(let range)): try Dump(output, complaints).run(open(request.data), range)
      case .scrub: return try Scrub(output, complaints).run(path(request.data), scratch: scratch)
      case .export(let form, let jid):
        let conversation = try jid.map { (jid) throws(LogCommandFailure) in try bare(jid, prepare) }
        return try Export(form, in: conversation, output, complaints, offset: offset)
          .run(open(request.data, scratch: scratch))
      case .import(let options):
        return try Import(options, prepare, output, complaints).run(path(request.data), scratch: scratch)
      case .foreign(let options):
        return try ForeignImport(
          options: options, prepare: prepare, output: output, complaints: complaints, environment: environment,
          offset: zone(options.zone) ?? offset
        ).run(path(request.data), scratch: scratch)
      }
      return done
    } catch {
      let isForeign = arguments.first == "import" && !arguments.contains { $0.hasPrefix("--jsonl") }
      let command = isForeign ? "confab import" : "confab log"
      let hint = if case .usage = error { "; see \(command) --help" } else { "" }
      complaints.line("\(command): " + error.description + hint)
      return error.status
    }
  }

  /// Seconds east of UTC in a named zone; nil if none is named.
  private static func zone(_ name: String?) throws(LogCommandFailure) -> ((Timestamp) -> Int)? {
    guard let name else { return nil }
    guard let offset = LocalTime.zone(named: name) else {
      throw .usage("--zone \(name) is neither a time zone, as Europe/Berlin, nor an offset, as +02:00")
    }
    return { offset($0.milliseconds / 1000) }
  }

  private static func path(_ path: String?) throws(LogCommandFailure) -> String {
    guard let path else { throw .usage("no data directory is configured: name it with --data DIR") }
    return path
  }

  /// The bare JID of a conversation as the log spells it; as typed if no preparation is available.
  private static func bare(_ typed: String, _ prepare: PrepareAddress) throws(LogCommandFailure) -> String {
    switch prepare(typed, true) {
    case .address(let address): return String(address.prefix { $0 != "/" })
    case .wrong(let reason): throw .usage("--in is not a JID: \(reason)")
    case .unknown: return typed
    }
  }

  private static func open(
    _ directory: String?, scratch: String? = nil
  ) throws(LogCommandFailure) -> FileStorage {
    let path = try path(directory)
    do throws(Errno) {
      let directory = try DataDirectory.open(path)
      if let scratch { return try directory.storage(scratch: scratch) }
      return try directory.storage(readOnly: true)
    } catch {
      throw .noLog(path, error.reason(in: path))
    }
  }
}

extension Errno {
  /// The system's error text for a failure in a directory, after the path if the failure is elsewhere.
  func reason(in directory: String) -> String {
    object.isEmpty || object == directory ? text : "\(TerminalText.clean(object)): \(text)"
  }
}

/// Why a command on the log came to nothing.
enum LogCommandFailure: Error, Equatable, CustomStringConvertible {
  case usage(String)
  case noLog(String, String)
  /// The configuration, which names the data directory, cannot be read.
  case configuration(String)
  case log(RecoveryError)
  case notWritten(WritableLogError)
  /// A file to be imported cannot be read.
  case input(String, String)
  /// A file to be imported that can be read only once cannot be copied to this directory.
  case copy(String, String)
  /// `dump`: none of these can be read.
  case noRecord(ClosedRange<UInt64>)
  /// No daemon program is there to check addresses; the text names the reason.
  case addresses(String)
  /// The account of the imported messages is unknown; the text says why.
  case account(String)

  var status: Int32 {
    switch self {
    case .usage, .account: LogCommand.misused
    case .notWritten(.locked): LogCommand.locked
    default: LogCommand.broken
    }
  }

  var description: String {
    switch self {
    case .notWritten(let error): error.description
    case .input(let file, let reason): "\(TerminalText.clean(file)) cannot be read: \(TerminalText.clean(reason))"
    case .copy(let folder, let reason):
      "the input cannot be copied to \(TerminalText.clean(folder)) (TMPDIR): \(TerminalText.clean(reason))"
    case .usage(let text), .account(let text): TerminalText.clean(text)
    case .configuration(let reason): "\(TerminalText.clean(reason)); or name the data directory with --data DIR"
    case .addresses(let reason): "addresses cannot be prepared: \(TerminalText.clean(reason))"
    case .noLog(let path, let reason): "no log in \(TerminalText.clean(path)): \(reason)"
    case .log(let error): error.description
    case .noRecord(let range):
      "no readable record \(Self.words(range))"
    }
  }

  private static func words(_ range: ClosedRange<UInt64>) -> String {
    let first = range.lowerBound
    if first == range.upperBound { return "\(first)" }
    return range.upperBound == .max ? "from \(first) on" : "from \(first) to \(range.upperBound)"
  }
}
