import LogFiles
import MessageLog
import Syscalls

/// `confab log verify|dump|export`: reads the log itself, beside a running daemon or without one, and changes nothing.
package enum LogCommand {
  package static let usage = """
    usage: confab log verify [--data DIR]
           confab log dump [--data DIR]
           confab log export [--jsonl | --text] [--data DIR]

    verify   checks every record; 0 if all are sound, 1 if not, naming each that is broken
    dump     prints one line for each record, whatever it is
    export   prints the messages in the order of their ids: one JSON object a line, or for people

    """

  /// Done; for `verify`: everything is sound.
  package static let done: Int32 = 0
  /// Something is broken, or the log cannot be read.
  package static let broken: Int32 = 1
  /// The command line is wrong.
  package static let misused: Int32 = 64

  /// Runs the words after `confab log` over standard output and standard error; the exit status.
  package static func run(_ arguments: [String], environment: [String: String]) -> Int32 {
    let output = LineOutput { bytes in (try? Descriptors.writeAll(1, bytes)) != nil }
    let complaints = LineOutput { bytes in (try? Descriptors.writeAll(2, bytes)) != nil }
    defer {
      output.flush()
      complaints.flush()
    }
    return run(arguments, environment: environment, output: output, complaints: complaints)
  }

  /// The same over any outputs.
  package static func run(
    _ arguments: [String], environment: [String: String], output: LineOutput, complaints: LineOutput
  ) -> Int32 {
    do throws(LogCommandFailure) {
      let request = try LogRequest(arguments, environment: environment)
      let storage = try open(request.data)
      switch request.task {
      case .help: output.write(usage)
      case .verify: return try Verification(output).run(storage)
      case .dump: try Dump(output, complaints).run(storage)
      case .export(let form): try Export(form, output, complaints).run(storage)
      }
      return done
    } catch {
      complaints.line("confab log: " + error.description)
      if case .usage = error { complaints.write(usage) }
      if case .usage = error { return misused }
      return broken
    }
  }

  private static func open(_ path: String?) throws(LogCommandFailure) -> FileStorage {
    guard let path else { throw .usage("where is the log? Say --data DIR") }
    do throws(Errno) {
      return try DataDirectory.open(path).storage(readOnly: true)
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

  var description: String {
    switch self {
    case .usage(let text): SafeText.clean(text)
    case .noLog(let path, let reason): "there is no log in \(SafeText.clean(path)): \(reason)"
    case .log(let error): error.description
    }
  }
}

/// What a command line after `confab log` asks for.
struct LogRequest: Equatable {
  enum Form: Equatable { case jsonLines, text }
  enum Task: Equatable { case help, verify, dump, export(Form) }

  var task: Task
  /// The data directory; nil if there is nothing to tell it from.
  var data: String?

  init(_ arguments: [String], environment: [String: String]) throws(LogCommandFailure) {
    data = Self.dataDirectory(environment)
    guard let name = arguments.first else { throw .usage("verify, dump or export?") }
    var form: Form?
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      switch argument {
      case "--data":
        guard let path = rest.popFirst(), !path.isEmpty else { throw .usage("--data needs a directory") }
        data = path
      case _ where argument.hasPrefix("--data="): data = String(argument.dropFirst("--data=".count))
      case "--jsonl" where name == "export" && form != .text: form = .jsonLines
      case "--text" where name == "export" && form != .jsonLines: form = .text
      default: throw .usage("there is no place for '\(argument)'")
      }
    }
    switch name {
    case "verify": task = .verify
    case "dump": task = .dump
    case "export": task = .export(form ?? .jsonLines)
    case "help", "--help", "-h": task = .help
    default: throw .usage("there is no 'log \(name)'")
    }
  }

  /// Where the daemon keeps its data if its configuration does not say otherwise.
  static func dataDirectory(_ environment: [String: String]) -> String? {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let directories = value("STATE_DIRECTORY") { return directories.split(separator: ":").first.map(String.init) }
    if let state = value("XDG_STATE_HOME") { return state + "/confab" }
    return value("HOME").map { $0 + "/.local/state/confab" }
  }
}
