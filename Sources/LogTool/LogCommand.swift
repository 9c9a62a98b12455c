import LogFiles
import MessageLog
import Syscalls

/// `confab log verify|dump|export`: reads the log itself, beside a running daemon or without one, and changes nothing.
/// `import` and `scrub` write to it, without a daemon.
package enum LogCommand {
  package static let usage = """
    usage: confab log verify [--data DIR]
           confab log dump [FIRST[-LAST]] [--data DIR]
           confab log export [--jsonl | --text] [--data DIR]
           confab log import --jsonl FILE [--account NAME [--jid JID]] [--data DIR]
           confab log scrub [--data DIR]

    verify   checks every record; 0 if all are sound, 1 if not, naming each that is broken
    dump     prints one line for each record, whatever it is; or for those with these numbers
    export   prints the messages in the order of their ids, one JSON object a line; with --text conversation by
             conversation, as irssi keeps its logs. 1 if something is lost, which is then named; the same for dump
    import   takes messages as export prints them from FILE (-: standard input), but those that are here already; the
             daemon must not run. 0 if all was taken, 1 if a line was wrong, 75 if a daemon runs
    scrub    takes out of the log what forget-history hid; the daemon must not run. 0 if done, 75 if a daemon runs

    """

  /// Done; for `verify`: everything is sound.
  package static let done: Int32 = 0
  /// Something is broken, or the log cannot be read.
  package static let broken: Int32 = 1
  /// A daemon has the log.
  package static let locked: Int32 = 75
  /// The command line is wrong.
  package static let misused: Int32 = 64

  /// Runs the words after `confab log` over standard output and standard error; the exit status.
  package static func run(_ arguments: [String], environment: [String: String]) -> Int32 {
    var failure: Errno?
    let output = LineOutput { bytes in
      do throws(Errno) { try Descriptors.writeAll(1, bytes) } catch {
        // Who has read enough goes away; a full disk is no such reason.
        if !error.isDisconnected { failure = error }
        return false
      }
      return true
    }
    let complaints = LineOutput { bytes in (try? Descriptors.writeAll(2, bytes)) != nil }
    defer { complaints.flush() }
    let status = run(arguments, environment: environment, output: output, complaints: complaints)
    output.flush()
    guard let failure else { return status }
    complaints.line("confab log: standard output: \(failure.text)")
    return broken
  }

  /// The same over any outputs.
  package static func run(
    _ arguments: [String], environment: [String: String], output: LineOutput, complaints: LineOutput
  ) -> Int32 {
    let scratch = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/var/tmp"
    do throws(LogCommandFailure) {
      let request = try LogRequest(arguments, environment: environment)
      switch request.task {
      case .help: output.write(usage)
      case .verify: return try Verification(output).run(open(request.data))
      case .dump(nil): return try Dump(output, complaints).run(open(request.data))
      case .dump(.some(let range)): try Dump(output, complaints).run(open(request.data), range)
      case .scrub: try Scrub(output, complaints).run(path(request.data), scratch: scratch)
      case .export(let form):
        return try Export(form, output, complaints).run(open(request.data, scratch: scratch))
      case .import(let options): return try Import(options, output, complaints).run(path(request.data))
      }
      return done
    } catch {
      complaints.line("confab log: " + error.description)
      if case .usage = error { complaints.write(usage) }
      return error.status
    }
  }

  private static func path(_ path: String?) throws(LogCommandFailure) -> String {
    guard let path else { throw .usage("where is the log? Say --data DIR") }
    return path
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
      throw .noLog(path, error.text)
    }
  }
}

/// Why a command on the log came to nothing.
enum LogCommandFailure: Error, Equatable, CustomStringConvertible {
  case usage(String)
  case noLog(String, String)
  case log(RecoveryError)
  case notWritten(WritableLogError)
  /// A file to be imported cannot be read.
  case input(String, String)
  /// `dump`: none of these can be read.
  case noRecord(ClosedRange<UInt64>)
  /// Nobody knows whose messages are to be imported.
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
    case .input(let file, let reason): "\(SafeText.clean(file)) cannot be read: \(SafeText.clean(reason))"
    case .usage(let text), .account(let text): SafeText.clean(text)
    case .noLog(let path, let reason): "there is no log in \(SafeText.clean(path)): \(reason)"
    case .log(let error): error.description
    case .noRecord(let range):
      range.lowerBound == range.upperBound
        ? "there is no record \(range.lowerBound) that can be read"
        : "there is no record from \(range.lowerBound) to \(range.upperBound) that can be read"
    }
  }
}

/// What a command line after `confab log` asks for.
struct LogRequest: Equatable {
  enum Form: Equatable { case jsonLines, text }
  enum Task: Equatable {
    case help, verify, scrub, export(Form), `import`(Import.Options)
    /// All records, or those with these numbers.
    case dump(ClosedRange<UInt64>?)
  }

  var task: Task
  /// The data directory; nil if there is nothing to tell it from.
  var data: String?

  init(_ arguments: [String], environment: [String: String]) throws(LogCommandFailure) {
    data = Self.dataDirectory(environment)
    guard let name = arguments.first else { throw .usage("verify, dump, export, import or scrub?") }
    var form: Form?
    var file: String?
    var range: ClosedRange<UInt64>?
    var options = Import.Options()
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      switch argument {
      case "--jsonl" where name == "import": file = rest.popFirst()
      case "--account" where name == "import": options.account = rest.popFirst()
      case "--jid" where name == "import": options.jid = rest.popFirst()
      case "--data":
        guard let path = rest.popFirst(), !path.isEmpty else { throw .usage("--data needs a directory") }
        data = path
      case _ where argument.hasPrefix("--data="): data = String(argument.dropFirst("--data=".count))
      case "--jsonl" where name == "export" && form != .text: form = .jsonLines
      case "--text" where name == "export" && form != .jsonLines: form = .text
      case _ where name == "dump" && range == nil: range = try Self.range(argument)
      default: throw .usage("there is no place for '\(argument)'")
      }
    }
    switch name {
    case "verify": task = .verify
    case "dump": task = .dump(range)
    case "scrub": task = .scrub
    case "export": task = .export(form ?? .jsonLines)
    case "import":
      guard let file else { throw .usage("import what? Say --jsonl FILE") }
      options.file = file
      if let jid = options.jid {
        guard options.account != nil, let address = ImportedAddress.normalised(jid, isBare: true) else {
          throw .usage("--jid needs the bare JID of an account, and --account its name")
        }
        options.jid = address
      }
      task = .import(options)
    case "help", "--help", "-h": task = .help
    default: throw .usage("there is no 'log \(name)'")
    }
  }

  /// `8120`, or `8120-8200`.
  private static func range(_ words: String) throws(LogCommandFailure) -> ClosedRange<UInt64> {
    let numbers = words.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { UInt64($0) }
    guard let first = numbers.first ?? nil, let last = numbers.last ?? nil, first <= last else {
      throw .usage("'\(words)' is neither the number of a record nor a range FIRST-LAST of them")
    }
    return first...last
  }

  /// Where the daemon keeps its data if its configuration does not say otherwise.
  static func dataDirectory(_ environment: [String: String]) -> String? {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let directories = value("STATE_DIRECTORY") { return directories.split(separator: ":").first.map(String.init) }
    if let state = value("XDG_STATE_HOME") { return state + "/confab" }
    return value("HOME").map { $0 + "/.local/state/confab" }
  }
}
