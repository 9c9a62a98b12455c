import Syscalls

/// The `confabd` that was installed with this `confab`.
enum DaemonProgram {
  /// Beside this program, or where the shell finds it.
  static let path = Paths.beside(["confabd"]) ?? "confabd"

  /// `--config FILE` where the command line has it.
  static func configuration(_ request: LocalRequest) -> [String] {
    request.options["config"].map { ["--config", $0] } ?? []
  }

  /// Returns a line for the shell that replaces it by the daemon.
  static func command(_ arguments: [String]) -> String {
    "exec " + ([path] + arguments).map(ShellCommand.quoted).joined(separator: " ")
  }

  /// Starts it.
  ///
  /// - Parameters:
  ///   - errors: where its standard error goes; nil: to ours.
  ///   - isWrittenTo: it has a standard input.
  static func start(
    _ arguments: [String], errors: String? = nil, isWrittenTo: Bool = false
  ) throws(Errno) -> ChildProgram {
    let errors = errors.map { " 2>" + ShellCommand.quoted($0) } ?? ""
    return try ChildProgram(command(arguments) + errors, isWrittenTo: isWrittenTo)
  }
}
