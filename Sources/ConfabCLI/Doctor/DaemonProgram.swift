import Syscalls

/// The `confabd` that was installed with this `confab`.
enum DaemonProgram {
  /// Beside this program, or where the shell finds it.
  static let path: String = {
    guard let own = Paths.target("/proc/self/exe") else { return "confabd" }
    let path = Paths.parent(of: own) + "/confabd"
    return (try? Paths.status(path)) == nil ? "confabd" : path
  }()

  /// `--config FILE` where the command line has it.
  static func configuration(_ request: LocalRequest) -> [String] {
    request.options["config"].map { ["--config", $0] } ?? []
  }

  /// Starts it.
  ///
  /// - Parameters:
  ///   - variables: set for it in addition.
  ///   - errors: where its standard error goes; nil: to ours.
  static func start(
    _ arguments: [String], variables: [String: String] = [:], errors: String? = nil
  ) throws(Errno) -> ChildProgram {
    let settings = variables.map { "\($0.key)=\(ShellCommand.quoted($0.value)) " }.joined()
    let words = ([path] + arguments).map(ShellCommand.quoted).joined(separator: " ")
    let redirection = errors.map { " 2>\(ShellCommand.quoted($0))" } ?? ""
    return try ChildProgram(settings.isEmpty ? "exec \(words)\(redirection)" : "\(settings)exec \(words)\(redirection)")
  }
}
