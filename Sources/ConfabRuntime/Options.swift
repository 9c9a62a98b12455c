/// The command line of `confabd` (CONTRACT, section 3).
struct Options: Equatable {
  enum Mode: Equatable { case run, check, version, help }

  var configuration: String?
  var mode = Mode.run

  static let usage = """
    usage: confabd [--config FILE] [--check] [--version] [--help]

    Keeps the sessions of the configured XMPP accounts, stores every conversation, and serves front ends over a
    Unix socket. Stays in the foreground; logs to standard error.

      --config FILE  the configuration; else $XDG_CONFIG_HOME/confab/confab.conf (~/.config), else
                     /etc/confab/confab.conf
      --check        say what is wrong with the configuration; exit 0 where nothing is, else 78
      --version      say the version
      --help         say this

    Exit: 0 stopped in order, 64 bad usage, 71 or 74 the system or the disk failed, 75 another daemon runs on the
    same data or socket, 78 the configuration is wrong.

    """

  /// Nil, where the arguments are wrong.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--config":
        guard let file = rest.popFirst() else { return nil }
        configuration = file
      case "--check": mode = .check
      case "--version": mode = .version
      case "--help", "-h": mode = .help
      default:
        guard argument.hasPrefix("--config=") else { return nil }
        configuration = String(argument.dropFirst("--config=".count))
      }
    }
  }
}
